/// Which bounded queue was full where a call was refused with `backpressure`.
///
/// Each cause has a sentence of its own: it is the failure's text, and by it the cause is known
/// again at the other end of a link. Its name is the label that it is counted by.
public enum BackpressureCause: String, CaseIterable, Sendable {
  // In a service.
  case heldCalls, gatheredBytes, gatheredEffects, openEffects, heldAnswers, coldReads
  // In a leaderboard.
  case windowRebuild, unsortedHistory
  // In a gateway.
  case connectionCalls
  // At the calling end of a connection, in any process.
  case linkCalls, linkBytes, linkWaiting
  // In a client.
  case clientCalls, matchData

  public var text: String {
    switch self {
    case .heldCalls: "Too many calls wait until the changes before them are on the disk."
    case .gatheredBytes: "Too many changes wait for the disk."
    case .gatheredEffects: "The changes that wait for the disk have too many effects."
    case .openEffects: "Too many effects wait for another service."
    case .heldAnswers: "Too many answers wait for the disk."
    case .coldReads: "Too many calls wait behind one that reads from the disk."
    case .windowRebuild:
      "The window is being brought up to date after scores were removed or released."
    case .unsortedHistory: "The board changes faster than its history is sorted."
    case .connectionCalls: "Too many calls of this connection are open."
    case .linkCalls: "Too many calls to the other process are open."
    case .linkBytes: "The other process does not keep up with what is sent to it."
    case .linkWaiting: "Too much waits for a connection to the other process."
    case .clientCalls: "Too many calls wait for the server."
    case .matchData: "Too much data waits to be acknowledged."
    }
  }

  private static let byText = Dictionary(uniqueKeysWithValues: allCases.map { ($0.text, $0) })

  public init?(text: String) {
    guard let cause = Self.byText[text] else { return nil }
    self = cause
  }
}

extension Failure {
  /// A bounded queue is full.
  public static func backpressure(
    _ cause: BackpressureCause, argument: String = "", retryAfterMilliseconds: UInt32 = 0
  ) -> Failure {
    Failure(
      .backpressure, argument: argument, cause.text,
      retryAfterMilliseconds: retryAfterMilliseconds)
  }

  /// Which one it was; nil for another failure.
  public var backpressureCause: BackpressureCause? {
    code == .backpressure ? BackpressureCause(text: text) : nil
  }
}
