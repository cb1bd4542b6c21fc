#if canImport(UIKit)
  public import UIKit
#endif

/// Gets the composer, whether the player has challenged anybody, and whom; nil for nobody.
public typealias GKChallengeComposeHandler =
  @MainActor (UIViewController, Bool, [GKPlayer]?) -> Void

/// The same with the players' ids, as older games have it.
public typealias GKChallengeComposeCompletionBlock =
  @MainActor (UIViewController, Bool, [String]?)
  -> Void
