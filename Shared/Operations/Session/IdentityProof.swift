public import Wire

/// What a player has from an identity provider, to sign in with or to link.
///
/// A proof counts once: only the same `attempt` may use it again, for a call that is repeated, or
/// for the call that follows a conflict.
public struct IdentityProof: Message, Hashable {
  /// The name of the provider: `apple`, `google`, `facebook`, `gamecenter`, `steam`, or what the
  /// deployment calls its game's own back end. None is there unless the deployment names it.
  public var provider = ""
  /// A value that the client chooses at random for each proof, and tells nobody but the gateway.
  public var attempt = RoutingKey()
  /// What `FetchNonce` has returned for this attempt, where the provider's tokens have a nonce.
  public var nonce = ""
  /// The provider's token as text, at most 8 KiB; of Steam the ticket in hexadecimal digits.
  public var token = Bytes()
  /// Of Game Center, in place of a token.
  public var gameCenter: GameCenterSignature?
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("provider", &provider)
    visit.field("attempt", &attempt)
    visit.field("nonce", &nonce)
    visit.field("token", &token)
    visit.field("gameCenter", &gameCenter)
  }
}

/// What GameKit's `fetchItems(forIdentityVerificationSignature:)` gives a game.
public struct GameCenterSignature: Message, Hashable {
  /// The `teamPlayerID`; of Apple Arcade's games, the `gamePlayerID`.
  public var playerID = ""
  public var bundleID = ""
  /// Milliseconds since 1970.
  public var timestamp: UInt64 = 0
  public var salt = Bytes()
  public var signature = Bytes()
  /// Where the certificate of the key is that signed.
  public var certificateURL = ""
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("playerID", &playerID)
    visit.field("bundleID", &bundleID)
    visit.field("timestamp", &timestamp)
    visit.field("salt", &salt)
    visit.field("signature", &signature)
    visit.field("certificateURL", &certificateURL)
  }
}
