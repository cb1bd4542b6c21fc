import Domain
import Operations
import Wire

/// The queues of player groups, each at the key of its game and group.
///
/// A ticket waits in a `Pool`. When it comes, and when a rule of it loosens, it looks for a match;
/// nothing is ever looked through at a fixed tick. Tickets that make a match leave the line as a
/// proposal, which each player's key confirms: there, a block holds from when it was acknowledged.
/// When all have confirmed, one batch ends the tickets and opens the match's context.
final class Matchmaking: CorePart {
  var pools: [RoutingKey: Pool] = [:]
  var proposals = ResidentTable<ProposalRow>()
  /// Takes the answers for seats that no queue has asked for.
  let invites: MatchInvites
  /// Of tickets asked for. In memory: a restart gives one more burst.
  var budgets = KeyedBudgetRows<TicketBudgetRow>(isKept: false)
  let rate: TokenBucket.Rate
  /// Empty pools that are kept for their counts, the first to go first.
  private var idle = Queue<RoutingKey>()
  private var loading = Loading()

  /// Tickets of older declarations that each new ticket brings under the newest.
  static let revisedAtOnce = 8
  /// Empty pools without a declaration that are kept.
  static let idlePoolsMax = 1024

  private struct Loading {
    var queues: [QueueRow] = []
    var tickets: [TicketRow] = []
  }

  init(invites: MatchInvites, settings: SettingValues) {
    self.invites = invites
    rate = settings.rate(.matchTicketBurst, refill: .matchTicketRefill)
  }

  func register(_ router: inout Router) {
    router.on(DefineQueue.self, defineQueue)
    router.on(RemoveQueue.self, removeQueue)
    router.on(DescribeQueue.self, describeQueue)
    router.on(QueueActivity.self, queueActivity)
    router.on(FindMatch.self, findMatch)
    router.on(PlaceTicket.self, placeTicket)
    router.on(CancelTicket.self, cancelTicket)
    router.on(DropTicket.self, dropTicket)
    router.on(AdvanceTicket.self, advanceTicket)
    router.on(MatchConfirmed.self, matchConfirmed)
    router.on(MatchSeatsAnswered.self, matchSeatsAnswered)
  }

  func register(_ tables: inout Tables) {
    tables.resident(QueueRow.self, about: .nobody) { self.loading.queues.append($0) }
    tables.resident(TicketRow.self) { self.loading.tickets.append($0) }
    tables.resident(ProposalRow.self) { self.proposals.load($0) }
    tables.erases(TicketRow.self, erase)
    tables.erases(ProposalRow.self) { (row, erasure, transaction) in
      self.proposals.erase(row.key, erasure, &transaction)
    }
  }

  /// The player's ticket is dropped, by the queue that has it; those with whom the player came are
  /// told. A ticket of others who avoid the player avoids the stand-in.
  private func erase(
    _ row: TicketRow, _ erasure: Erasure, _ transaction: inout Transaction
  ) {
    guard let pool = pools[row.queue], let slot = pool.slot(of: row.key) else { return }
    if pool[slot].row.players.contains(erasure.player) {
      var drop = DropTicket()
      (drop.queue, drop.ticket) = (row.queue, row.key)
      transaction.effect(drop, on: row.queue, game: row.game)
    } else if let rest = erasure.rest(of: pool[slot].row) {
      pool[slot].row = rest
      pool[slot].avoided = Set(rest.avoided)
      transaction.put(rest)
    }
  }

  func loaded(_ transaction: inout Transaction) {
    for row in loading.queues.sorted(by: { $0.key.version < $1.key.version }) {
      let pool = pool(row.key.queue, game: row.game, row.definition.playerGroup, &transaction)
      pool.declare(
        QueueStages(row.definition, version: row.key.version, isTakenBack: row.isTakenBack))
    }
    for row in loading.tickets.sorted(by: { ($0.queue, $0.arrival) < ($1.queue, $1.arrival) }) {
      let pool = pool(row.queue, game: row.game, row.playerGroup, &transaction)
      let slot = pool.add(row, now: transaction.now)
      if row.proposal.isNil { pool.putIn(slot, now: transaction.now) }
      setTimer(pool, slot, &transaction)
    }
    for pool in pools.values { pool.forgetUndeclared() }
    loading = Loading()
  }

  // MARK: Queues

  func undeclared(_ playerGroup: String) -> QueueStages {
    var definition = QueueDefinition()
    definition.playerGroup = playerGroup
    return QueueStages(definition, version: 0)
  }

  func pool(
    _ key: RoutingKey, game: String, _ playerGroup: String, _ transaction: inout Transaction
  ) -> Pool {
    if let pool = pools[key] { return pool }
    let pool = Pool(
      key, game: game, undeclared(playerGroup), now: transaction.now,
      seed: transaction.randomInteger())
    pools[key] = pool
    return pool
  }

  private func defineQueue(
    _ operation: DefineQueue, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> DefineQueue.Reply {
    let definition = operation.definition
    let known = isDeclared(pools[call.key])
    var reply = DefineQueue.Reply()
    if known, pools[call.key]?.rules.definition == definition { return reply }
    try expectRoom(pools[call.key])
    let pool = pool(call.key, game: call.game, definition.playerGroup, &transaction)
    declare(definition, in: pool, isTakenBack: false, &transaction)
    reply.change = known ? .updated : .created
    return reply
  }

  private func removeQueue(
    _ operation: RemoveQueue, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) {
    guard let pool = pools[call.key], isDeclared(pool) else {
      throw .notFound("playerGroup", "No queue is declared for this player group.")
    }
    try expectRoom(pool)
    let definition = undeclared(operation.playerGroup).definition
    declare(definition, in: pool, isTakenBack: true, &transaction)
    tidy(pool, &transaction)
  }

  private func isDeclared(_ pool: Pool?) -> Bool {
    pool.map { $0.rules.version > 0 && !$0.rules.isTakenBack } ?? false
  }

  private func expectRoom(_ pool: Pool?) throws(Stop) {
    guard let pool, pool.versions.count >= MatchmakingLimits.versionsMax else { return }
    throw .refuse(
      .limitReached, "Tickets of \(MatchmakingLimits.versionsMax) declarations wait, the most.")
  }

  private func declare(
    _ definition: QueueDefinition, in pool: Pool, isTakenBack: Bool,
    _ transaction: inout Transaction
  ) {
    var row = QueueRow()
    row.key = QueueVersionKey(queue: pool.key, version: pool.rules.version + 1)
    row.game = pool.game
    row.definition = definition
    row.isTakenBack = isTakenBack
    transaction.put(row)
    pool.declare(
      QueueStages(definition, version: row.key.version, isTakenBack: isTakenBack))
    dropUnusedVersions(pool, &transaction)
  }

  private func describeQueue(
    _ operation: DescribeQueue, _ call: Call, _ transaction: inout Transaction
  ) -> DescribeQueue.Reply {
    var reply = DescribeQueue.Reply()
    reply.definition =
      (pools[call.key]?.rules ?? undeclared(operation.playerGroup)).definition
    return reply
  }

  private func queueActivity(
    _ operation: QueueActivity, _ call: Call, _ transaction: inout Transaction
  ) -> QueueActivity.Reply {
    var reply = QueueActivity.Reply()
    guard let pool = pools[call.key] else { return reply }
    reply.waitingPlayers = UInt32(pool.playerCount)
    reply.waitingTickets = UInt32(pool.ticketCount)
    reply.matchedPlayers = pool.waits.all.matchedPlayers(now: transaction.now)
    reply.waits = pool.waits.all.waits(now: transaction.now)
    return reply
  }

  func dropUnusedVersions(_ pool: Pool, _ transaction: inout Transaction) {
    for version in pool.takeUnused() where version > 0 {
      transaction.remove(QueueRow.self, QueueVersionKey(queue: pool.key, version: version))
    }
  }

  /// A ticket has left: what was there for it alone goes too.
  func tidy(_ pool: Pool, _ transaction: inout Transaction) {
    dropUnusedVersions(pool, &transaction)
    if pool.isEmpty, pool.rules.isTakenBack {
      let version = pool.rules.version
      transaction.remove(QueueRow.self, QueueVersionKey(queue: pool.key, version: version))
      pool.forgetDeclaration(undeclared(pool.rules.definition.playerGroup))
    }
    guard pool.isEmpty, pool.rules.version == 0, !pool.isIdle else { return }
    pool.isIdle = true
    idle.append(pool.key)
    if idle.count <= Self.idlePoolsMax { return }
    let key = idle.removeFirst()
    pools[key]?.isIdle = false
    if let old = pools[key], old.isEmpty, old.rules.version == 0 { pools[key] = nil }
  }

  func setTimer(_ pool: Pool, _ slot: Int32, _ transaction: inout Transaction) {
    var timer = AdvanceTicket()
    timer.ticket = pool[slot].row.key
    transaction.setTimer(
      timer, on: pool.key, item: RoutingKey(reinterpreting: timer.ticket),
      at: pool[slot].nextChange, game: pool.game)
  }
}
