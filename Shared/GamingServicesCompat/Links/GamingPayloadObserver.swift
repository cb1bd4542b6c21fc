public import Foundation

/// Tells its delegate of deep links for as long as the observer lives. Links come in by
/// `GamingServices.open(_:)`, or by `ApplicationDelegate`.
@preconcurrency @MainActor
public class GamingPayloadObserver: NSObject {
  public weak var delegate: (any GamingPayloadDelegate)?

  public init(delegate: (any GamingPayloadDelegate)?) {
    self.delegate = delegate
    super.init()
    GamingServices.links.add(self)
  }

  func tell(_ payload: GamingPayload) {
    guard let delegate, let subject = payload.subjects.first else { return }
    // One for each observer, because a payload may be changed and is told on a queue of the game's.
    nonisolated(unsafe) let payload = GamingPayload(URL: payload.URL)
    GamingServices.tell {
      let payload = unsafe payload
      switch subject {
      case .gameRequest(let id):
        delegate.parsedGameRequestURLContaining(payload, gameRequestID: id)
      case .gamingContext: delegate.parsedGamingContextURLContaining(payload)
      case .tournament(let id):
        delegate.parsedTournamentURLContaining(payload, tournamentID: id)
      }
    }
  }
}
