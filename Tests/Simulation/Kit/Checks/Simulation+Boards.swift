import Domain
import LeaderboardCore
import Operations
import Wire

extension Simulation {
  /// Plays all that happened in the leaderboard service again on the models: replies, ranks, lists
  /// and events must agree.
  func checkBoards() throws(Violation) {
    contexts = try ContextModels(deployment.ledger.done)
    let model = try playModel(contexts)
    var expected: [String: Int] = [:]
    for book in model.books { book.expect(&expected) }
    try checkTold(expected, toldOfChallenges)
    try checkOffers(model)
    try checkRefusals(model)
    try checkNamedScores(model)
    for client in workload.clients {
      try checkHints(client, model)
      try checkAchievements(client.player, model.achievements)
      try checkLists(client.player, model.books.flatMap { $0.all.values })
    }
    for board in workload.boards {
      if let board = model.boards[board.board] { try checkQueries(board) }
    }
    happenings.take(model, deployment)
    happenings.hear(workload.clients.reduce(0) { $0 + $1.hints.count })
    happenings.take(deployment.matchLog)
    happenings.take(deployment.ledger.streams)
    happenings.take(workload.contextQueries, deployment.counts)
  }

  func playModel(_ contexts: ContextModels) throws(Violation) -> LeaderboardModel {
    let received = workload.clients.flatMap { heard(ChallengeReceived.self, by: $0) }
    return try LeaderboardModel(
      workload.boards, received.map(\.challenge), deployment.ledger.steps,
      contexts, workload.contextQueries,
      deployment.settings(of: LeaderboardCore.self))
  }

  // MARK: Events

  private var toldOfChallenges: [String: Int] {
    var told: [String: Int] = [:]
    for client in workload.clients {
      for event in heard(ChallengeReceived.self, by: client) { told.tell(client.player, event) }
      for event in heard(ChallengeCompleted.self, by: client) { told.tell(client.player, event) }
      for event in heard(ChallengeDeclined.self, by: client) { told.tell(client.player, event) }
      for event in heard(ChallengeExpired.self, by: client) { told.tell(client.player, event) }
    }
    return told
  }

  /// Each beaten challenge whose receiver wants it back is offered once, and no other; only what
  /// was offered goes on to a board.
  private func checkOffers(_ model: LeaderboardModel) throws(Violation) {
    try checkTold(model.wantedOffers, model.offers)
    for (offer, count) in model.passedOffers {
      try require(
        count <= model.offers[offer] ?? 0, "\(offer) was passed on \(count) times")
    }
  }

  /// A hint may be lost, but none is about what did not last: each names a challenge of the
  /// client's.
  private func checkHints(_ client: SimulatedClient, _ model: LeaderboardModel) throws(Violation) {
    let own = model.books.flatMap(\.all.values).filter {
      $0.receiver == client.player || $0.issuer == client.player
    }
    let known = Set(own.map(\.id))
    for hint in client.hints where !Self.otherHints.contains(hint.kind) {
      guard let change = try? ChallengeListChanged(decoding: hint.body.array),
        hint.kind == ChallengeListChanged.opcode.rawValue
      else { throw Violation(description: "a hint of \(hint.kind) cannot be read") }
      try require(
        known.contains(change.challenge),
        "\(client.player) got a hint about \(change.challenge), which is nowhere")
    }
  }

  /// Those of contexts, matches, queues, turn-based games and friends' presence.
  private static let otherHints: Set<UInt16> = [
    ContextLeft.opcode.rawValue, MatchExpected.opcode.rawValue, TicketChanged.opcode.rawValue,
    YourTurn.opcode.rawValue, TurnGameChanged.opcode.rawValue, PresenceChanged.opcode.rawValue,
  ]

  // MARK: Refusals

  /// No score was refused for a reason that its board does not have.
  private func checkRefusals(_ model: LeaderboardModel) throws(Violation) {
    for refused in deployment.ledger.refusals where refused.asked.opcode == SubmitScore.opcode {
      guard let score = try? SubmitScore(decoding: refused.asked.body),
        let board = model.boards[score.board]
      else { continue }
      let (code, argument) = (refused.failure.code, refused.failure.argument)
      let definition = board.definition
      let isRight =
        switch (code, argument) {
        case (.notFound, "board"): model.mayLack(score.board, at: refused.span.lowerBound)
        case (.invalidArgument, "value"):
          score.value.map { $0 < definition.minimum ?? .min || $0 > definition.maximum ?? .max }
            ?? false
        case (.notOpen, "board"): definition.recurrence != nil
        case (.notAllowed, "board"):
          definition.isServerWritten && !refused.asked.player.isNil
        case (.notAllowed, "player"):
          board.bannedOnce.contains(score.player ?? refused.asked.player)
        case (_, "ticket"): definition.requiresTicket
        case (.notFound, "context"): wasOutside(refused, definition)
        default: false
        }
      try require(isRight, "\(score) was refused: \(refused.failure)")
    }
  }

  /// A named score was refused only where it is better than some score of the issuer's.
  private func checkNamedScores(_ model: LeaderboardModel) throws(Violation) {
    for refused in deployment.ledger.refusals where refused.failure.code == .notAllowed {
      guard refused.asked.opcode == IssueScoreChallenge.opcode,
        let issue = try? IssueScoreChallenge(decoding: refused.asked.body),
        let board = model.boards[issue.board]
      else { continue }
      let own = board.attempts.filter { $0.player == refused.asked.player }
      let isRight =
        issue.value.map { value in
          board.definition.aggregation == .sum
            || own.contains { board.isBetter(value, than: $0.value) }
        } ?? false
      try require(isRight, "\(issue) was refused: \(refused.failure)")
    }
  }

  /// Whether a player was, at some moment of a call, not in the context of the call's board.
  private func wasOutside(_ refused: Ledger.Refused, _ definition: LeaderboardDefinition) -> Bool {
    guard let context = definition.linkedContext, !refused.asked.player.isNil else { return false }
    return contexts.players(of: context, during: refused.span)
      .contains { !$0.contains(refused.asked.player) }
  }

  // MARK: Lists

  private func checkAchievements(_ player: PlayerID, _ model: AchievementModel) throws(Violation) {
    var list = ListAchievements()
    list.limit = 100
    let shown = try reply(list, as: player).achievements
    let wanted = model.progress[player] ?? [:]
    try require(
      shown.count == wanted.count && shown.allSatisfy { wanted[$0.achievement] == $0 },
      "the achievements of \(player) are \(shown) instead of \(wanted)")
    let dates = shown.map(\.lastReportedDate)
    try require(dates == dates.sorted(by: >), "achievements of \(player) are not newest first")
  }

  private func checkLists(_ player: PlayerID, _ challenges: [Challenge]) throws(Violation) {
    let sorted = challenges.sorted { ($0.issueDate, $0.id) > ($1.issueDate, $1.id) }
    let toDo = sorted.filter { $0.receiver == player && $0.state.isOpen }
    try compare(
      "received", try pages(player) { ReceivedChallenges(after: $0) }, toDo, of: player)
    let asked = sorted.filter { $0.issuer == player }
    // Of the ended ones the newest are kept.
    let endedCount = asked.count { !$0.state.isOpen }
    if endedCount <= LeaderboardLimits.endedChallengesKeptMax {
      try compare("issued", try pages(player) { IssuedChallenges(after: $0) }, asked, of: player)
    }
  }

  private func pages<O: Operation>(_ player: PlayerID, _ operation: (String) -> O)
    throws(Violation) -> [Challenge] where O.Reply == ChallengePage
  {
    var all: [Challenge] = []
    var cursor = ""
    repeat {
      let page = try reply(operation(cursor), as: player)
      all += page.challenges
      cursor = page.cursor
    } while !cursor.isEmpty
    return all
  }

  private func compare(
    _ list: String, _ shown: [Challenge], _ wanted: [Challenge], of player: PlayerID
  ) throws(Violation) {
    try require(
      shown == wanted, "the \(list) challenges of \(player) are \(shown) instead of \(wanted)")
  }
}

extension ReceivedChallenges {
  fileprivate init(after cursor: String) {
    self.init()
    self.cursor = cursor
    limit = 20
  }
}

extension IssuedChallenges {
  fileprivate init(after cursor: String) {
    self.init()
    self.cursor = cursor
    limit = 20
  }
}
