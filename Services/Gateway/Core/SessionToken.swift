import Domain
public import Wire

/// What a session token says. Any gateway with the deployment's secret can check it without asking
/// another process.
public struct SessionClaims: Message {
  public var game = ""
  public var player = PlayerID()
  public var device = DeviceID()
  public var instance: UInt64 = 0
  /// Milliseconds since 1970.
  public var expiresAt: Int64 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("game", &game)
    visit.field("player", &player)
    visit.field("device", &device)
    visit.field("instance", &instance)
    visit.field("expiresAt", &expiresAt)
  }
}

/// A token is its claims' bytes, sealed by the gateway.
public enum SessionToken {
  /// As long as a setting may have it, in milliseconds, with what clocks may differ by.
  static let lifetimeMax =
    Int64(NumberSetting.sessionTokenLifetime.bounds.upperBound) * 1000
    + GatewayLimits.clockDifferenceMax

  public static func issue(_ claims: SessionClaims, _ keyring: Keyring) -> Bytes {
    Bytes(keyring.sealed(claims.encoded))
  }

  /// Returns the claims of a token; throws when it is not genuine or has expired. One that is good
  /// for longer than any is issued for came from a gateway whose clock was ahead. It counts as
  /// expired: it would else stay good until that time.
  ///
  /// - Parameter equals: compares in a time that does not depend on where the bytes differ.
  public static func open(
    _ token: Bytes, _ keyring: Keyring, now: Int64, equals: ([UInt8], [UInt8]) -> Bool
  ) throws(Failure) -> SessionClaims {
    guard let bytes = keyring.unsealed(token.array, equals: equals),
      let claims = try? SessionClaims(decoding: bytes)
    else {
      throw Failure(.invalidCredential, argument: "token", "The session token is not genuine.")
    }
    guard claims.expiresAt > now, claims.expiresAt - now <= lifetimeMax else {
      throw Failure(.sessionExpired, argument: "token", "The session token has expired.")
    }
    return claims
  }
}
