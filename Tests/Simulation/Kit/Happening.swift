import Operations
import Wire

/// What simulations must cause in the services and in matches, or they test too little.
package enum Happening: String, CaseIterable, Sendable {
  case improvedScores, scoresWithoutChange, serverScores
  case bestOfSeveral, latestOfSeveral, sumsOfSeveral, tiesByArrival, tiesOfRank
  case attemptsOutOfToday, attemptsOutOfWeek
  case occurrences, calendarOccurrences, scoresRefusedInGaps
  case removedScores, scoresFallenBack, quarantines, releases, bans, unbans, scoresRefusedByBan
  case valuesRefused, serverBoardsRefused
  case runs, ticketsUsed, ticketsMissing, ticketsRefusedEarly, ticketsRefusedReused
  case ticketsRefusedForeign
  case challengesReceived, challengesAccepted, challengesDeclined, challengesCompleted
  case scoresNamed, scoresNamedTooGood, sumsMet
  case challengesExpired, challengesIssuedBack, offersNeedless, offersBetweenStrangers
  case reports, completedAchievements, resets
  case challengesToEarn, challengesEarned, challengesToEarnExpired
  case receiversThatHadIt, receiversThatMayNotKnow
  case hints
  case reliableMessages, messagesInPieces, unreliableMessages, matchBackpressure
  case matchesResumed, newClientsMet, matchesEndedByLeaving, matchesEndedByGrace
  case joinsUndone
  case contextScores, contextScoresRefused, contextQueries, contextQueriesRefused
  case contextChallenges
  case callsGivenBack, callsPassedOnTheirDetour
  case sessionsBehind, cursorsLost
  case eventsDroppedOfSenders, eventsDroppedOfGames, eventsTakenBesideDropped, eventsRemoved
  case instancesEnded, instancesThatMadeRoom
  case groupsFull, groupsReopened, groupPlayersLeft, groupPlayersRemoved, groupRequestsAnswered
  case turnGames, turnMoves, turnMovesSealed, turnMovesRefused, turnGamesEnded
  case turnSecretsRevealed
  case ticketsMatched, ticketsExpired, ticketsCancelled, ticketsCancelledTooLate
  case ticketsOfParties, matchesOfManyFound
  case matchesOfMany, matchesOfEight, matchesOfManyEnded
  case playersAdded, matchesFilled
  case turnGamesForked, turnMovesUndone, turnMovesForeseen, turnSpectators, turnExchangesAnswered
  case foundMatchesBegun, foundMatchesBegunWithoutAll, foundMatchesOver
  case requestsAccepted, requestsDeclined, requestsDeleted, requestsExpired, requestReceipts
  case requestsDroppedUnreachable, requestsDroppedFull, requestsOfOthers, answersStoppedByBlocks
  case requestsToTokens, requestsDroppedOfTokens, tokensClaimed, tokensRevoked, tokensExpired
  case claimsRefusedClaimed, claimsRefusedRevoked, claimsRefusedExpired
  case devicesAdded, devicesCameBack, devicesToldOfLoss, devicesLeftBehind
  case devicesThatMissedOldEvents, eventsExpiredUnread
  case consentsGiven, consentsRevoked, requestsWithoutDialog
  case identitiesLinked, identitiesMoved, identitiesUnlinked, identityConflicts
  case playersBanned, signInsRefusedByBan
  case playersErased, playersErasedThemselves, erasuresToldAtOnce, erasuresToldAtSignIn
  case signUpsRefusedToErased, erasuresAmidCrash, erasuresNotListed, lateEffectsOfErased
}

extension Happening {
  package var isOfGatherings: Bool { Self.ofGatherings.contains(self) }

  private static let ofGatherings: Set<Happening> = [
    .groupsFull, .groupsReopened, .groupPlayersLeft, .groupPlayersRemoved,
    .groupRequestsAnswered, .turnGames, .turnMoves, .turnMovesSealed, .turnMovesRefused,
    .turnGamesEnded, .turnSecretsRevealed, .ticketsMatched, .ticketsExpired, .ticketsCancelled,
    .ticketsCancelledTooLate, .ticketsOfParties, .matchesOfManyFound, .matchesOfMany,
    .matchesOfEight, .matchesOfManyEnded, .playersAdded, .matchesFilled, .turnGamesForked,
    .turnMovesUndone,
    .turnMovesForeseen, .turnSpectators, .turnExchangesAnswered, .foundMatchesBegun,
    .foundMatchesBegunWithoutAll, .foundMatchesOver,
  ]

  /// Too rare for seeds of all kinds: within one process the effects of an erased player are late
  /// in one of a thousand erasures, and societies have many more.
  package var isOfSocietiesAlone: Bool { self == .lateEffectsOfErased }

  package var isOfSocieties: Bool { Self.ofSocieties.contains(self) }

  private static let ofSocieties: Set<Happening> = [
    .requestsAccepted, .requestsDeclined, .requestsDeleted, .requestsExpired, .requestReceipts,
    .requestsDroppedUnreachable, .requestsDroppedFull, .requestsOfOthers,
    .answersStoppedByBlocks, .requestsToTokens, .requestsDroppedOfTokens, .tokensClaimed,
    .tokensRevoked, .tokensExpired, .claimsRefusedClaimed, .claimsRefusedRevoked,
    .claimsRefusedExpired, .devicesAdded, .devicesCameBack, .devicesToldOfLoss,
    .devicesLeftBehind, .devicesThatMissedOldEvents, .eventsExpiredUnread,
    .consentsGiven, .consentsRevoked, .requestsWithoutDialog, .identitiesLinked,
    .identitiesMoved, .identitiesUnlinked, .identityConflicts, .playersBanned,
    .signInsRefusedByBan, .playersErased, .playersErasedThemselves, .erasuresToldAtOnce,
    .erasuresToldAtSignIn, .signUpsRefusedToErased, .erasuresAmidCrash, .erasuresNotListed,
    .lateEffectsOfErased,
  ]
}

/// How often each happening came about.
package struct Happenings: Sendable {
  package private(set) var counts: [Happening: Int] = [:]

  package init() {}

  /// The happenings that never came about.
  package var missing: [Happening] { Happening.allCases.filter { counts[$0, default: 0] == 0 } }

  package mutating func add(_ other: Happenings) {
    counts.merge(other.counts) { $0 + $1 }
  }

  mutating func set(_ happening: Happening, _ count: Int) { counts[happening] = count }

  private mutating func add(_ happening: Happening, _ count: Int = 1) {
    counts[happening, default: 0] += count
  }
}

extension Happenings {
  /// Counts the happenings of one deployment, from the models and the ledger.
  mutating func take(_ model: LeaderboardModel, _ deployment: Deployment) {
    counts = [:]
    for board in model.boards.values {
      let key = RoutingKey(game: Deployment.game, name: board.definition.board)
      take(board, deployment.time(of: key))
      take(board.challenges, .challengesReceived, .challengesCompleted, .challengesExpired)
      if board.definition.linkedContext != nil {
        add(.contextScores, board.attempts.count)
        add(.contextChallenges, board.challenges.all.count)
      }
    }
    take(
      model.achievements.challenges, .challengesToEarn, .challengesEarned, .challengesToEarnExpired)
    add(.challengesIssuedBack, model.issuedBack)
    add(.offersNeedless, model.needless)
    let passed = model.passedOffers.values.reduce(0, +)
    add(.offersBetweenStrangers, model.offers.values.reduce(0, +) - passed)
    for reached in model.achievements.progress.values.flatMap(\.values) where reached.isCompleted {
      add(.completedAchievements)
    }
    for call in deployment.ledger.done { take(call) }
    for floor in deployment.ledger.floors {
      add(floor == .max ? .instancesEnded : .instancesThatMadeRoom)
    }
    for refused in deployment.ledger.refusals {
      if refused.asked.opcode == SubmitScore.opcode {
        take(refused.failure)
      } else if refused.asked.opcode == IssueScoreChallenge.opcode,
        refused.failure.code == .notAllowed
      {
        add(.scoresNamedTooGood)
      }
    }
  }

  mutating func take(_ log: MatchLog) { counts.merge(log.counts) { $1 } }

  mutating func take(_ streams: StreamModel) { counts.merge(streams.happenings) { $1 } }

  mutating func take(_ queries: [ContextQuery], _ seen: [Happening: Int]) {
    counts.merge(seen) { $1 }
    for query in queries {
      switch query.result {
      case .success: add(.contextQueries)
      case .failure(let failure) where failure.code == .notFound && failure.argument == "context":
        add(.contextQueriesRefused)
      case .failure: break
      }
    }
  }

  mutating func hear(_ hintCount: Int) { add(.hints, hintCount) }

  private mutating func take(_ board: BoardModel, _ now: Int64) {
    let definition = board.definition
    for (_, own) in Dictionary(grouping: board.attempts, by: \.player) where own.count > 1 {
      switch definition.aggregation {
      case .latest: add(.latestOfSeveral)
      case .sum: add(.sumsOfSeveral)
      default: add(.bestOfSeveral)
      }
    }
    let values = board.standing(at: now).map(\.value)
    let ties = values.count - Set(values).count
    add(definition.tieRule == .sharedRank ? .tiesOfRank : .tiesByArrival, ties)
    if definition.hasWindows {
      let ages = board.attempts.map { now - $0.date }
      add(.attemptsOutOfToday, ages.count { $0 >= BoardModel.day })
      add(.attemptsOutOfWeek, ages.count { $0 >= 7 * BoardModel.day })
    }
    let occurrences = Set(board.attempts.compactMap(\.occurrence)).count
    let isCalendar = definition.recurrence.map { $0.unit != .seconds } ?? false
    add(isCalendar ? .calendarOccurrences : .occurrences, max(0, occurrences - 1))
  }

  private mutating func take(
    _ book: ChallengeBook, _ received: Happening, _ completed: Happening, _ expired: Happening
  ) {
    let states = book.all.values.map(\.state)
    add(received, states.count)
    add(completed, states.count { $0 == .completed })
    add(expired, states.count { $0 == .expired })
    add(.challengesDeclined, states.count { $0 == .declined })
  }

  private mutating func take(_ call: Ledger.Done) {
    if let (score, reply) = call.decoded(SubmitScore.self) {
      add(reply.isImproved ? .improvedScores : .scoresWithoutChange)
      if score.player != nil { add(.serverScores) }
      if score.ticket != nil { add(.ticketsUsed) }
    } else if let (remove, _) = call.decoded(RemoveScore.self) {
      add(remove.fallsBack ? .scoresFallenBack : .removedScores)
    } else if let (restrict, _) = call.decoded(RestrictPlayer.self) {
      switch restrict.restriction {
      case .quarantine: add(.quarantines)
      case .release: add(.releases)
      case .ban: add(.bans)
      default: add(.unbans)
      }
    } else if call.decoded(StartRun.self) != nil {
      add(.runs)
    } else if call.decoded(AcceptChallenge.self) != nil {
      add(.challengesAccepted)
    } else if call.decoded(ReportAchievements.self) != nil {
      add(.reports)
    } else if call.decoded(ResetAchievements.self) != nil {
      add(.resets)
    } else if let (issue, reply) = call.decoded(IssueScoreChallenge.self) {
      if issue.value != nil { add(.scoresNamed) }
      add(.sumsMet, reply.outcomes.count { $0.refusal == .alreadyMet })
    } else if let (_, reply) = call.decoded(IssueAchievementChallenge.self) {
      if reply.outcome.refusal == .alreadyEarned { add(.receiversThatHadIt) }
      if reply.outcome.refusal == .hidden { add(.receiversThatMayNotKnow) }
    }
  }

  private mutating func take(_ failure: Failure) {
    switch (failure.code, failure.argument) {
    case (.notOpen, "board"): add(.scoresRefusedInGaps)
    case (.notAllowed, "board"): add(.serverBoardsRefused)
    case (.notAllowed, "player"): add(.scoresRefusedByBan)
    case (.invalidArgument, "value"): add(.valuesRefused)
    case (.requiredArgument, "ticket"): add(.ticketsMissing)
    case (.notOpen, "ticket"): add(.ticketsRefusedEarly)
    case (.alreadyExists, "ticket"): add(.ticketsRefusedReused)
    case (.notAllowed, "ticket"): add(.ticketsRefusedForeign)
    case (.notFound, "context"): add(.contextScoresRefused)
    default: break
    }
  }
}
