public import Wire

/// Which games a list has.
public struct TurnListFilter: OpenEnum {
  public var rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Those that wait for the caller: the turn, a move for the round, or an answer.
  public static let waiting = Self(rawValue: 0)
  public static let all = Self(rawValue: 1)

  public static let names = ["waiting", "all"]
}

/// One game in a player's list.
public struct TurnListEntry: Message, Hashable {
  public var context = ContextID()
  public var number: UInt32 = 0
  public var isWaiting = false
  /// Whether the caller has not answered yet.
  public var isInvited = false
  /// Since when it is so, in milliseconds since 1970.
  public var since: Int64 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("number", &number)
    visit.field("isWaiting", &isWaiting)
    visit.field("isInvited", &isInvited)
    visit.field("since", &since)
  }
}
