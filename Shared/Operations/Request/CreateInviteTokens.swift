public import Wire

/// Sent by a player: makes invite tokens of this game, for players whose ids are not known, such as
/// those who do not play yet. Each can be claimed once.
///
/// Errors: `invalidArgument` (count outside 1...`InviteTokenLimits.createdMax`); `limitReached`
/// (count: more than `InviteTokenLimits.openMax` tokens could be claimed then); `rateLimited`.
/// Cost: a row and a timer for each.
public struct CreateInviteTokens: Operation {
  public static let opcode = Opcode(.request, 0x36)
  public var count: UInt8 = 1
  public init() {}
  public init(count: UInt8) { self.count = count }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("count", &count)
  }

  public var fault: Failure? {
    if (1...InviteTokenLimits.createdMax).contains(Int(count)) { return nil }
    return Failure(
      .invalidArgument, argument: "count",
      "One call makes 1 to \(InviteTokenLimits.createdMax) tokens.")
  }

  public struct Reply: Message {
    public var tokens: [InviteTokenInfo] = []
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("tokens", &tokens)
    }
  }
}
