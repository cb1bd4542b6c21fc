public import Wire

/// Where a page of a list ended. All lists have this one shape of cursor: a time and, among equal
/// times, an identifier, so that the place stays when others come and go.
public struct PageCursor<Kind: IdentifierKind>: Hashable, Comparable, Sendable {
  public var time: Int64
  public var id: Identifier<Kind>

  @inlinable
  public init(time: Int64, id: Identifier<Kind>) {
    self.time = time
    self.id = id
  }

  @inlinable
  public static func < (left: Self, right: Self) -> Bool {
    (left.time, left.id) < (right.time, right.id)
  }
}

/// Tells lists apart: an operation's, for one caller, at one key, in one game.
public struct PagedList: Sendable {
  /// A hash of what tells the list apart. It guards callers against their own mistakes; whoever
  /// makes one up still reads nobody's list but their own.
  private let mark: UInt64

  public init<O: Operation>(_ operation: O, _ call: Call) {
    var writer = Writer()
    O.opcode.rawValue.encode(to: &writer)
    call.player.encode(to: &writer)
    call.key.encode(to: &writer)
    call.game.encode(to: &writer)
    mark = unsafe FNVHash(writer.bytes.span.bytes).value
  }

  /// What clients get and send back; opaque to them.
  ///
  /// The list's mark and the time, together in the text form of identifiers, then the identifier.
  public func text<Kind>(_ end: PageCursor<Kind>) -> String {
    RoutingKey(high: mark, low: UInt64(bitPattern: end.time)).description + end.id.description
  }

  /// Reads where the page before ended, from the text in a call for the next page. Nil for the
  /// empty text, which asks for the first page. The text of another list is refused.
  public func end<Kind>(ofPage text: String) throws(Stop) -> PageCursor<Kind>? {
    if text.isEmpty { return nil }
    let half = text.utf8.count / 2
    guard let front = RoutingKey(String(text.prefix(half))), front.high == mark,
      let id = Identifier<Kind>(String(text.dropFirst(half)))
    else {
      throw .invalidArgument(
        "cursor", "The cursor is not one of this list: begin again with the first page.")
    }
    return PageCursor(time: Int64(bitPattern: front.low), id: id)
  }
}
