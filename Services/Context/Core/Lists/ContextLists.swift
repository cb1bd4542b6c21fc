import Domain
import Operations
import Wire

/// Each player's list of contexts, and the one that the player is in: copies that effects of the
/// contexts bring up to date.
final class ContextLists: CorePart {
  var lists = PlayerContexts()
  var pairs = PairContexts()
  /// Who blocks each player, for invitations that come late.
  var blockers = ResidentTable<BlockedByRow>()
  private var opened = OpenedContexts()
  private let senderRate: TokenBucket.Rate

  init(settings: SettingValues) {
    senderRate = settings.rate(.contextSenderBurst, refill: .contextSenderRefill)
  }

  func register(_ router: inout Router) {
    router.on(ListContexts.self, listContexts)
    router.on(ChooseContexts.self, chooseContexts)
    router.on(SuggestContexts.self, suggestContexts)
    router.on(CurrentContext.self, currentContext)
    router.on(RecordContext.self, recordContext)
    router.on(RecordBlock.self, recordBlock)
    router.on(RecordFirstSession.self, recordFirstSession)
    router.on(TellFirstSession.self, tellFirstSession)
    router.on(FetchCurrentContext.self, fetchCurrentContext)
    router.on(FetchOpenedContexts.self, fetchOpenedContexts)
    router.on(FetchJoinableContexts.self, fetchJoinableContexts)
  }

  func register(_ tables: inout Tables) {
    tables.resident(ContextListRow.self) {
      self.lists.load($0)
      self.pairs.load($0)
    }
    tables.resident(CurrentContextRow.self) { self.lists.load($0) }
    tables.resident(PairContextRow.self) { self.pairs.load($0) }
    tables.resident(ContextBlockRow.self) { self.pairs.load($0) }
    tables.resident(BlockedByRow.self) { self.blockers.load($0) }
    tables.resident(OpenedContextRow.self) { self.opened.load($0) }
    registerErasure(&tables)
  }

  /// The player's own lists go, and what others have between them and the player. Contexts on the
  /// lists of others show the stand-in, until they hear from the context.
  private func registerErasure(_ tables: inout Tables) {
    tables.erases(ContextListRow.self) { (row, erasure, transaction) in
      guard let known = self.lists.rows[row.key] else { return }
      self.lists.remove(row.key, &transaction)
      if let rest = erasure.rest(of: known) { self.lists.put(rest, &transaction) }
    }
    tables.erases(CurrentContextRow.self) { (row, _, transaction) in
      self.lists.removeCurrent(row.key, &transaction)
    }
    tables.erases(PairContextRow.self) { (row, _, transaction) in
      self.pairs.erase(row.key, &transaction)
    }
    tables.erases(ContextBlockRow.self) { (row, _, transaction) in
      self.pairs.erase(row.key, &transaction)
    }
    tables.erases(BlockedByRow.self) { (row, _, transaction) in
      self.blockers.remove(row.key, &transaction)
    }
    tables.goes(ContextBlockRow.self) { [$0.key.player, $0.key.other] }
    tables.goes(BlockedByRow.self) { [$0.key.player, $0.key.other] }
    tables.erases(OpenedContextRow.self) { (row, _, transaction) in
      self.opened.record(.isOver, row, &transaction)
    }
  }

  func loaded(_ transaction: inout Transaction) { lists.sort() }

  private func listContexts(
    _ operation: ListContexts, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> ListContexts.Reply {
    try checkPage(limit: operation.limit)
    let page = try Page(
      of: lists.places(of: owner(call)), PagedList(operation, call), after: operation.cursor,
      limit: operation.limit
    ) { $0 }
    var reply = ListContexts.Reply()
    reply.contexts = page.items.compactMap {
      lists.rows[ContextListKey(player: call.player, context: $0.id)]?.info
    }
    reply.cursor = page.cursor
    return reply
  }

  func checkPage(limit: UInt32) throws(Stop) {
    guard (1...ContextLimits.pageSizeMax).contains(Int(limit)) else {
      throw .invalidArgument("limit", "A page holds 1 to \(ContextLimits.pageSizeMax) contexts.")
    }
  }

  private func currentContext(
    _ operation: CurrentContext, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> CurrentContext.Reply {
    var reply = CurrentContext.Reply()
    reply.context = lists.current[owner(call)]?.context
    return reply
  }

  private func fetchCurrentContext(
    _ operation: FetchCurrentContext, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> FetchCurrentContext.Reply {
    var reply = FetchCurrentContext.Reply()
    reply.context = lists.current[PlayerInGame(operation.player, call)]?.context
    return reply
  }

  private func fetchOpenedContexts(
    _ operation: FetchOpenedContexts, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> FetchOpenedContexts.Reply {
    let owner = PlayerInGame(operation.player, call)
    var reply = opened.count(of: owner)
    reply.invitationsFullAt = lists.current[owner]?.invitationsFullAt ?? 0
    return reply
  }

  private func recordContext(
    _ operation: RecordContext, _ call: Call, _ transaction: inout Transaction
  ) {
    var row = ContextListRow()
    row.key.player = operation.player
    row.key.context = operation.info.context
    row.game = call.game
    row.info = operation.info
    row.take(operation)
    if operation.isMember, !declines(row, &transaction) {
      lists.put(row, &transaction)
      tellIfNotNew(row, &transaction)
    } else {
      lists.remove(row.key, &transaction)
      var hint = ContextLeft()
      hint.context = row.key.context
      transaction.hint(hint, to: operation.player, game: call.game)
    }
    recordCurrent(operation, row, &transaction)
    if operation.invitedCount > 0 {
      charge(row.owner, invitations: Int(operation.invitedCount), &transaction)
    }
    pairs.record(operation, call.game, &transaction)
    opened.record(
      operation.opening,
      OpenedContextRow(
        key: OpenedContextKey(player: operation.player, context: row.key.context),
        game: call.game, form: operation.info.form), &transaction)
  }

  private func recordCurrent(
    _ operation: RecordContext, _ row: ContextListRow, _ transaction: inout Transaction
  ) {
    var current = lists.current[row.owner] ?? CurrentContextRow()
    if operation.isEntered {
      guard operation.time >= current.enteredAt else { return }
      current.key = row.owner
      current.context = row.key.context
      current.enteredAt = operation.time
      lists.put(current, &transaction)
    } else if !operation.isMember && current.context == row.key.context {
      current.context = nil
      lists.put(current, &transaction)
    }
  }

  /// What was taken in several groups at once is owed.
  private func charge(
    _ owner: PlayerInGame, invitations count: Int, _ transaction: inout Transaction
  ) {
    var current = lists.current[owner] ?? CurrentContextRow()
    current.key = owner
    current.invitationsFullAt =
      SenderBudget(fullAt: current.invitationsFullAt)
      .taking(count, at: senderRate, now: transaction.now).fullAt
    lists.put(current, &transaction)
  }

  func owner(_ call: Call) -> PlayerInGame { PlayerInGame(call.player, call) }
}

extension PlayerInGame {
  init(_ player: PlayerID, _ call: Call) { self.init(player: player, game: call.game) }
}
