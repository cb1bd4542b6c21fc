// What games have from UIKit. The view controller comes with GameKitCompat.

@_exported public import class GameKitCompat.UIViewController

/// Taps the player's hand on a phone.
@MainActor public final class UIImpactFeedbackGenerator {
  public nonisolated init() {}
  public nonisolated func impactOccurred() {}
}
