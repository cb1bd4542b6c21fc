public import Identity

/// The identity providers that the deployment has set up, by the names that clients use. There are
/// none unless the operator names them.
public struct IdentityProviders: Sendable {
  public enum Provider: Sendable {
    /// With keys where these are configured and not fetched.
    case token(TokenProvider, keys: Identity.KeySet?)
    case gameCenter(GameCenterProvider, CertificateTrust)
    case steam(SteamProvider)
  }

  let byName: [String: Provider]
  /// The bounds of how long a document of keys is fresh.
  let freshMilliseconds: ClosedRange<Int64>
  /// How many questions a minute go to each provider that has to be asked about each proof. A
  /// provider counts them, whoever made up the proof.
  let questionsPerMinute: Double

  public init(
    _ byName: [String: Provider] = [:],
    freshMilliseconds: ClosedRange<Int64> =
      KeyCache.freshMillisecondsMin...KeyCache.freshMillisecondsMax,
    questionsPerMinute: Int64 = 60
  ) {
    self.byName = byName
    self.freshMilliseconds = freshMilliseconds
    self.questionsPerMinute = Double(questionsPerMinute)
  }

  public var isEmpty: Bool { byName.isEmpty }

  /// True where a proof makes a call.
  public var hasQuestions: Bool {
    byName.values.contains { if case .steam = $0 { true } else { false } }
  }

  subscript(name: String) -> Provider? { byName[name] }

  /// Within which a provider's subjects are told apart; nil for a provider that is not set up.
  func subjectSpace(of name: String) -> String? {
    switch byName[name] {
    case .token(let provider, _): provider.name
    case .gameCenter(let provider, _): provider.name
    case .steam(let provider): provider.name
    case nil: nil
    }
  }

  /// True where proofs of the provider have a nonce.
  func usesNonce(_ name: String) -> Bool {
    guard case .token(let provider, _) = byName[name] else { return false }
    return provider.nonce != .notUsed
  }
}
