/// How a key signs. It belongs to the key: what a token says of it is compared and never followed,
/// so that nobody can have a public key taken for a shared secret.
public enum SignatureAlgorithm: Hashable, Sendable {
  /// RSA with PKCS #1 v1.5 and SHA-256; keys of 2,048 to 8,192 bits.
  case rs256
  /// ECDSA with P-256 and SHA-256; signatures of 64 bytes.
  case es256

  /// As tokens and documents of keys have it (RFC 7518, section 3.1).
  public var name: String { self == .rs256 ? "RS256" : "ES256" }

  init?(name: String) {
    switch name {
    case "RS256": self = .rs256
    case "ES256": self = .es256
    default: return nil
    }
  }
}
