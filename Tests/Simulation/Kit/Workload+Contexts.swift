import Operations
import Wire

/// Boards that are linked to a context, and queries of a context's players. What players ask of
/// such a board is given back to the gateway, which asks the context service who is in the context.
extension Workload {
  /// The other player of a client's pair.
  func partner(of client: SimulatedClient) -> PlayerID? {
    guard let index = clients.firstIndex(where: { $0 === client }), index < 2 * linkedBoards.count
    else { return nil }
    let partner = clients[index ^ 1]
    return partner.hasSignedIn ? partner.player : nil
  }

  func competeInContext(_ client: SimulatedClient) {
    let board = linkedBoard(of: client)
    switch number(0...19) {
    case 0..<3: meetPartner(client)
    case 3..<6: leaveForAWhile(board, client)
    case 6..<10:
      submit(client, board)
      // The query reaches the board's key while the score is on its detour, or after it.
      if schedule.isChance(oneIn: 2) { query(client, board) }
    case 10..<12: submitAsServer(client, board)
    case 12..<15: query(client, board)
    case 15: query(client, schedule.pick(Self.lastingBoards) ?? board)
    default: challengePartner(client, board)
    }
  }

  /// Enters the pair's context, for which the two must be friends.
  private func meetPartner(_ client: SimulatedClient) {
    let player = partner(of: client) ?? other(client)
    createContext(client, with: player) {
      // Once each has asked the other, they are.
      var invite = InviteFriend()
      invite.player = player
      client.call(invite)
    }
  }

  /// Leaves the context of a board, uses the board from outside, which must be refused, and mostly
  /// comes back.
  private func leaveForAWhile(_ board: LeaderboardDefinition, _ client: SimulatedClient) {
    guard let context = board.linkedContext else { return }
    leaveContext(context, client) { [self] in
      submit(client, board)
      query(client, board)
      if schedule.isChance(oneIn: 4) { return }
      meetPartner(client)
      // The score reaches the board's key while the client comes back, or after it.
      submit(client, board)
    }
  }

  /// Mostly the one of the client's own pair.
  private func linkedBoard(of client: SimulatedClient) -> LeaderboardDefinition {
    let index = clients.firstIndex { $0 === client } ?? 0
    guard index / 2 < linkedBoards.count, !schedule.isChance(oneIn: 8) else {
      return schedule.pick(linkedBoards) ?? LeaderboardDefinition()
    }
    return linkedBoards[index / 2]
  }

  /// Those whose rankings of all time change by scores alone.
  private static let lastingBoards = boards.filter { $0.recurrence == nil }

  private func submit(_ client: SimulatedClient, _ board: LeaderboardDefinition) {
    var submit = SubmitScore()
    submit.board = board.board
    submit.value = number(-4...5)
    submit.scoreTag = UInt64(number(0...1000))
    client.call(submit)
  }

  /// The game's own server need not be in the context.
  private func submitAsServer(_ client: SimulatedClient, _ board: LeaderboardDefinition) {
    var submit = SubmitScore()
    submit.board = board.board
    submit.value = number(-4...5)
    submit.player = client.player
    judge.call(submit)
  }

  private func query(_ client: SimulatedClient, _ board: LeaderboardDefinition) {
    var top = TopScores()
    top.board = board.board
    top.scope = .context
    let own = linkedBoard(of: client).linkedContext
    let known = schedule.isChance(oneIn: 3) ? schedule.pick(contexts[client.player] ?? []) : nil
    guard let context = board.linkedContext ?? known ?? own else { return }
    top.context = context
    top.start = UInt32(number(1...2))
    top.count = UInt32(number(1...5))
    let start = schedule.now
    client.call(top) { [self, top] result in
      contextQueries.append(
        ContextQuery(
          query: top, player: client.player, span: start...schedule.now, result: result))
    }
  }

  private func challengePartner(_ client: SimulatedClient, _ board: LeaderboardDefinition) {
    var issue = IssueScoreChallenge()
    issue.board = board.board
    issue.receivers = [partner(of: client) ?? other(client)]
    if schedule.isChance(oneIn: 3) { issue.receivers.append(other(client)) }
    client.call(issue) { [self] result in
      guard case .success(let reply) = result else { return }
      for outcome in reply.outcomes {
        if let id = outcome.challenge { meetAndAnswer(id, board, as: outcome.receiver) }
      }
    }
  }

  /// The answer reaches the board's key while the score is on its detour, or after it.
  private func meetAndAnswer(
    _ challenge: ChallengeID, _ board: LeaderboardDefinition, as player: PlayerID
  ) {
    guard let client = clients.first(where: { $0.player == player }) else { return }
    submit(client, board)
    answer(challenge, on: board.board, schedule.isChance(oneIn: 2), client)
  }
}
