extension MusterClient {
  /// Makes a new player with a credential for this device. Keep the credential: the server cannot
  /// return it a second time.
  ///
  /// - Parameters:
  ///   - displayName: the name that others see.
  ///   - deviceName: what the player's list of devices calls this one.
  public nonisolated func signUp(displayName: String, deviceName: String = "")
    async throws(MusterError) -> Credential
  {
    var operation = SignUp()
    // Nobody is signed in, so there is no idempotency key. Instead the server makes one player for
    // one attempt number, so that a repetition after a lost answer is harmless.
    operation.attempt = .drawn
    (operation.displayName, operation.deviceName) = (displayName, deviceName)
    let reply = try await call(operation)
    return Credential(player: reply.player, device: reply.device, secret: reply.secret.array)
  }

  /// Begins a session of a player. From then on the client keeps the session: after a lost
  /// connection it resumes it, and when it has expired it begins a new one with the credential.
  ///
  /// - Throws: `invalidCredential`; `notFound` when no operator has declared the game;
  ///   `alreadyExists` when somebody is signed in already (sign out first); `deadlineExceeded` when
  ///   the server could not be reached, or began no session, in time; `storageFull` and others that
  ///   pass, when the server refused every attempt until then.
  @discardableResult
  public func signIn(_ credential: Credential, deadline: Duration? = nil)
    async throws(MusterError) -> SessionInfo
  {
    try await begin(.player(credential), within: deadline)
  }

  /// Begins a session of whoever runs the deployment.
  ///
  /// - Parameters:
  ///   - secret: the deployment's operator secret.
  ///   - game: the game that the calls are about; nil for the whole deployment.
  @discardableResult
  public func signInOperator(secret: String, game: String? = nil)
    async throws(MusterError) -> SessionInfo
  {
    try await begin(
      .deploymentOperator(secret: secret, game: game ?? "", client: .random(in: 1 ... .max)),
      within: nil)
  }

  /// Begins a session of a game's own server.
  @discardableResult
  public func signInGameServer(game: String, credential: String)
    async throws(MusterError) -> SessionInfo
  {
    try await begin(
      .gameServer(game: game, credential: credential, client: .random(in: 1 ... .max)),
      within: nil)
  }

  private func begin(_ identity: Identity, within deadline: Duration?)
    async throws(MusterError) -> SessionInfo
  {
    let limit = (deadline ?? configuration.callDeadline).milliseconds
    let result = await withTaskCancellationHandler {
      await self.started(identity, within: limit)
    } onCancel: {
      Task { await self.giveUpSignIn() }
    }
    return try result.get()
  }

  private func started(_ identity: Identity, within milliseconds: UInt64)
    async -> Result<SessionInfo, MusterError>
  {
    await withCheckedContinuation { continuation in
      do throws(MusterError) {
        let core = try core()
        core.signIn(identity, within: milliseconds) { continuation.resume(returning: $0) }
        if Task.isCancelled { core.giveUpSignIn(.cancelled) }
      } catch {
        continuation.resume(returning: .failure(error))
      }
    }
  }

  private func giveUpSignIn() { try? core().giveUpSignIn(.cancelled) }

  /// Ends the session here and on the server. Sequences of events end, and open calls fail.
  ///
  /// - Throws: an error when the server could not be told. The client has forgotten the session all
  ///   the same.
  public func signOut() async throws(MusterError) {
    guard let session = status.session else { return }
    // The sessions of operators and game servers end with their connection, so closing it is
    // enough.
    guard session.kind == .player else {
      try core().signedOut(wasTold: false)
      return
    }
    do {
      _ = try await call(SignOut())
      try core().signedOut(wasTold: true)
    } catch {
      try core().signedOut(wasTold: false)
      throw error
    }
  }
}
