import MusterKit
import Operations
import Wire

// A client whose player is erased.
extension SimulatedClient {
  /// The player asks for it. Whether it comes about, the client may learn from the answer, or when
  /// it greets next.
  func eraseMyself() {
    call(EraseMyself(confirmed: player)) { [self] result in
      guard case .success = result else { return }
      deployment.count(.playersErasedThemselves)
      perform(machine.signedOut(wasTold: false))
      learnErasure()
    }
  }

  /// The client was told that its player is no more. It signs up again by what it has, in vain.
  func learnErasure() {
    if !deployment.doomed.contains(player) {
      return deployment.fail("7.3 \(player) is told of its erasure, for which nobody has asked")
    }
    if hasLearned { return }
    hasLearned = true
    guard device == nil else { return vanish() }
    var operation = SignUp()
    (operation.attempt, operation.displayName) = (attempt, displayName)
    call(CallBook.Request(operation), within: Self.patience) { [self] result in
      switch result {
      case .success: deployment.fail("7.3 \(player) has signed up again, and was erased")
      case .failure(let error):
        if Self.refusals.contains(error.failure.code) {
          deployment.count(.signUpsRefusedToErased)
        }
      }
      vanish()
    }
  }

  /// How somebody is refused whose player is erased, or is about to be.
  private static let refusals: [FailureCode] = [
    .invalidCredential, .notReachable, .notAuthenticated, .alreadyExists,
  ]

  /// It is switched off for good.
  func vanish() {
    hasVanished = true
    disconnect()
  }

  /// What the service says before it closes a connection.
  func revoked(_ event: SessionRevoked) {
    guard event.reason == .erased else { return machine.revoked(canResume: event.canResume) }
    deployment.count(.erasuresToldAtOnce)
    perform(machine.revoked(event))
    learnErasure()
  }

  /// Whom of those who were erased completely the bytes name.
  func namedOfErased(_ bytes: [UInt8]) -> Set<PlayerID> {
    let erasures = deployment.ledger.erasures
    if erasures.completed.isEmpty { return [] }
    return erasures.completed.intersection(erasures.named(in: bytes))
  }

  /// Whether a refused sign-in means that the player is erased.
  func isErasure(_ failure: Failure) -> Bool {
    deployment.ledger.erasures[player] != nil
      && [.notAuthenticated, .invalidCredential].contains(failure.code)
  }
}
