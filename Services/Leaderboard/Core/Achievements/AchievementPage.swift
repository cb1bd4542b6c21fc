import Domain
import Operations
import Wire

/// Part of a list that is never longer than what one game declares.
struct AchievementPage<Item> {
  var items: [Item] = []
  var cursor = ""

  /// - Parameter place: an item's place by which the list is sorted, upwards.
  init(
    _ list: [Item], _ cursor: String, _ limit: UInt32,
    place: (Item) -> PageCursor<RoutingKind>
  ) throws(Stop) {
    guard limit >= 1, limit <= AchievementLimits.pageMax else {
      throw .refuse(
        .invalidArgument, argument: "limit",
        "A page has 1 to \(AchievementLimits.pageMax) achievements.")
    }
    var start = 0
    if !cursor.isEmpty {
      guard let last = PageCursor<RoutingKind>(cursor) else {
        throw .refuse(.invalidArgument, argument: "cursor", "The cursor is not one of this list.")
      }
      start =
        list.firstIndex {
          let next = place($0)
          return (last.time, last.id) < (next.time, next.id)
        } ?? list.count
    }
    items = Array(list[start...].prefix(Int(limit)))
    if start + items.count < list.count, let last = items.last {
      self.cursor = place(last).text
    }
  }
}
