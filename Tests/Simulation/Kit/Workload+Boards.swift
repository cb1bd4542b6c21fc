import Operations
import Wire

/// Boards of every way to aggregate, to rank and to keep time.
extension Workload {
  static let boards: [LeaderboardDefinition] = [
    board("best", .highFirst, .best, .earliestFirst) {
      $0.attempts = .forever
      $0.hasWindows = true
    },
    board("fastest", .lowFirst, .best, .sharedRank) {
      $0.attempts = .days
      $0.attemptDays = 2
      $0.hasWindows = true
    },
    board("latest", .highFirst, .latest, .earliestFirst) {
      $0.attempts = .forever
      $0.hasWindows = true
    },
    board("sum", .highFirst, .sum, .sharedRank) {
      $0.attempts = .forever
      $0.hasWindows = true
    },
    board("plain", .highFirst, .best, .sharedRank) {
      $0.minimum = -3
      $0.maximum = 4
    },
    board("season", .highFirst, .best, .sharedRank) {
      $0.attempts = .forever
      $0.olderOccurrencesKept = 1
      $0.recurrence = recurrence(.seconds, duration: 7 * 3600, interval: 10 * 3600)
    },
    board("monthly", .lowFirst, .sum, .earliestFirst) {
      $0.attempts = .forever
      $0.recurrence = recurrence(.months, duration: 1, interval: 1)
    },
    board("daily", .highFirst, .latest, .sharedRank) {
      $0.olderOccurrencesKept = 3
      $0.recurrence = recurrence(.days, duration: 1, interval: 2)
    },
    board("run", .lowFirst, .best, .earliestFirst) {
      $0.requiresTicket = true
      $0.runSecondsMin = 1
    },
    board("judged", .highFirst, .sum, .earliestFirst) { $0.isServerWritten = true },
  ]

  static func linkedBoardName(_ number: Int) -> String { "pair\(number)" }

  /// A board of a pair of players alone.
  static func board(number: Int, of context: RoutingKey) -> LeaderboardDefinition {
    board(
      linkedBoardName(number), .highFirst, number == 0 ? .sum : .best,
      number == 0 ? .sharedRank : .earliestFirst
    ) {
      $0.linkedContext = ContextID(reinterpreting: context)
    }
  }

  private static func board(
    _ name: String, _ order: ScoreOrder, _ aggregation: ScoreAggregation, _ tie: ScoreTieRule,
    _ change: (inout LeaderboardDefinition) -> Void
  ) -> LeaderboardDefinition {
    var definition = LeaderboardDefinition()
    definition.board = name
    definition.sortOrder = order
    definition.aggregation = aggregation
    definition.tieRule = tie
    change(&definition)
    return definition
  }

  /// From the last day of October 2023 on, two weeks before a simulation begins: not every month
  /// has such a day.
  private static func recurrence(_ unit: RecurrenceUnit, duration: Int64, interval: Int64)
    -> Recurrence
  {
    var recurrence = Recurrence()
    recurrence.unit = unit
    recurrence.start = 1_698_753_600
    recurrence.duration = duration
    recurrence.interval = interval
    recurrence.zone = unit == .seconds ? "" : "UTC"
    return recurrence
  }

  /// Of every kind.
  static let achievements: [AchievementDefinition] = {
    func achievement(_ name: String, hidden: Bool = false, replayable: Bool = false)
      -> AchievementDefinition
    {
      var definition = AchievementDefinition()
      definition.achievement = name
      definition.isHidden = hidden
      definition.isReplayable = replayable
      return definition
    }
    return [
      achievement("again", replayable: true), achievement("once"),
      achievement("secret", hidden: true),
    ]
  }()

  // MARK: Steps

  func compete(_ client: SimulatedClient) {
    switch number(0...39) {
    case 0..<16: submitScore(client)
    case 16..<21: reportAchievements(client)
    case 21..<28: issueChallenge(client)
    case 28..<32: challengeToEarn(client)
    case 32..<36: answerChallenge(client)
    case 36..<38: setPreferences(client)
    default: useOwnersPowers()
    }
  }

  private func board(where isMeant: (LeaderboardDefinition) -> Bool = { _ in true })
    -> LeaderboardDefinition
  {
    let boards = schedule.isChance(oneIn: 10) ? Self.boards : favourites
    return schedule.pick(boards.filter(isMeant)) ?? LeaderboardDefinition()
  }

  private func submitScore(_ client: SimulatedClient) {
    let board = board()
    var submit = SubmitScore()
    submit.board = board.board
    // So few values that some are equal.
    submit.value = number(-4...5)
    submit.scoreTag = UInt64(number(0...1000))
    if schedule.isChance(oneIn: 6) {
      submit.eligibility = .listed
      submit.eligibleChallenges = received(client)
    }
    if board.isServerWritten && !schedule.isChance(oneIn: 5) {
      submit.player = client.player
      judge.call(submit)
      return
    }
    if board.requiresTicket && !schedule.isChance(oneIn: 8) {
      let owner = schedule.isChance(oneIn: 6) ? other(client) : client.player
      guard let ticket = schedule.pick(tickets[owner] ?? []), !schedule.isChance(oneIn: 3) else {
        startRun(client, board.board)
        return
      }
      submit.ticket = ticket
    }
    client.call(submit)
  }

  private func startRun(_ client: SimulatedClient, _ board: String) {
    var start = StartRun()
    start.board = board
    client.call(start) { [self] result in
      if case .success(let run) = result { tickets[client.player, default: []].append(run.ticket) }
    }
  }

  private func received(_ client: SimulatedClient) -> [ChallengeID] {
    Array(client.feed.all(ChallengeReceived.self).map(\.challenge.id).suffix(2))
  }

  private func issueChallenge(_ client: SimulatedClient) {
    var issue = IssueScoreChallenge()
    issue.board = board { !boardsOfRemovals.contains($0.board) }.board
    issue.message = "beat this"
    issue.lifetimeMilliseconds = lifetime()
    if schedule.isChance(oneIn: 3) {
      (issue.value, issue.scoreTag) = (number(-6...5), UInt64(number(0...1000)))
    }
    for _ in 0..<number(1...2) {
      let friend = schedule.pick(client.feed.all(FriendAccepted.self))?.player
      issue.receivers.append(friend ?? other(client))
    }
    client.call(issue)
  }

  /// Mostly none; else some that pass while there is work, and some that pass in peace.
  private func lifetime() -> UInt64? {
    guard schedule.isChance(oneIn: 3) else { return nil }
    return UInt64(schedule.isChance(oneIn: 2) ? number(50...2_000) : number(1...400) * 1_000_000)
  }

  private func setPreferences(_ client: SimulatedClient) {
    var preferences = SetChallengePreferences()
    preferences.issuesBack = !schedule.isChance(oneIn: 5)
    client.call(preferences)
  }

  private func useOwnersPowers() {
    guard let player = schedule.pick(clients.filter(\.hasSignedIn))?.player else { return }
    if schedule.isChance(oneIn: 2) {
      let board = board { boardsOfRemovals.contains($0.board) }
      var remove = RemoveScore()
      remove.board = board.board
      remove.player = player
      remove.fallsBack = board.attempts == .forever && !schedule.isChance(oneIn: 3)
      admin.call(remove)
    } else {
      var restrict = RestrictPlayer()
      restrict.board = board().board
      restrict.player = player
      // Whoever is banned comes back, or nobody would be left to play.
      restrict.restriction =
        schedule.pick([.quarantine, .release, .release, .ban, .unban, .unban]) ?? .release
      admin.call(restrict)
    }
  }

  // MARK: Achievements

  /// Mostly the one that can be earned again, so that those who challenge may and those who are
  /// challenged can.
  private func achievement() -> String {
    (schedule.isChance(oneIn: 3) ? schedule.pick(Self.achievements) : Self.achievements.first)?
      .achievement ?? ""
  }

  private func reportAchievements(_ client: SimulatedClient) {
    if schedule.isChance(oneIn: 15) {
      client.call(ResetAchievements())
      return
    }
    var operation = ReportAchievements()
    for _ in 0..<number(1...2) {
      var report = AchievementReport()
      report.achievement = achievement()
      report.percentComplete = schedule.isChance(oneIn: 2) ? 100 : Double(number(0...100))
      report.showsCompletionBanner = schedule.isChance(oneIn: 2)
      operation.reports.append(report)
    }
    if schedule.isChance(oneIn: 6) {
      operation.eligibility = .listed
      operation.eligibleChallenges = received(client)
    }
    client.call(operation)
  }

  private func challengeToEarn(_ client: SimulatedClient) {
    var issue = IssueAchievementChallenge()
    issue.receiver =
      schedule.pick(client.feed.all(FriendAccepted.self))?.player ?? other(client)
    issue.achievement = achievement()
    issue.lifetimeMilliseconds = lifetime()
    client.call(issue)
  }

  private func answerChallenge(_ client: SimulatedClient) {
    guard let event = schedule.pick(client.feed.all(ChallengeReceived.self)) else { return }
    let accepts = schedule.isChance(oneIn: 2)
    if event.challenge.board.isEmpty {
      var answer = AnswerAchievementChallenge()
      answer.challenge = event.challenge.id
      answer.accept = accepts
      client.call(answer)
    } else {
      answer(event.challenge.id, on: event.challenge.board, accepts, client)
    }
  }

  func answer(
    _ challenge: ChallengeID, on board: String, _ accepts: Bool, _ client: SimulatedClient
  ) {
    if accepts {
      var accept = AcceptChallenge()
      accept.board = board
      accept.challenge = challenge
      client.call(accept)
    } else {
      var decline = DeclineChallenge()
      decline.board = board
      decline.challenge = challenge
      client.call(decline)
    }
  }
}
