import Domain
import Operations
import Wire

extension ContextCore {
  func listContexts(_ operation: ListContexts, _ call: Call, _ transaction: inout Transaction)
    throws(Stop) -> ListContexts.Reply
  {
    let limit = Int(operation.limit)
    guard (1...ContextLimits.pageSizeMax).contains(limit) else {
      throw .invalidArgument("limit", "A page holds 1 to \(ContextLimits.pageSizeMax) contexts.")
    }
    let start = try PageCursor<ContextKind>.end(ofPage: operation.cursor).map(ListPlace.init)
    // One more than asked for tells whether another page follows.
    let places = lists.page(of: owner(call), after: start, limit: limit + 1)
    var reply = ListContexts.Reply()
    for place in places.prefix(limit) {
      let key = ContextListKey(player: call.player, context: place.context)
      if let row = lists.rows[key] { reply.contexts.append(row.info) }
    }
    if places.count > limit, let last = places.prefix(limit).last { reply.cursor = last.cursor }
    return reply
  }

  func currentContext(_ operation: CurrentContext, _ call: Call, _ transaction: inout Transaction)
    throws(Stop) -> CurrentContext.Reply
  {
    var reply = CurrentContext.Reply()
    reply.context = lists.current[owner(call)]?.context
    return reply
  }

  func recordContext(_ operation: RecordContext, _ call: Call, _ transaction: inout Transaction) {
    var row = ContextListRow()
    row.key.player = operation.player
    row.key.context = operation.info.context
    row.game = call.game
    row.info = operation.info
    if operation.isMember {
      lists.put(row, &transaction)
    } else {
      lists.remove(row.key, &transaction)
    }
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

  private func owner(_ call: Call) -> PlayerInGame {
    PlayerInGame(player: call.player, game: call.game)
  }
}

extension ListPlace {
  var cursor: String { PageCursor(time: lastActiveAt, id: context).text }

  init(_ cursor: PageCursor<ContextKind>) {
    self.init(lastActiveAt: cursor.time, context: cursor.id)
  }
}
