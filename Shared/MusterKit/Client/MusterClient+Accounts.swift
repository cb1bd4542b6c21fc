extension MusterClient {
  // MARK: Identities

  /// Begins an attempt with a provider whose tokens have a nonce: Apple, Google and Facebook.
  public nonisolated func beginIdentity() async throws(MusterError) -> IdentityAttempt {
    let number = RoutingKey.drawn
    return IdentityAttempt(
      number: number, nonce: try await call(FetchNonce(for: number)).nonce)
  }

  /// Returns a credential of the player whom an identity belongs to; the first time it makes the
  /// player. Nobody is signed in by it yet.
  ///
  /// - Parameters:
  ///   - proof: what the provider says, of an attempt.
  ///   - displayName: the name of a new player.
  ///   - deviceName: what the player's list of devices calls this one.
  /// - Throws: `invalidCredential`; `notFound` (provider, which the deployment has not set up);
  ///   `invalidArgument` (displayName, of a new player); `banned`; `unavailable`.
  public nonisolated func signUp(
    with proof: IdentityProof, displayName: String = "", deviceName: String = ""
  ) async throws(MusterError) -> IdentitySignIn {
    var operation = SignUpWithIdentity()
    operation.proof = proof
    (operation.displayName, operation.deviceName) = (displayName, deviceName)
    let reply = try await call(operation)
    return IdentitySignIn(
      credential: Credential(
        player: reply.player, device: reply.device, secret: reply.secret.array),
      isNew: reply.isNew)
  }

  /// Begins a session of the player whom an identity belongs to. Keep the credential: with it the
  /// client comes back when the session has expired, and the next start of the game needs no
  /// provider. Made again with the same proof, the call does no harm.
  @discardableResult
  public func signIn(
    with proof: IdentityProof, displayName: String = "", deviceName: String = ""
  ) async throws(MusterError) -> IdentitySignIn {
    let found = try await signUp(with: proof, displayName: displayName, deviceName: deviceName)
    try await signIn(found.credential)
    return found
  }

  /// Links an identity to this player, and returns what `unlink` takes.
  ///
  /// - Parameters:
  ///   - proof: what the provider says, of an attempt.
  ///   - player: from whom to take it; nil to take it from nobody.
  /// - Throws: `conflict`, with `identityConflict` where it is another player's. The game may ask
  ///   which player to go on with, and then use the same proof to sign in as the other one, or here
  ///   again with `movingFrom`.
  @discardableResult
  public nonisolated func link(_ proof: IdentityProof, movingFrom player: PlayerID? = nil)
    async throws(MusterError) -> RoutingKey
  {
    var operation = LinkIdentity()
    operation.proof = proof
    operation.movesFrom = player ?? PlayerID()
    return try await call(operation).identity
  }

  /// The identities that this player can sign in with.
  public nonisolated func identities() async throws(MusterError) -> [LinkedIdentity] {
    try await call(ListIdentities()).identities
  }

  /// - Throws: `conflict` when it is the last way to sign in.
  public nonisolated func unlink(_ identity: RoutingKey) async throws(MusterError) {
    var operation = UnlinkIdentity()
    operation.identity = identity
    _ = try await call(operation)
  }

  // MARK: Devices and sessions

  /// The devices that can sign in as this player, and the sessions that are kept.
  public nonisolated func sessions() async throws(MusterError) -> ListSessions.Reply {
    try await call(ListSessions())
  }

  /// Ends another session of this player.
  public nonisolated func end(session: UInt64) async throws(MusterError) {
    _ = try await call(EndSession(session: session))
  }

  /// Takes the credential from another device of this player, and ends its sessions.
  public nonisolated func remove(device: DeviceID) async throws(MusterError) {
    _ = try await call(EndSession(device: device))
  }

  /// Takes their credentials from all other devices of this player, and ends all other sessions.
  @discardableResult
  public nonisolated func signOutEverywhereElse()
    async throws(MusterError) -> SignOutEverywhere.Reply
  {
    try await call(SignOutEverywhere())
  }
}

extension MusterError {
  /// Whose an identity is that could not be linked.
  public var identityConflict: IdentityConflict? {
    guard code == .conflict, argument == "proof" else { return nil }
    return try? IdentityConflict(decoding: detail)
  }

  /// Until when, and why, the player cannot sign in; nil where the server does not say.
  public var ban: Ban? { code == .banned && !detail.isEmpty ? try? Ban(decoding: detail) : nil }
}
