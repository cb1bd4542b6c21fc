import ContextCore
import Domain
import Operations
import TestKit
import Wire

/// The context service with queues, and players' keys that say whom they block.
final class QueueWorld {
  let driver: ContextDriver
  /// Whom each player blocks, as the player's own key knows it.
  var blocks: [PlayerID: Set<PlayerID>] = [:]
  /// Called between two deliveries.
  var interruption: () throws -> Void = {}
  private(set) var found: [(player: PlayerID, event: MatchFound)] = []
  private(set) var ended: [(player: PlayerID, event: TicketEnded)] = []
  /// As whose the ends were told.
  private(set) var enders: [PlayerID] = []
  /// Other events for players' streams.
  var others: [AppendEvent] = []
  /// Times that a match was not confirmed.
  private(set) var refusalCount = 0

  init(seed: UInt64 = 1) { driver = ContextDriver(seed: seed) }

  static func player(_ number: Int) -> PlayerID { .sample(UInt64(1000 + number)) }

  func define(_ definition: QueueDefinition) throws -> DefinitionChange {
    var operation = DefineQueue()
    operation.definition = definition
    return try driver.call(operation, as: PlayerID(), kind: .gameServer).change
  }

  func takeBack(_ group: String) throws {
    var operation = RemoveQueue()
    operation.playerGroup = group
    try driver.call(operation, as: PlayerID(), kind: .gameServer)
  }

  func tickets(_ player: PlayerID) throws -> [TicketInfo] {
    try driver.call(ListTickets(), as: player).tickets
  }

  /// Asks for a match as a gateway would bring it: with the caller's tickets, and for a running
  /// match with those who are active in its context. A party's ticket comes as invitations place
  /// it.
  @discardableResult
  func find(
    _ player: PlayerID, in group: String = "0", _ criteria: MatchCriteria = MatchCriteria(),
    with members: [PlayerID] = [], party: ContextID? = nil, active: [PlayerID]? = nil,
    match: UInt64 = 0, openMatch: UInt64? = nil
  ) throws -> FindMatch.Reply {
    if match == 0 && !members.isEmpty { return try place([player] + members, in: group, criteria) }
    var operation = FindMatch()
    operation.playerGroup = group
    operation.criteria = criteria
    operation.members = members
    operation.party = party ?? (members.isEmpty ? nil : .sample(77))
    operation.match = match
    var tickets = ListTickets.Reply()
    tickets.tickets = try self.tickets(player)
    var facts = [Fact(FetchTickets.self, at: player, tickets)]
    if let party = operation.party {
      var reply = FetchParty.Reply()
      reply.players = active ?? [player] + members
      reply.openMatch = openMatch ?? match
      facts.append(Fact(FetchParty.self, at: party, reply))
    }
    return try driver.call(operation, as: player, facts: Facts(facts))
  }

  private func place(_ players: [PlayerID], in group: String, _ criteria: MatchCriteria) throws
    -> FindMatch.Reply
  {
    placedCount += 1
    var operation = PlaceTicket()
    operation.queue = RoutingKey(game: driver.game, name: group)
    operation.ticket = .sample(1 << 40 + placedCount)
    operation.playerGroup = group
    operation.players = players
    operation.criteria = criteria
    try driver.call(operation, as: PlayerID(), kind: .service)
    var reply = FindMatch.Reply()
    reply.ticket = operation.ticket
    return reply
  }

  private var placedCount: UInt64 = 0

  func cancel(_ ticket: MatchTicketID, as player: PlayerID, in group: String = "0") throws
    -> CancelTicket.Reply
  {
    var operation = CancelTicket()
    operation.playerGroup = group
    operation.ticket = ticket
    var tickets = ListTickets.Reply()
    tickets.tickets = try self.tickets(player)
    return try driver.call(
      operation, as: player, facts: Facts([Fact(FetchTickets.self, at: player, tickets)]))
  }

  func activity(_ group: String = "0") throws -> QueueActivity.Reply {
    var operation = QueueActivity()
    operation.playerGroup = group
    return try driver.call(operation, as: ann)
  }

  /// Delivers what is under way, to queues and to the players' keys, until nothing is.
  func settle() throws {
    while true {
      try interruption()
      if try !deliverOne() { break }
    }
    for event in try driver.takeEffects(AppendEvent.self).map(\.operation) {
      switch event.kind {
      case MatchFound.opcode.rawValue:
        found.append((event.player, try MatchFound(decoding: event.body.array)))
      case TicketEnded.opcode.rawValue:
        ended.append((event.player, try TicketEnded(decoding: event.body.array)))
        enders.append(event.sender)
      default: others.append(event)
      }
    }
  }

  private func deliverOne() throws -> Bool {
    let questions = try driver.takeEffects(ConfirmMatch.self)
    for question in questions { try answer(question.operation) }
    if !questions.isEmpty { return true }
    if !driver.effects.contains(where: { Opcode(rawValue: $0.opcode).service == .context }) {
      return false
    }
    let failures = try driver.deliverOwnEffects(atMost: 1)
    precondition(failures.isEmpty, "\(failures)")
    return true
  }

  /// Delivers one thing that is under way.
  func settleOnce() throws { _ = try deliverOne() }

  /// What the player's key does: see `RequestCore.confirmMatch`.
  private func answer(_ question: ConfirmMatch) throws {
    var answer = MatchConfirmed()
    answer.queue = question.queue
    answer.match = question.match
    answer.player = question.player
    let blocked = blocks[question.player] ?? []
    if question.others.contains(where: blocked.contains) {
      answer.blocked = blocked.sorted()
      refusalCount += 1
    }
    try driver.call(answer, as: PlayerID(), kind: .service)
  }

  /// The matches that were found since the last look, by context, each with its players.
  func takeFound() -> [ContextID: [PlayerID]] {
    defer { found = [] }
    return found.reduce(into: [:]) { $0[$1.event.context, default: []].append($1.player) }
  }

  func takeEnded() -> [(player: PlayerID, event: TicketEnded)] {
    defer { ended = [] }
    return ended
  }

  /// Lets time pass, and delivers what each timer causes before the next is served.
  func pass(_ milliseconds: Int64) throws {
    let end = driver.clock + milliseconds
    while let due = driver.engine.nextTimerDue, due <= end {
      driver.clock = max(driver.clock, due)
      driver.runTimers(atMost: 1)
      try settle()
    }
    driver.clock = end
  }
}

extension MatchCriteria {
  init(
    _ minPlayers: UInt32, _ maxPlayers: UInt32, attributes: UInt32 = 0, skill: Int64? = nil,
    words: [TicketWord] = [], latencies: [TicketLatency] = []
  ) {
    self.init()
    self.minPlayers = minPlayers
    self.maxPlayers = maxPlayers
    playerAttributes = attributes
    if let skill { numbers = [TicketNumber("skill", skill)] }
    self.words = words
    self.latencies = latencies
  }
}

extension MatchRule {
  init(_ kind: MatchRuleKind, _ property: String = "", _ steps: [MatchRuleStep]) {
    self.init()
    self.kind = kind
    self.property = property
    self.steps = steps
  }
}

extension QueueDefinition {
  init(
    _ group: String = "0", lifetime: UInt32 = 60, regions: [String] = [],
    rules: [MatchRule]
  ) {
    self.init()
    playerGroup = group
    lifetimeSeconds = lifetime
    self.regions = regions
    self.rules = rules
  }
}
