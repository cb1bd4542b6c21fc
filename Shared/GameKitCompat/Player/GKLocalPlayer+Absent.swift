public import Foundation

#if canImport(UIKit)
  public import UIKit
#endif

// What GameKit has and Muster does not: a game that calls it is told when it is compiled.
extension GKLocalPlayer {
  @available(
    *, unavailable,
    message: "Muster signs no proofs of who a player is for other servers."
  )
  public func fetchItems(
    forIdentityVerificationSignature completionHandler:
      ((URL?, Data?, Data?, UInt64, (any Error)?) -> Void)?
  ) {}

  @available(
    *, unavailable,
    message: "Muster signs no proofs of who a player is for other servers."
  )
  public func generateIdentityVerificationSignature(
    completionHandler: ((URL?, Data?, Data?, UInt64, (any Error)?) -> Void)? = nil
  ) {}

  @available(*, unavailable, message: "Ask a player to be friends with MusterKit's inviteFriends.")
  public func presentFriendRequestCreator(from viewController: UIViewController) throws {}
}
