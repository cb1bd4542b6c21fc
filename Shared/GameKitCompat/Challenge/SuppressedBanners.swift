internal import Foundation
internal import MusterKit

/// The received challenges whose banners the game has suppressed, also before it was started anew:
/// nobody has seen these banners, so none can be selected.
@MainActor
final class SuppressedBanners {
  /// The most that are kept; the oldest make room. A player has no more open challenges on a board.
  static let keptMax = 100
  private static let key = "MusterSuppressedChallengeBanners"

  private let defaults: UserDefaults?
  private var kept: [String]

  /// - Parameter defaults: where they are kept from one start of the game to the next; nil keeps
  ///   them for this one alone.
  init(_ defaults: UserDefaults?) {
    self.defaults = defaults
    kept = defaults?.stringArray(forKey: Self.key) ?? []
  }

  func isKept(in defaults: UserDefaults) -> Bool { self.defaults === defaults }

  func contains(_ challenge: ChallengeID) -> Bool { kept.contains(challenge.description) }

  func insert(_ challenge: ChallengeID) {
    if contains(challenge) { return }
    kept.append(challenge.description)
    if kept.count > Self.keptMax { kept.removeFirst() }
    defaults?.set(kept, forKey: Self.key)
  }
}
