public import Wire

public enum InviteTokenKind: IdentifierKind { public static let name = "InviteTokenID" }

public typealias InviteTokenID = Identifier<InviteTokenKind>

/// An invite token, as a game puts it into a link: whoever signs in with it first claims it, and
/// gets the requests that were sent to it.
///
/// The text form is that of the sender's id and then that of the token's own, which cannot be
/// guessed.
public struct InviteToken: Hashable, Sendable, LosslessStringConvertible {
  public var sender: PlayerID
  public var id: InviteTokenID

  public init(sender: PlayerID, id: InviteTokenID) { (self.sender, self.id) = (sender, id) }

  public init?(_ description: String) {
    let half = description.utf8.count / 2
    guard let sender = PlayerID(String(description.prefix(half))), !sender.isNil,
      let id = InviteTokenID(String(description.dropFirst(half)))
    else { return nil }
    self.init(sender: sender, id: id)
  }

  public var description: String { sender.description + id.description }
}
