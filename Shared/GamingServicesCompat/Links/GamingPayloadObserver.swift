public import Foundation
internal import MusterKit

/// Takes the links by which the game is opened, and tells the delegate what they are about.
@preconcurrency @MainActor
public final class GamingPayloadObserver {
  /// Links that wait until a player is signed in. More come only by mistake, or from whoever floods
  /// the game with them.
  private static let waitingMax = 8

  public weak var delegate: (any GamingPayloadDelegate)?
  private var waiting: [GamingLink] = []
  private var waiter: Task<Void, Never>?

  public init(delegate: (any GamingPayloadDelegate)?) { self.delegate = delegate }

  deinit { waiter?.cancel() }

  /// Call this when the game is opened by a URL, also before the player is signed in: the link then
  /// waits for that.
  ///
  /// - Returns: false for a URL that is no link of ours, which another part of the game may take,
  ///   and while many links wait.
  @discardableResult
  public func open(_ url: URL) -> Bool {
    guard let link = GamingLink(url), waiting.count < Self.waitingMax else { return false }
    waiting.append(link)
    if GamingServices.client?.session?.player != nil {
      deliver()
    } else if waiter == nil {
      waiter = Task { [weak self] in
        if await GamingServices.isSignedIn() { self?.deliver() }
      }
    }
    return true
  }

  /// Links that came first are told first.
  private func deliver() {
    waiter?.cancel()
    waiter = nil
    let links = waiting
    waiting = []
    for link in links { deliver(link) }
  }

  private func deliver(_ link: GamingLink) {
    let payload = GamingPayload(payload: link.payload)
    switch link.target {
    case .gameRequest(let id):
      delegate?.parsedGameRequestURLContaining(payload, gameRequestID: id)
    case .context(let token):
      LinkedContext.load(token)
      delegate?.parsedGamingContextURLContaining(payload, gameContextTokenID: token)
    case .tournament(let id):
      delegate?.parsedTournamentURLContaining(payload, tournamentID: id)
    }
  }
}
