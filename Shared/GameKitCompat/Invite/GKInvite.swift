internal import MusterKit

/// A friend's invitation to a match, which the local player has accepted.
@preconcurrency @MainActor
public final class GKInvite {
  let reference: MatchInviteReference
  /// Who invites; without a name where the profile could not be loaded.
  public let sender: GKPlayer
  /// The text that the sender has written; GameKit shows it itself.
  public let message: String?
  /// Whether the game is played on its own server. False where that is not known: at a start by a
  /// notification, and for a request that names its queue.
  public let isHosted: Bool
  /// The group of the sender's request; 0 where it is not known, as at a start by a notification.
  public let playerGroup: Int
  public let playerAttributes: UInt32

  /// The sender's id; the older form of `sender`.
  public var inviter: String { sender.playerID }

  init(_ reference: MatchInviteReference, _ invitation: MatchInvitation?, senderName: String) {
    self.reference = reference
    sender = GKPlayer(reference.inviter, displayName: senderName)
    message = invitation.flatMap { $0.message.isEmpty ? nil : $0.message }
    let (name, prefix) = (invitation?.playerGroup ?? "", GKMatchRequest.hostedPrefix)
    isHosted = name.hasPrefix(prefix)
    playerGroup = Int(isHosted ? String(name.dropFirst(prefix.count)) : name) ?? 0
    playerAttributes = invitation?.playerAttributes ?? 0
  }
}
