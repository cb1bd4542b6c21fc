/// Hears of the deep links that count; see `GamingPayload`. A link that comes before the player is
/// signed in is told once the player is.
///
/// It is called on `GamingServices.delegateQueue`, as the dialogs' delegates are.
@preconcurrency @MainActor
public protocol GamingPayloadDelegate: AnyObject {
  func parsedGameRequestURLContaining(_ payload: GamingPayload, gameRequestID: String)
  /// `GamingContext.current` is the link's context by now. Its size is 0 until it is loaded; if the
  /// player cannot enter it, `current` becomes again what it was before the link.
  func parsedGamingContextURLContaining(_ payload: GamingPayload)
  func parsedTournamentURLContaining(_ payload: GamingPayload, tournamentID: String)
}

/// A method that a delegate leaves out passes the link on, as what it is about besides.
extension GamingPayloadDelegate {
  public func parsedGameRequestURLContaining(_ payload: GamingPayload, gameRequestID: String) {
    guard case .gamingContext(let token)? = payload.subjects.dropFirst().first else {
      return tellTournament(of: payload)
    }
    if let client = GamingServices.client { DeepLinks.load(token, client) }
    parsedGamingContextURLContaining(payload)
  }

  public func parsedGamingContextURLContaining(_ payload: GamingPayload) {
    tellTournament(of: payload)
  }

  public func parsedTournamentURLContaining(_ payload: GamingPayload, tournamentID: String) {}

  private func tellTournament(of payload: GamingPayload) {
    guard case .tournament(let id)? = payload.subjects.last else { return }
    parsedTournamentURLContaining(payload, tournamentID: id)
  }
}
