public import Foundation

/// What a participant has replied in an exchange.
@preconcurrency @MainActor
public final class GKTurnBasedExchangeReply {
  /// Who replies.
  public let recipient: GKTurnBasedParticipant
  public let data: Data?
  /// When this client has heard of it.
  public let replyDate = Date()
  /// Always nil: the texts of notifications are not carried.
  public var message: String? { nil }

  init(_ recipient: GKTurnBasedParticipant, _ data: Data) {
    (self.recipient, self.data) = (recipient, data)
  }
}
