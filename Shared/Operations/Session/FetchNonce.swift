public import Wire

/// Returns a nonce that the game hands to an identity provider, which puts it into its token. With
/// Apple the game hands on its SHA-256 in lowercase hexadecimal digits. Anyone may call it, also
/// before sign-in. It changes nothing: the nonce itself says until when and for which attempt it
/// is good, so that any gateway takes it.
///
/// Errors: `invalidArgument` (challenge). Cost: one hash at the gateway.
public struct FetchNonce: Operation {
  public static let opcode = Opcode(.gateway, 0x0A)
  public static var access: Access { [.anonymous, .player] }
  public static var isReadOnly: Bool { true }
  /// The SHA-256 of the sixteen bytes of the proof's `attempt`. Whoever reads the nonce in a token
  /// still lacks the attempt, without which the token is of no use.
  public var challenge = Bytes()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("challenge", &challenge)
  }

  public struct Reply: Message {
    /// Hexadecimal digits.
    public var nonce = ""
    public var expiresInSeconds: UInt32 = 0
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("nonce", &nonce)
      visit.field("expiresInSeconds", &expiresInSeconds)
    }
  }
}

extension FetchNonce {
  /// - Parameter attempt: that of the proof.
  public init(for attempt: RoutingKey) { challenge = Self.challenge(of: attempt) }

  public static func challenge(of attempt: RoutingKey) -> Bytes {
    var hash = SHA256()
    for byte in attempt.bytes { hash.add(byte) }
    let words = hash.finish()
    var writer = Writer(capacity: 32)
    for place in words.indices { writer.integer(words[place]) }
    return Bytes(writer.bytes)
  }
}
