public import Wire

/// Sent by a player, right after the sign-in: claims an invite token of this game, of which the
/// player has a link. The first to do so gets the requests that were sent to it, without being a
/// friend of their sender, who is told by `InviteTokenClaimed`.
///
/// Errors: `invalidArgument` (sender: the caller's own token); `notFound` (token: unknown, of
/// another game, ended long ago, or one of the two blocks the other; not told apart);
/// `alreadyExists` (token: another has claimed it; whoever has claimed it and asks again gets the
/// same reply); `conflict` (token: its sender has revoked it); `notOpen` (token: it has expired).
/// Cost: a fact from the caller's own key; two rows and an event, and an effect for each request.
public struct ClaimInviteToken: Operation {
  public static let opcode = Opcode(.request, 0x39)
  public static var routing: Routing { .firstIdentifier }
  public static var needs: [FactNeed] { [.fact(FetchBlocks.self, at: .caller)] }
  /// Of the token's text, the first half: who has made it.
  public var sender = PlayerID()
  /// The second half.
  public var token = InviteTokenID()
  public init() {}
  public init(_ token: InviteToken) { (sender, self.token) = (token.sender, token.id) }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("sender", &sender)
    visit.field("token", &token)
  }

  public struct Reply: Message {
    /// The name of the sender, whom the player may want to invite as a friend.
    public var displayName = ""
    /// Requests that come to the player's list now.
    public var requestCount: UInt8 = 0
    public var sender = PlayerID()
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("displayName", &displayName)
      visit.field("requestCount", &requestCount)
      visit.field("sender", &sender)
    }
  }
}
