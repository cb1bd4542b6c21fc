import Domain
import MusterKit
import Operations
import Wire

// Identities: a provider vouches for whoever names a subject.
extension SimulatedClient {
  static let provider = "people"

  /// A proof that no other is like.
  func proof(of subject: String) -> IdentityProof {
    var proof = IdentityProof()
    proof.provider = Self.provider
    proof.attempt = RoutingKey(high: schedule.random.next(), low: schedule.random.next())
    proof.token = Bytes(Array("\(subject) \(schedule.random.next())".utf8))
    return proof
  }

  /// Gets a credential, and does not sign in with it.
  func signUpAlone(
    with subject: String, _ done: @escaping (Result<SignUpWithIdentity.Reply, Failure>) -> Void
  ) {
    connect()
    var operation = SignUpWithIdentity()
    operation.proof = proof(of: subject)
    operation.displayName = displayName
    call(CallBook.Request(operation), within: Self.patience) { result in
      switch result {
      case .failure(let error): done(.failure(error.failure))
      case .success(let body):
        done(.success((try? SignUpWithIdentity.Reply(decoding: body)) ?? .init()))
      }
    }
  }

  func disconnectForGood() {
    device = LaterDevice()
    device?.isAway = true
    disconnect()
  }

  /// Gets a credential for this device by an identity of the player's.
  func signUp(with subject: String) {
    var operation = SignUpWithIdentity()
    operation.proof = proof(of: subject)
    // Of somebody new, where the player was erased meanwhile: what says the old name is left over.
    operation.displayName = "Newcomer"
    call(CallBook.Request(operation), within: Self.patience) { [self] result in
      // The identity of an erased player is anybody's.
      if deployment.doomed.contains(player) { return vanish() }
      guard case .success(let body) = result,
        let reply = try? SignUpWithIdentity.Reply(decoding: body), reply.player == player
      else { return deployment.fail("\(player) was refused a second device: \(result)") }
      deployment.count(.devicesAdded)
      credential = Credential(
        player: reply.player, device: reply.device, secret: reply.secret.array)
      signIn()
    }
  }
}
