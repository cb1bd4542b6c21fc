/// Tells its delegate of deep links for as long as the observer lives. Links come in by
/// `GamingServices.open(_:)`.
@preconcurrency @MainActor
public final class GamingPayloadObserver {
  public weak var delegate: (any GamingPayloadDelegate)?

  public init(delegate: (any GamingPayloadDelegate)?) {
    self.delegate = delegate
    GamingServices.links.add(self)
  }

  func tell(_ payload: GamingPayload) {
    switch payload.subject {
    case .gameRequest(let id):
      delegate?.parsedGameRequestURLContaining(payload, gameRequestID: id)
    case .gamingContext: delegate?.parsedGamingContextURLContaining(payload)
    case .tournament(let id): delegate?.parsedTournamentURLContaining(payload, tournamentID: id)
    }
  }
}
