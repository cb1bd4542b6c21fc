/// What the game itself has put into a link.
public struct GamingPayload: Equatable, Sendable {
  public let payload: String
}

/// Hears of the links by which the game was opened: one method for each link, when the player is
/// signed in.
@preconcurrency @MainActor
public protocol GamingPayloadDelegate: AnyObject {
  func parsedGameRequestURLContaining(_ payload: GamingPayload, gameRequestID: String)
  /// `GamingContext.current` is the link's context by now; its size is 0 until it was loaded.
  func parsedGamingContextURLContaining(_ payload: GamingPayload, gameContextTokenID: String)
  func parsedTournamentURLContaining(_ payload: GamingPayload, tournamentID: String)
}

extension GamingPayloadDelegate {
  public func parsedGameRequestURLContaining(_ payload: GamingPayload, gameRequestID: String) {}
  public func parsedGamingContextURLContaining(
    _ payload: GamingPayload, gameContextTokenID: String
  ) {}
  public func parsedTournamentURLContaining(_ payload: GamingPayload, tournamentID: String) {}
}
