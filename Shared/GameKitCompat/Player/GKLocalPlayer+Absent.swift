public import Foundation

// What GameKit has and Muster does not: a game that calls it is told when it is compiled.
extension GKLocalPlayer {
  @available(
    *, unavailable,
    message: "Muster signs no proofs for other servers: a game's own server asks the gateway."
  )
  public func fetchItems(
    forIdentityVerificationSignature completionHandler:
      ((URL?, Data?, Data?, UInt64, (any Error)?) -> Void)?
  ) {}

  @available(
    *, unavailable,
    message: "Muster signs no proofs for other servers: a game's own server asks the gateway."
  )
  public func generateIdentityVerificationSignature(
    completionHandler: ((URL?, Data?, Data?, UInt64, (any Error)?) -> Void)? = nil
  ) {}

  @available(*, unavailable, message: "Ask a player to be friends with MusterKit's inviteFriends.")
  public func presentFriendRequestCreator(from viewController: UIViewController) throws {}
}
