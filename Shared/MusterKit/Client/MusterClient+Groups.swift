extension MusterClient {
  /// Creates a group that this player owns, invites friends, and makes it current. The reply says
  /// of each friend what became of the invitation.
  @discardableResult
  public nonisolated func createGroup(
    name: String = "", sizeMax: UInt32 = 10, policy: JoinPolicy = .byInvite,
    inviting players: [PlayerID] = []
  ) async throws(MusterError) -> CreateGroupContext.Reply {
    var operation = CreateGroupContext()
    (operation.name, operation.sizeMax, operation.policy) = (name, sizeMax, policy)
    operation.players = players
    return try await call(operation)
  }

  /// Enters a group under its join policy and makes it current. Where the policy needs consent,
  /// only asks for it: the player's own state in the reply is `requested` then.
  ///
  /// - Parameters:
  ///   - context: the group.
  ///   - link: the secret of the group's link, where it has one.
  @discardableResult
  public nonisolated func joinContext(_ context: ContextID, link: ContextLink = ContextLink())
    async throws(MusterError) -> ContextInfo
  {
    var operation = JoinContext()
    (operation.context, operation.link) = (context, link)
    return try await call(operation)
  }

  /// Invites friends to a group; says of each what became of it.
  @discardableResult
  public nonisolated func invite(_ players: [PlayerID], to context: ContextID)
    async throws(MusterError) -> [ContextInvitee]
  {
    var operation = InviteToContext()
    (operation.context, operation.players) = (context, players)
    return try await call(operation).outcomes
  }

  /// Answers a player's request to be let into a group.
  @discardableResult
  public nonisolated func answerRequest(
    of player: PlayerID, in context: ContextID, accept: Bool
  ) async throws(MusterError) -> ContextInfo {
    var operation = AnswerContextRequest()
    (operation.context, operation.player, operation.accept) = (context, player, accept)
    return try await call(operation)
  }

  /// Gives a player of a group another role; `.owner` hands the group over.
  @discardableResult
  public nonisolated func setRole(
    of player: PlayerID, in context: ContextID, to role: ContextRole
  ) async throws(MusterError) -> ContextInfo {
    var operation = ChangeContextRole()
    (operation.context, operation.player, operation.role) = (context, player, role)
    return try await call(operation)
  }

  /// Removes a player from a group, who comes back only by an invitation.
  @discardableResult
  public nonisolated func remove(_ player: PlayerID, from context: ContextID)
    async throws(MusterError) -> ContextInfo
  {
    var operation = RemoveFromContext()
    (operation.context, operation.player) = (context, player)
    return try await call(operation)
  }

  /// Closes a group for all.
  public nonisolated func closeContext(_ context: ContextID, isForGood: Bool = false)
    async throws(MusterError)
  {
    var operation = CloseContext()
    (operation.context, operation.isForGood) = (context, isForGood)
    _ = try await call(operation)
  }

  /// Opens a group again that this player owned, and makes it current.
  @discardableResult
  public nonisolated func reopenContext(_ context: ContextID) async throws(MusterError)
    -> ContextInfo
  {
    var operation = ReopenContext()
    operation.context = context
    return try await call(operation)
  }

  /// A page of the player's contexts that a filter and bounds let through, chosen by the server. A
  /// page may be empty and yet have a cursor.
  ///
  /// - Throws: `requiredArgument` (minParticipants) when it is greater than `maxParticipants`,
  ///   unless this is 0, which stands for no bound.
  public nonisolated func chooseContexts(
    _ filter: ChooseFilter = .none, minParticipants: UInt32 = 0, maxParticipants: UInt32 = 0,
    after cursor: String = "", limit: UInt32 = 50
  ) async throws(MusterError) -> ChooseContexts.Reply {
    var operation = ChooseContexts()
    (operation.filter, operation.cursor, operation.limit) = (filter, cursor, limit)
    (operation.minParticipants, operation.maxParticipants) = (minParticipants, maxParticipants)
    return try await call(operation)
  }

  /// A page of groups that friends are in and anybody may join, and of friends with whom there is
  /// no context yet.
  public nonisolated func suggestContexts(after cursor: String = "") async throws(MusterError)
    -> SuggestContexts.Reply
  {
    var operation = SuggestContexts()
    operation.cursor = cursor
    return try await call(operation)
  }
}
