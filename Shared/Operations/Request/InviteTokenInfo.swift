public import Wire

/// Whether an invite token can be claimed, and if not, why.
public struct InviteTokenState: OpenEnum {
  public var rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let open = Self(rawValue: 0)
  public static let claimed = Self(rawValue: 1)
  public static let revoked = Self(rawValue: 2)
  public static let expired = Self(rawValue: 3)

  public static let names = ["open", "claimed", "revoked", "expired"]
}

/// An invite token, as its sender sees it.
public struct InviteTokenInfo: Message, Hashable {
  /// What goes into a link, and into the `recipients` of a request.
  public var token = ""
  public var state = InviteTokenState()
  /// Milliseconds since 1970.
  public var created: Int64 = 0
  /// When it can be claimed no more; milliseconds since 1970.
  public var expires: Int64 = 0
  /// Who has claimed it; nil where nobody has.
  public var player = PlayerID()
  /// Requests that were sent to it.
  public var requestCount: UInt8 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("token", &token)
    visit.field("state", &state)
    visit.field("created", &created)
    visit.field("expires", &expires)
    visit.field("player", &player)
    visit.field("requestCount", &requestCount)
  }
}
