public import Wire

/// Sent by a player who was invited to a match: accepts, or says why not. The inviter is told. The
/// first answer counts; the same one again changes nothing. The reply has the answer that counts:
/// `unableToConnect` where the player has accepted and cannot be put together with the others. For
/// a running match `accepted` only means that a seat is asked for: a `MatchFound` follows, or a
/// `MatchInviteEnded` without context and ticket when there is none.
///
/// Errors, in this order: `invalidArgument` (answer) for one that is not the player's to give,
/// `notFound` (invite) when there is no such invitation to the caller or it is over, `conflict`
/// (answer) after another answer. Cost: a row, one effect; with the last answer, an effect or two
/// for each player.
public struct AnswerMatchInvite: Operation {
  public static let opcode = Opcode(.context, 0x81)
  public static var routing: Routing { .firstIdentifier }
  public static var needs: [FactNeed] {
    [.fact(FetchPlayer.self, at: .field("inviter")), .fact(FetchBlocks.self, at: .caller)]
  }
  public var inviter = PlayerID()
  public var invite = MatchInviteID()
  public var answer = MatchInviteAnswer()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("inviter", &inviter)
    visit.field("invite", &invite)
    visit.field("answer", &answer)
  }

  public var fault: Failure? {
    let own: [MatchInviteAnswer] = [
      .accepted, .declined, .failed, .incompatible, .unableToConnect,
    ]
    return own.contains(answer)
      ? nil : .unfit("answer", "A player does not answer \(answer).")
  }

  public struct Reply: Message {
    public var answer = MatchInviteAnswer()
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("answer", &answer)
    }
  }
}
