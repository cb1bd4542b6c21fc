internal import MusterKit

/// Which received challenges' banners the player can still select: those that this start of the
/// game has shown, and those from before it.
@MainActor
struct SelectableBanners {
  private var shown = ChallengeBanners()
  /// The challenges of which this start of the game has heard: `shown` knows all about them.
  private var heard: Set<ChallengeID> = []
  private let suppressed: SuppressedBanners

  init(_ suppressed: SuppressedBanners) { self.suppressed = suppressed }

  /// Takes the next event of the player, and whether a banner is shown for it.
  mutating func hear(_ event: PlayerEvent, showsBanner: Bool = true) {
    let told = shown.heard(event) { _ in showsBanner }
    let ended =
      event.decode(ChallengeExpired.self)?.challenge
      ?? event.decode(ChallengeWithdrawn.self)?.challenge
    guard let challenge = told?.notice.challenge ?? ended else { return }
    heard.insert(challenge.id)
    if told?.notice.kind == .received && !showsBanner { suppressed.insert(challenge.id) }
  }

  /// Takes the selection of a banner. Returns false when it was suppressed or selected before, or
  /// when the challenge has ended.
  mutating func select(_ challenge: GKChallenge) -> Bool {
    let id = challenge.challenge.id
    if shown.selected(id) != nil { return true }
    let isOpen =
      challenge.state == .pending
      && challenge.challenge.receiver == GKLocalPlayer.local.identifier
    guard isOpen, !suppressed.contains(id) else { return false }
    return heard.insert(id).inserted
  }

  /// Forgets a challenge that the player has declined, or of which the game was told.
  mutating func forget(_ challenge: ChallengeID) {
    _ = shown.selected(challenge)
    heard.insert(challenge)
  }
}
