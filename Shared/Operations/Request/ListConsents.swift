public import Wire

/// Sent by a player: returns with whom the caller has consents in this game, in the order of their
/// ids.
///
/// Errors: `invalidArgument` (limit outside 1...`ConsentLimits.pageMax`; cursor that is not of this
/// list). Cost: a look-up for each of the caller's friends, without a fact.
public struct ListConsents: Operation {
  public static let opcode = Opcode(.request, 0x28)
  public static var isReadOnly: Bool { true }
  /// Where the page begins: the last reply's cursor, or empty for the start.
  public var cursor = ""
  public var limit = UInt32(ConsentLimits.pageMax)
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("cursor", &cursor)
    visit.field("limit", &limit)
  }

  public var fault: Failure? {
    if (1...UInt32(ConsentLimits.pageMax)).contains(limit) { return nil }
    return Failure(
      .invalidArgument, argument: "limit", "A page holds 1 to \(ConsentLimits.pageMax) players.")
  }

  public struct Reply: Message {
    public var consents: [Consent] = []
    /// Where the next page begins; empty after the last one.
    public var cursor = ""
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("consents", &consents)
      visit.field("cursor", &cursor)
    }
  }
}

/// The consents between the list's owner and a friend: one of them at least is there.
public struct Consent: Message, Hashable {
  public var player = PlayerID()
  /// The owner lets the friend send without asking.
  public var isGiven = false
  /// The friend lets the owner send without asking.
  public var isHeld = false
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("isGiven", &isGiven)
    visit.field("isHeld", &isHeld)
  }
}
