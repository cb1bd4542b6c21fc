public import Wire

/// Sent by a player: returns the caller's invite tokens of this game that are remembered, the
/// newest first.
///
/// Errors: none of its own. Cost: a look at each; there are at most `InviteTokenLimits.keptMax`.
public struct ListInviteTokens: Operation {
  public static let opcode = Opcode(.request, 0x37)
  public static var isReadOnly: Bool { true }
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {}

  public struct Reply: Message {
    public var tokens: [InviteTokenInfo] = []
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("tokens", &tokens)
    }
  }
}
