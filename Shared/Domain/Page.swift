/// A page of a list that is in memory, in the order of its items' places.
public struct Page<Item> {
  public let items: [Item]
  /// Where the next page begins; empty after the last one.
  public let cursor: String

  /// - Parameters:
  ///   - id: what tells the list from others, whose cursors are refused.
  ///   - cursor: as the page before gave it; empty for the first page.
  ///   - place: of an item; places go up from item to item.
  public init<Kind>(
    of list: [Item], _ id: PagedList, after cursor: String, limit: UInt32,
    place: (Item) -> PageCursor<Kind>
  ) throws(Stop) {
    let end: PageCursor<Kind>? = try id.end(ofPage: cursor)
    let start = end.map { end in list.sortedCount { place($0) <= end } } ?? 0
    items = Array(list[start...].prefix(Int(limit)))
    let isLast = start + items.count == list.count
    self.cursor = isLast ? "" : items.last.map { id.text(place($0)) } ?? ""
  }
}
