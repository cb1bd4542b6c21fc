import GatewayCore
import Identity
import Operations
import Wire

extension SimulatedGateway {
  /// One whose tokens the gateway itself verifies: here, by reading them.
  static let providers = IdentityProviders([
    SimulatedClient.provider: .token(
      TokenProvider(
        name: SimulatedClient.provider, issuers: ["people"], audiences: ["game"], nonce: .notUsed),
      keys: nil)
  ])

  /// What a proof says: the token is the subject, and a number.
  static func check(_ proof: IdentityProof, now: Int64) -> CheckedProof {
    let token = String(decoding: proof.token.array, as: UTF8.self)
    return CheckedProof(
      provider: proof.provider, subject: String(token.split(separator: " ").first ?? ""),
      mark: RoutingKey(game: "proof", name: token), until: now + proofMilliseconds)
  }

  /// As players' lists name it.
  static func identity(of subject: String) -> RoutingKey {
    var proof = IdentityProof()
    (proof.provider, proof.token) = (SimulatedClient.provider, Bytes(Array(subject.utf8)))
    return check(proof, now: 0).identity
  }

  /// For how long a proof is good.
  private static let proofMilliseconds: Int64 = 24 * 3_600_000
}
