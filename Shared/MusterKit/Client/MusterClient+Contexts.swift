extension MusterClient {
  /// Creates the context of this player and a friend, or switches into it, and makes it current.
  @discardableResult
  public nonisolated func createContext(with player: PlayerID) async throws(MusterError)
    -> ContextInfo
  {
    if player.isNil {
      throw MusterError(.requiredArgument, argument: "player", "A player is required.")
    }
    var operation = CreatePairContext()
    operation.player = player
    return try await call(operation)
  }

  /// Creates a context with this player alone in it, and makes it current.
  @discardableResult
  public nonisolated func createSoloContext() async throws(MusterError) -> ContextInfo {
    try await call(CreateSoloContext())
  }

  /// Makes one of the player's contexts current. A player who was invited to it enters it.
  ///
  /// - Throws: `sameContext` when it is current already, without a call where this client knows;
  ///   `notFound` when the player is neither in it nor invited.
  @discardableResult
  public nonisolated func switchContext(to context: ContextID) async throws(MusterError)
    -> ContextInfo
  {
    if context.isNil {
      throw MusterError(.requiredArgument, argument: "context", "A context is required.")
    }
    let same = MusterError(
      .sameContext, argument: "context", "You are in this context already.")
    let known = currentContext?.context
    if known == context { throw same }
    var operation = SwitchContext()
    operation.context = context
    let info = try await call(operation)
    // Another device, or the player's client before, has entered it. Where this client knew another
    // one, it is the service that had not heard of that yet, and the switch is one.
    if info.wasCurrent && known == nil { throw same }
    return info
  }

  /// Leaves a context, or declines the invitation to it. If it was the current one, there is no
  /// current context afterwards.
  public nonisolated func leaveContext(_ context: ContextID) async throws(MusterError) {
    var operation = LeaveContext()
    operation.context = context
    _ = try await call(operation)
  }
}
