import Operations
import Wire

extension Simulation {
  /// Plays all scores and challenges again on the models; ranks, lists and events must agree.
  func checkBoards() throws(Violation) {
    var boards: [String: BoardModel] = [:]
    for board in Workload.boards { boards[board.board] = BoardModel(board) }
    for call in deployment.ledger.done { try replay(call, &boards) }
    var expected: [String: Int] = [:]
    for board in Workload.boards {
      guard let model = boards[board.board] else { continue }
      try checkRanks(model)
      for (id, challenge) in model.challenges { expect(id, challenge, &expected) }
    }
    let earning = try playAchievements().challenges.mapValues(\.issued)
    for (id, challenge) in earning { expect(id, challenge, &expected) }
    try checkTold(expected, toldOfChallenges)
    try checkLists(boards.values.flatMap { $0.challenges } + Array(earning))
  }

  private func replay(_ call: Ledger.Done, _ boards: inout [String: BoardModel]) throws(Violation) {
    if let (score, reply) = decoded(SubmitScore.self, call) {
      let met = boards[score.board]?.submit(call.player, score) ?? []
      try require(
        met == Set(reply.completedChallenges) && met.count == reply.completedChallenges.count,
        "a score on \(score.board) completed \(reply.completedChallenges) instead of \(met)")
      let place = boards[score.board]?.ranking.first { $0.entry.player == call.player }
      try require(
        place?.rank == Int(reply.entry.rank) && place?.entry.value == reply.entry.value,
        "a score on \(score.board) was given rank \(reply.entry.rank) with \(reply.entry.value)")
    } else if let (issue, reply) = decoded(IssueScoreChallenge.self, call) {
      boards[issue.board]?.issue(call.player, reply)
    } else if let (accept, _) = decoded(AcceptChallenge.self, call) {
      boards[accept.board]?.set(.accepted, accept.challenge)
    } else if let (decline, _) = decoded(DeclineChallenge.self, call) {
      boards[decline.board]?.set(.declined, decline.challenge)
    }
  }

  private func checkRanks(_ model: BoardModel) throws(Violation) {
    let name = model.definition.board
    var top = TopScores()
    top.board = name
    top.count = 100
    try checkRanks(model, top)
    if model.definition.hasWindows {
      // A simulation is far shorter than a week.
      top.period.timeScope = .week
      try checkRanks(model, top)
    }
  }

  private func checkRanks(_ model: BoardModel, _ top: TopScores) throws(Violation) {
    let name = model.definition.board
    let page = try reply(
      top, as: workload.clients[0].player, key: RoutingKey(game: Deployment.game, name: name))
    let ranking = model.ranking
    try require(
      page.entries.count == ranking.count && Int(page.total) == ranking.count,
      "\(name) has \(page.entries.count) entries instead of \(ranking.count)")
    for (shown, wanted) in zip(page.entries, ranking) {
      try require(
        shown.player == wanted.entry.player && shown.value == wanted.entry.value
          && shown.context == wanted.entry.context && Int(shown.rank) == wanted.rank,
        "\(name) shows \(shown) where \(wanted) should be")
    }
  }

  // MARK: Events

  private func expect(
    _ id: ChallengeID, _ challenge: BoardModel.Issued, _ expected: inout [String: Int]
  ) {
    expected["\(challenge.receiver) received \(id)"] = 1
    if challenge.state == .completed {
      expected["\(challenge.receiver) completed \(id)"] = 1
      expected["\(challenge.issuer) saw completed \(id)"] = 1
    } else if challenge.state == .declined {
      expected["\(challenge.issuer) saw declined \(id)"] = 1
    }
  }

  private var toldOfChallenges: [String: Int] {
    var told: [String: Int] = [:]
    for client in workload.clients {
      for event in client.feed.all(ChallengeReceived.self) {
        told["\(client.player) received \(event.challenge.id)", default: 0] += 1
      }
      for event in client.feed.all(ChallengeCompleted.self) {
        let how = event.isLocal ? "completed" : "saw completed"
        told["\(client.player) \(how) \(event.challenge.id)", default: 0] += 1
      }
      for event in client.feed.all(ChallengeDeclined.self) {
        told["\(client.player) saw declined \(event.challenge.id)", default: 0] += 1
      }
    }
    return told
  }

  // MARK: Lists

  private func checkLists(
    _ challenges: [(key: ChallengeID, value: BoardModel.Issued)]
  ) throws(Violation) {
    var received = ReceivedChallenges()
    received.limit = 100
    var issued = IssuedChallenges()
    issued.limit = 100
    for client in workload.clients {
      let player = client.player
      var toDo: [ChallengeID: ChallengeState] = [:]
      var asked: [ChallengeID: ChallengeState] = [:]
      for (id, challenge) in challenges {
        if challenge.receiver == player && challenge.state.isOpen { toDo[id] = challenge.state }
        if challenge.issuer == player { asked[id] = challenge.state }
      }
      try compare("received", player, try reply(received, as: player), toDo)
      try compare("issued", player, try reply(issued, as: player), asked)
    }
  }

  private func compare(
    _ list: String, _ player: PlayerID, _ page: ChallengePage,
    _ wanted: [ChallengeID: ChallengeState]
  ) throws(Violation) {
    guard wanted.count <= 100 else { return }
    let shown = Dictionary(
      page.challenges.map { ($0.id, $0.state) }, uniquingKeysWith: { first, _ in first })
    try require(
      shown == wanted && page.challenges.count == wanted.count,
      "the \(list) challenges of \(player) are \(shown) instead of \(wanted)")
  }
}
