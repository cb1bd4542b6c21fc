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
  /// - Throws: `sameContext`, without a call, when it is current already; `notFound` when the
  ///   player is neither in it nor invited.
  @discardableResult
  public nonisolated func switchContext(to context: ContextID) async throws(MusterError)
    -> ContextInfo
  {
    if context.isNil {
      throw MusterError(.requiredArgument, argument: "context", "A context is required.")
    }
    if currentContext?.context == context {
      throw MusterError(.sameContext, argument: "context", "You are in this context already.")
    }
    var operation = SwitchContext()
    operation.context = context
    return try await call(operation)
  }

  /// Leaves a context, or declines the invitation to it. If it was the current one, there is no
  /// current context afterwards.
  public nonisolated func leaveContext(_ context: ContextID) async throws(MusterError) {
    var operation = LeaveContext()
    operation.context = context
    _ = try await call(operation)
  }
}
