import Domain
import Operations
import Wire

/// Each player's list of contexts, and the one that the player is in: copies that effects of the
/// contexts bring up to date.
final class ContextLists: CorePart {
  private var lists = PlayerContexts()

  func register(_ router: inout Router) {
    router.on(ListContexts.self, listContexts)
    router.on(CurrentContext.self, currentContext)
    router.on(RecordContext.self, recordContext)
  }

  func register(_ tables: inout Tables) {
    tables.resident(ContextListRow.self) { self.lists.load($0) }
    tables.resident(CurrentContextRow.self) { self.lists.load($0) }
  }

  func loaded(_ transaction: inout Transaction) { lists.sort() }

  private func listContexts(
    _ operation: ListContexts, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> ListContexts.Reply {
    guard (1...ContextLimits.pageSizeMax).contains(Int(operation.limit)) else {
      throw .invalidArgument("limit", "A page holds 1 to \(ContextLimits.pageSizeMax) contexts.")
    }
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

  private func currentContext(
    _ operation: CurrentContext, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> CurrentContext.Reply {
    var reply = CurrentContext.Reply()
    reply.context = lists.current[owner(call)]?.context
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
