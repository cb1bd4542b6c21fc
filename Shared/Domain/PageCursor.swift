public import Wire

/// Where a page of a list ended. All lists have this one shape of cursor: a time and, among equal
/// times, an identifier, so that the place stays when others come and go.
public struct PageCursor<Kind: IdentifierKind>: Hashable, Comparable, Sendable {
  public var time: Int64
  public var id: Identifier<Kind>

  public init(time: Int64, id: Identifier<Kind>) {
    self.time = time
    self.id = id
  }

  /// What clients get and send back; opaque to them.
  ///
  /// The time in the text form of identifiers, then the identifier.
  public var text: String {
    RoutingKey(high: 0, low: UInt64(bitPattern: time)).description + id.description
  }

  /// Nil for a text that is not one of ours.
  public init?(_ text: String) {
    let half = text.utf8.count / 2
    guard let time = RoutingKey(String(text.prefix(half))), time.high == 0,
      let id = Identifier<Kind>(String(text.dropFirst(half)))
    else { return nil }
    self.init(time: Int64(bitPattern: time.low), id: id)
  }

  public static func < (left: Self, right: Self) -> Bool {
    (left.time, left.id) < (right.time, right.id)
  }

  /// Reads where the page before ended, from the text in a call for the next page. Nil for the
  /// empty text, which asks for the first page.
  public static func end(ofPage text: String) throws(Stop) -> Self? {
    if text.isEmpty { return nil }
    guard let end = Self(text) else {
      throw .invalidArgument("cursor", "The cursor is not one of this list.")
    }
    return end
  }
}
