public import Wire

/// Sent by a player: returns the caller's own invitations that are not over, with the answers so
/// far.
///
/// Changes nothing; costs a look in memory for each.
public struct ListMatchInvites: Operation {
  public static let opcode = Opcode(.context, 0x84)
  public static var isReadOnly: Bool { true }
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {}

  public struct Reply: Message {
    /// The newest first.
    public var invites: [MatchInviteInfo] = []
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("invites", &invites)
    }
  }
}

/// An invitation to a match as its inviter sees it.
public struct MatchInviteInfo: Message, Hashable {
  public var invite = MatchInviteID()
  public var recipients: [MatchInviteRecipient] = []
  public var createdAt: Int64 = 0
  public var expiresAt: Int64 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("invite", &invite)
    visit.field("recipients", &recipients)
    visit.field("createdAt", &createdAt)
    visit.field("expiresAt", &expiresAt)
  }
}

public struct MatchInviteRecipient: Message, Hashable {
  public var player = PlayerID()
  public var answer = MatchInviteAnswer()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("answer", &answer)
  }
}
