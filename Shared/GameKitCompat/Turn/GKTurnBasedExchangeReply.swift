public import Foundation

/// What a participant has replied in an exchange.
@preconcurrency @MainActor
public final class GKTurnBasedExchangeReply {
  /// Who replies.
  public let recipient: GKTurnBasedParticipant
  public let data: Data?
  /// When this client has first heard of it: the server does not tell when it was.
  public let replyDate: Date
  /// Always nil: the texts of notifications are not carried.
  public var message: String? { nil }

  init(_ recipient: GKTurnBasedParticipant, _ data: Data, _ replyDate: Date) {
    (self.recipient, self.data, self.replyDate) = (recipient, data, replyDate)
  }
}
