/// A list that a dialog shows, read page by page as the player scrolls.
@preconcurrency @MainActor
public final class DialogPages<Item: Sendable> {
  private let load: () async throws -> [Item]?
  private var isAtEnd = false

  /// - Parameter load: reads the next page; nil after the last one. A page may be empty although
  ///   others follow.
  public init(_ load: @escaping () async throws -> [Item]?) { self.load = load }

  /// A list that is known.
  public convenience init(_ items: [Item]) {
    var rest: [Item]? = items
    self.init {
      defer { rest = nil }
      return rest
    }
  }

  /// Returns the next items; none after the last page.
  public func next() async throws -> [Item] {
    while !isAtEnd {
      guard let page = try await load() else {
        isAtEnd = true
        break
      }
      if !page.isEmpty { return page }
    }
    return []
  }

  /// The items in another form.
  public func map<Other: Sendable>(_ form: @escaping @MainActor (Item) -> Other)
    -> DialogPages<Other>
  {
    DialogPages<Other> {
      let items = try await self.next()
      return items.isEmpty ? nil : items.map { form($0) }
    }
  }
}
