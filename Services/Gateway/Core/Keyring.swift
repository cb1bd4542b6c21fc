public import Wire

/// Everything that is derived from the deployment's one secret, each under a label of its own so
/// that no two derivations can be confused. All gateways that share the secret derive the same.
public struct Keyring: Sendable {
  /// HMAC-SHA-256 under the deployment's secret: thirty-two bytes.
  private let hash: @Sendable ([UInt8]) -> [UInt8]

  public init(hash: @escaping @Sendable ([UInt8]) -> [UInt8]) { self.hash = hash }

  // MARK: Credentials

  /// A sign-up attempt always gives the same player, so that a retry finds it again.
  public func player(of attempt: RoutingKey) -> PlayerID { identifier("player", attempt.bytes) }
  public func device(of attempt: RoutingKey) -> DeviceID { identifier("device", attempt.bytes) }
  public func secret(of attempt: RoutingKey) -> [UInt8] { derive("secret", attempt.bytes) }
  /// Returns the hash that is stored in place of a device's secret. The secret has 256 random bits,
  /// so a slow hash would add nothing.
  public func secretHash(_ secret: [UInt8]) -> [UInt8] { derive("secret-hash", secret) }
  /// Returns thirty-two bytes in the text form of two identifiers.
  public func gameServerCredential(game: String) -> String {
    let bytes = derive("game-server", Array(game.utf8))
    return stride(from: 0, to: bytes.count, by: 16)
      .compactMap { RoutingKey(bytes: Array(bytes[$0..<min($0 + 16, bytes.count)]))?.description }
      .joined()
  }

  // MARK: Routing keys

  /// The context of two players in a game: the same whoever asks, and not to be guessed.
  public func pair(game: String, _ one: PlayerID, _ other: PlayerID) -> RoutingKey {
    identifier("pair", min(one, other).bytes + max(one, other).bytes + Array(game.utf8))
  }

  /// A new key for one idempotent call, the same for its repetitions.
  public func fresh(_ key: IdempotencyKey) -> RoutingKey {
    var writer = Writer()
    writer.integer(key.instance)
    writer.integer(key.counter)
    return identifier("fresh", writer.bytes)
  }

  // MARK: Tokens

  public func seal(_ bytes: [UInt8]) -> [UInt8] { derive("token", bytes) }

  private func derive(_ label: String, _ bytes: [UInt8]) -> [UInt8] {
    hash(Array(label.utf8) + [0] + bytes)
  }

  private func identifier<K>(_ label: String, _ bytes: [UInt8]) -> Identifier<K> {
    Identifier(bytes: Array(derive(label, bytes).prefix(16))) ?? Identifier()
  }
}
