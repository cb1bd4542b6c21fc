public import Wire

/// Returns a credential for this device of the player whom an identity belongs to. An identity that
/// belongs to nobody makes a new player first. `SignIn` with the credential then begins a session.
///
/// The gateway verifies the proof; on the way no other server is called unless the provider's keys
/// are not known, or its proofs are verified by a call (Steam).
///
/// Errors: `alreadyExists` (the connection has a session), `rateLimited` per address,
/// `requiredArgument` (attempt), `notFound` (provider, which this deployment has not set up),
/// `invalidCredential` (the proof is not right, or was used in another attempt; why is not told),
/// `unavailable` (the provider cannot be reached, or the identity is of a player who is being
/// erased), `invalidArgument` (displayName, of a new player,
/// see `ProfileRules`; deviceName), `rateLimited` (`AccountLimits.proofsMax` proofs of the identity
/// are valid still), `banned` (in the whole deployment), `limitReached` (all of the player's
/// `AccountLimits.devicesMax` devices are connected). Cost: verifying a signature, then two calls
/// to the request service with three rows.
public struct SignUpWithIdentity: Operation {
  public static let opcode = Opcode(.gateway, 0x0B)
  public static var access: Access { .anonymous }
  public static var isReadOnly: Bool { true }
  public var proof = IdentityProof()
  /// The name of the player if it is a new one.
  public var displayName = ""
  /// What the player's list of devices calls this one; may be empty.
  public var deviceName = ""
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("proof", &proof)
    visit.field("displayName", &displayName)
    visit.field("deviceName", &deviceName)
  }

  /// What the client must keep to sign in.
  public struct Reply: Message {
    public var player = PlayerID()
    public var device = DeviceID()
    /// The device's secret, 32 bytes.
    public var secret = Bytes()
    /// True when the player was made by this call, or by an earlier one with the same proof.
    public var isNew = false
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("player", &player)
      visit.field("device", &device)
      visit.field("secret", &secret)
      visit.field("isNew", &isNew)
    }
  }
}
