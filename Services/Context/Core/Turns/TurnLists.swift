import Domain
import Operations
import Wire

/// Each player's turn-based games that are under way: cold rows at the player's key, which effects
/// of the games bring up to date.
struct TurnLists: CorePart {
  func register(_ tables: inout Tables) { tables.cold(TurnListRow.self) }

  func register(_ router: inout Router) {
    router.on(ListTurnGames.self, list)
    router.on(RecordTurnGame.self, record)
  }

  private func record(
    _ operation: RecordTurnGame, _ call: Call, _ transaction: inout Transaction
  ) {
    var row = TurnListRow()
    row.key.player = operation.player
    row.key.game = call.game
    row.key.context = operation.context
    if operation.oldState != .none {
      row.key.state = operation.oldState
      row.key.since = operation.oldSince
      transaction.remove(TurnListRow.self, row.key)
    }
    guard operation.state != .none else { return }
    row.key.state = operation.state
    row.key.since = operation.since
    row.number = operation.number
    row.isInvited = operation.isInvited
    transaction.put(row)
  }

  private func list(
    _ operation: ListTurnGames, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> ListTurnGames.Reply {
    guard (1...TurnLimits.pageMax).contains(Int(operation.limit)) else {
      throw .invalidArgument("limit", "A page holds 1 to \(TurnLimits.pageMax) games.")
    }
    let cursors = PagedList(operation, call)
    let end: PageCursor<ContextKind>? = try cursors.end(ofPage: operation.cursor)
    var first = TurnListKey()
    first.player = call.player
    first.game = call.game
    let owner = first.player.keyBytes + first.game.keyBytes
    if let end { first.place = end }
    var through = owner
    if operation.filter == .waiting { through += TurnListState.waiting.keyBytes }
    let limit = Int(operation.limit)
    let range = ColdRange(
      table: TurnListRow.tableID, from: end == nil ? owner : first.keyBytes, through: through,
      limit: limit + 2)
    let rows = try transaction.rows(TurnListRow.self, in: range).filter { $0.key.place != end }
    var reply = ListTurnGames.Reply()
    reply.games = rows.prefix(limit).map(\.entry)
    if rows.count > limit { reply.cursor = cursors.text(rows[limit - 1].key.place) }
    return reply
  }
}

extension TurnListKey {
  /// The state and the time in one number, which has room for both until the year 10889.
  fileprivate var place: PageCursor<ContextKind> {
    get { PageCursor(time: Int64(state.rawValue) << 48 | since, id: context) }
    set {
      state = TurnListState(rawValue: UInt8(truncatingIfNeeded: newValue.time >> 48))
      since = newValue.time & (1 << 48 - 1)
      context = newValue.id
    }
  }
}

extension TurnListRow {
  fileprivate var entry: TurnListEntry {
    var entry = TurnListEntry()
    entry.context = key.context
    entry.number = number
    entry.isWaiting = key.state == .waiting
    entry.isInvited = isInvited
    entry.since = key.since
    return entry
  }
}
