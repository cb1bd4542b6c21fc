internal import MusterKit

/// How a player has answered the local player's invitation.
public enum GKInviteRecipientResponse: Int, Sendable {
  case accepted = 0
  case declined = 1
  case failed = 2
  case incompatible = 3
  case unableToConnect = 4
  case noAnswer = 5

  // The older spellings.
  public static var inviteeResponseAccepted: Self { .accepted }
  public static var inviteeResponseDeclined: Self { .declined }
  public static var inviteeResponseFailed: Self { .failed }
  public static var inviteeResponseIncompatible: Self { .incompatible }
  public static var inviteeResponseUnableToConnect: Self { .unableToConnect }
  public static var inviteeResponseNoAnswer: Self { .noAnswer }

  /// Nil for an answer that this version does not know, and for none yet.
  init?(_ answer: MatchInviteAnswer) {
    switch answer {
    case .accepted: self = .accepted
    case .declined: self = .declined
    case .failed: self = .failed
    case .incompatible: self = .incompatible
    case .unableToConnect: self = .unableToConnect
    case .noAnswer: self = .noAnswer
    default: return nil
    }
  }
}

public typealias GKInviteeResponse = GKInviteRecipientResponse
