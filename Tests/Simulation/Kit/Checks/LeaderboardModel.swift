import Domain
import LeaderboardCore
import Operations
import Wire

/// The model of the whole leaderboard service. It applies the durable calls and effects one after
/// the other, in the order in which each key changed.
struct LeaderboardModel {
  private(set) var boards: [String: BoardModel] = [:]
  private(set) var achievements: AchievementModel
  /// Beaten challenges that their receivers want issued back, by what is offered, and how often: as
  /// it must be, as it came to the request service, and as that passed it on.
  private(set) var wantedOffers: [String: Int] = [:]
  private(set) var offers: [String: Int] = [:]
  private(set) var passedOffers: [String: Int] = [:]
  /// Challenges that were issued back, and offers that a pending one made needless.
  private(set) var issuedBack = 0
  private(set) var needless = 0
  private var issuingBackSince: [PlayerID: Int64] = [:]
  /// By board: when its first definition was durable, in the simulation's milliseconds.
  private var definedBy: [String: Int64] = [:]
  /// Received challenges that no call issued, oldest first.
  private var unexplained: [Challenge]
  let contexts: ContextModels
  private var queries: ContextQueryCheck

  /// - Parameters:
  ///   - received: all challenges that players were told they received, each player's in the order
  ///     told, which tells those of one millisecond apart.
  ///   - queries: of the players of contexts, made from inside and from outside.
  init(
    _ definitions: [LeaderboardDefinition], _ received: [Challenge], _ steps: [Ledger.Step],
    _ contexts: ContextModels, _ queries: [ContextQuery], _ settings: SettingValues
  ) throws(Violation) {
    self.contexts = contexts
    self.queries = ContextQueryCheck(queries)
    achievements = AchievementModel(Workload.achievements)
    // Which of a board's attempts a challenge asks to meet has a number that only the board knows.
    let attempts = Dictionary(
      received.map { ($0.id, $0.attempt) }, uniquingKeysWith: { one, _ in one })
    for board in definitions {
      boards[board.board] = BoardModel(board, ticketLifetime: settings[.runTicketLifetime])
      boards[board.board]?.challenges.attempts = attempts
    }
    var issued: Set<ChallengeID> = []
    for case .call(let call) in steps {
      if let (define, _) = call.decoded(DefineLeaderboard.self) {
        let board = define.definition.board
        definedBy[board] = min(definedBy[board] ?? .max, call.span.upperBound)
      } else if let (_, reply) = call.decoded(IssueScoreChallenge.self) {
        issued.formUnion(reply.outcomes.compactMap(\.challenge))
      } else if let (_, reply) = call.decoded(IssueAchievementChallenge.self) {
        if let id = reply.outcome.challenge { issued.insert(id) }
      }
    }
    unexplained = received.enumerated().filter { !issued.contains($0.element.id) }
      .sorted { ($0.element.issueDate, $0.offset) < ($1.element.issueDate, $1.offset) }
      .map(\.element)
    for step in steps {
      switch step {
      case .call(let call): try take(call)
      case .effect(let effect): try take(effect)
      case .sent(let effect): takeExpiry(effect)
      }
    }
    if let challenge = unexplained.first {
      throw Violation(description: "nothing made the challenge \(challenge)")
    }
    for board in boards.values { self.queries.compare(board, contexts, until: .max) }
    try self.queries.checkDone(self)
  }

  /// Whether a call that was made at `time` may have come before its board was there.
  func mayLack(_ board: String, at time: Int64) -> Bool { time <= definedBy[board] ?? .max }

  var books: [ChallengeBook] { boards.values.map(\.challenges) + [achievements.challenges] }

  // MARK: Calls

  private mutating func take(_ call: Ledger.Done) throws(Violation) {
    let (player, now) = (call.player, call.time)
    if let (score, reply) = call.decoded(SubmitScore.self) {
      try submit(score, reply, call)
    } else if let (issue, reply) = call.decoded(IssueScoreChallenge.self) {
      let participants = participants(of: issue.board, call)
      try boards[issue.board]?.issue(player, issue, reply, participants: participants, at: now)
    } else if let (accept, _) = call.decoded(AcceptChallenge.self) {
      try boards[accept.board]?.challenges
        .answer(accept.challenge, by: player, accept: true, at: now)
    } else if let (decline, _) = call.decoded(DeclineChallenge.self) {
      try boards[decline.board]?.challenges
        .answer(decline.challenge, by: player, accept: false, at: now)
    } else if let (start, run) = call.decoded(StartRun.self) {
      try boards[start.board]?.startRun(player, run, at: now)
    } else if let (remove, reply) = call.decoded(RemoveScore.self) {
      willChange(remove.board, call)
      let entry = try boards[remove.board]?
        .remove(remove.player, fallsBack: remove.fallsBack, at: now)
      try same(reply.entry, entry, "\(remove)")
    } else if let (restrict, _) = call.decoded(RestrictPlayer.self) {
      willChange(restrict.board, call)
      boards[restrict.board]?.restrict(restrict.player, restrict.restriction, at: now)
    } else if let (preferences, _) = call.decoded(SetChallengePreferences.self) {
      let since = issuingBackSince[player]
      issuingBackSince[player] = preferences.issuesBack ? since ?? now : nil
    } else {
      try takeAchievements(call)
    }
  }

  private mutating func submit(
    _ score: SubmitScore, _ reply: SubmitScore.Reply, _ call: Ledger.Done
  ) throws(Violation) {
    willChange(score.board, call)
    if !call.player.isNil, let participants = participants(of: score.board, call),
      !participants.contains(where: { $0.contains(call.player) })
    {
      throw Violation(description: "\(call.player) was not in the context of \(score)")
    }
    let wanted = try boards[score.board]?.submit(
      score.player ?? call.player, score, byServer: call.player.isNil, at: call.time)
    var reply = reply
    reply.completedChallenges.sort()
    try same(reply, wanted, "\(score)")
  }

  /// Who was in the context of a board, for each moment from when a call was made until it was
  /// durable; nil for a board that is linked to none.
  private func participants(of board: String, _ call: Ledger.Done) -> [Set<PlayerID>]? {
    boards[board]?.definition.linkedContext.map { contexts.players(of: $0, during: call.span) }
  }

  /// A board's ranking is as it was until a call became durable.
  private mutating func willChange(_ name: String, _ call: Ledger.Done) {
    guard let board = boards[name] else { return }
    queries.compare(board, contexts, until: call.span.upperBound)
  }

  private mutating func takeAchievements(_ call: Ledger.Done) throws(Violation) {
    let (player, now) = (call.player, call.time)
    if let (report, reply) = call.decoded(ReportAchievements.self) {
      var reply = reply
      reply.completedChallenges.sort()
      try same(reply, achievements.report(player, report, at: now), "\(report)")
    } else if call.decoded(ResetAchievements.self) != nil {
      achievements.reset(player)
    } else if let (issue, reply) = call.decoded(IssueAchievementChallenge.self) {
      try achievements.issue(player, issue, reply.outcome, at: now)
    } else if let (answer, _) = call.decoded(AnswerAchievementChallenge.self) {
      try achievements.challenges
        .answer(answer.challenge, by: player, accept: answer.accept, at: now)
    }
  }

  private func same<Reply: Equatable>(_ reply: Reply, _ wanted: Reply?, _ what: String)
    throws(Violation)
  {
    if reply != wanted {
      throw Violation(
        description: "\(what) was answered with \(reply) instead of \(String(describing: wanted))")
    }
  }

  // MARK: Effects

  /// A challenge has expired, by a timer, when its key tells its players so.
  private mutating func takeExpiry(_ effect: Ledger.Applied) {
    guard let append = effect.decoded(AppendEvent.self),
      append.kind == ChallengeExpired.opcode.rawValue,
      let event = try? ChallengeExpired(decoding: append.body.array)
    else { return }
    for name in boards.keys { boards[name]?.challenges.expire(event.challenge.id, effect.latest) }
    achievements.challenges.expire(event.challenge.id, effect.latest)
  }

  private mutating func take(_ effect: Ledger.Applied) throws(Violation) {
    if let change = effect.decoded(ChallengeChanged.self) {
      wantOffer(change)
    } else if let offer = effect.decoded(OfferReturnChallenge.self) {
      offers["\(offer.challenge)", default: 0] += 1
    } else if let offer = effect.decoded(ReturnScoreChallenge.self) {
      passedOffers["\(offer)", default: 0] += 1
      try issueBack(offer, effect)
    }
  }

  /// The receiver's key hears that a challenge was completed.
  private mutating func wantOffer(_ change: ChallengeChanged) {
    let challenge = change.challenge
    guard change.player == challenge.receiver, challenge.state == .completed,
      let completion = boards[challenge.board]?.challenges.completions[challenge.id],
      completion.isBeaten, let date = challenge.completionDate,
      let since = issuingBackSince[change.player], since <= date
    else { return }
    var offer = ReturnScoreChallenge()
    offer.key = RoutingKey(game: Deployment.game, name: challenge.board)
    offer.issuer = challenge.receiver
    offer.receiver = challenge.issuer
    offer.score = BeatingScore(
      value: completion.value, scoreTag: completion.context,
      attempt: change.beatenBy?.attempt ?? 0)
    offer.beaten = challenge.id
    wantedOffers["\(offer)", default: 0] += 1
  }

  private mutating func issueBack(_ offer: ReturnScoreChallenge, _ effect: Ledger.Applied)
    throws(Violation)
  {
    guard
      let name = boards.keys.first(where: {
        RoutingKey(game: Deployment.game, name: $0) == offer.key
      }), let board = boards[name]
    else { throw Violation(description: "\(offer) is for no board") }
    let place = unexplained.firstIndex { challenge in
      challenge.board == name && challenge.issuer == offer.issuer
        && challenge.receiver == offer.receiver && challenge.value == offer.score.value
        && challenge.scoreTag == offer.score.scoreTag
        && challenge.issueDate >= effect.earliest && challenge.issueDate <= effect.latest
    }
    guard let place else {
      // Whether a pending one asks for as much may depend on when exactly it was.
      guard !board.wants(offer, at: effect.earliest) || !board.wants(offer, at: effect.latest)
      else { throw Violation(description: "\(offer) was not issued back") }
      needless += 1
      return
    }
    let challenge = unexplained.remove(at: place)
    guard board.wants(offer, at: challenge.issueDate), challenge.message.isEmpty,
      challenge.expiryDate == nil
    else { throw Violation(description: "\(challenge) was issued back for \(offer)") }
    issuedBack += 1
    try boards[name]?.challenges.add(challenge)
  }
}

extension Ledger.Done {
  /// A call of one kind.
  func decoded<O: Operation>(_ type: O.Type) -> (O, O.Reply)? {
    guard opcode == O.opcode, let operation = try? O(decoding: body),
      let reply = try? O.Reply(decoding: reply)
    else { return nil }
    return (operation, reply)
  }
}

extension Ledger.Applied {
  func decoded<O: Operation>(_ type: O.Type) -> O? {
    opcode == O.opcode ? try? O(decoding: body) : nil
  }
}
