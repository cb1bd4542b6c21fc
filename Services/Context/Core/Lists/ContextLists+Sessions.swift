import Domain
import Operations
import Wire

/// Whoever was invited before the first session in a game counts as new in those contexts, until
/// they are told.
extension ContextLists {
  /// Contexts that one step tells.
  private static let toldPerStep = 64

  func recordFirstSession(
    _ operation: RecordFirstSession, _ call: Call, _ transaction: inout Transaction
  ) {
    let owner = PlayerInGame(operation.player, call)
    var row = lists.current[owner] ?? CurrentContextRow()
    row.key = owner
    row.hasSession = true
    lists.put(row, &transaction)
    tell(owner, after: nil, &transaction)
  }

  func tellFirstSession(
    _ operation: TellFirstSession, _ call: Call, _ transaction: inout Transaction
  ) {
    tell(
      PlayerInGame(operation.player, call),
      after: PageCursor(time: operation.time, id: operation.context), &transaction)
  }

  /// A context that the player was invited to while the news of the first session was under way.
  func tellIfNotNew(_ row: ContextListRow, _ transaction: inout Transaction) {
    let isNew = row.info.players.contains { $0.player == row.key.player && $0.isNew }
    if isNew && lists.current[row.owner]?.hasSession == true { note(row, &transaction) }
  }

  private func tell(
    _ owner: PlayerInGame, after end: PageCursor<ContextKind>?, _ transaction: inout Transaction
  ) {
    let places = lists.places(of: owner)
    let start = end.map { end in places.sortedCount { $0 <= end } } ?? 0
    let step = places[start...].prefix(Self.toldPerStep)
    for place in step {
      let key = ContextListKey(player: owner.player, context: place.id)
      if let row = lists.rows[key] { tellIfNotNew(row, &transaction) }
    }
    guard start + step.count < places.count, let last = step.last else { return }
    var operation = TellFirstSession()
    operation.player = owner.player
    (operation.time, operation.context) = (last.time, last.id)
    transaction.setTimer(
      operation, on: owner.player, item: RoutingKey(game: owner.game), at: transaction.now,
      game: owner.game)
  }

  private func note(_ row: ContextListRow, _ transaction: inout Transaction) {
    var operation = NoteAppUser()
    operation.context = row.key.context
    operation.player = row.key.player
    transaction.effect(operation, on: row.key.context, game: row.game)
  }
}
