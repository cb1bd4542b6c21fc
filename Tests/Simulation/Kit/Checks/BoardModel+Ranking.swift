import Operations
import Wire

/// Rule 4.3, word for word.
extension BoardModel {
  /// Takes all scores, drops those outside of the player scope and the time scope, aggregates per
  /// player and sorts. Each element is the attempt that is shown, with the aggregate as its value.
  ///
  /// - Parameter scope: nil for everybody.
  func standing(_ period: ScorePeriod = ScorePeriod(), _ scope: Set<PlayerID>? = nil, at now: Int64)
    -> [Attempt]
  {
    let occurrence = current(at: now).map { $0.number - Int64(period.occurrencesBack) }
    let inside = attempts.filter { attempt in
      attempt.counts && scope?.contains(attempt.player) != false
        && isInside(attempt, period.timeScope, occurrence, at: now)
    }
    let isWindow = period.timeScope != .allTime
    return Dictionary(grouping: inside, by: \.player).values
      .map { aggregate($0, isWindow: isWindow) }
      .sorted {
        $0.value == $1.value ? $0.number < $1.number : isBetter($0.value, than: $1.value)
      }
  }

  private func isInside(
    _ attempt: Attempt, _ timeScope: ScoreTimeScope, _ occurrence: Int64?, at now: Int64
  ) -> Bool {
    switch timeScope {
    case .today: return attempt.date > now - Self.day
    case .week: return attempt.date > now - 7 * Self.day
    default: return attempt.occurrence == occurrence
    }
  }

  static var day: Int64 { 24 * 3600 * 1000 }

  /// Of one player's attempts, at least one, in the order in which they came.
  private func aggregate(_ own: [Attempt], isWindow: Bool) -> Attempt {
    let last = own[own.count - 1]
    switch definition.aggregation {
    case .latest: return last
    case .sum:
      // Where all are 0, a window shows the last one, and a board the first.
      var shown = own.last { $0.value != 0 } ?? (isWindow ? last : own[0])
      shown.value = own.map(\.value).reduce(0, +)
      return shown
    default:
      var best = own[0]
      for attempt in own where isBetter(attempt.value, than: best.value) { best = attempt }
      return best
    }
  }

  /// The player's entry in the occurrence to which a score submitted now would count.
  func shown(_ player: PlayerID, at now: Int64) -> Attempt? {
    standing(ScorePeriod(), [player], at: now).first
  }

  /// The same with ranks by the tie rule.
  func ranking(_ period: ScorePeriod = ScorePeriod(), _ scope: Set<PlayerID>? = nil, at now: Int64)
    -> [LeaderboardEntry]
  {
    let sorted = standing(period, scope, at: now)
    return sorted.enumerated().map { place, attempt in
      let first = sorted.firstIndex { $0.value == attempt.value } ?? place
      var entry = LeaderboardEntry()
      entry.rank = UInt32(definition.tieRule == .sharedRank ? first + 1 : place + 1)
      entry.player = attempt.player
      entry.value = attempt.value
      entry.scoreTag = attempt.context
      entry.date = attempt.date
      return entry
    }
  }
}

/// What each query must answer.
extension BoardModel {
  /// - Parameter participants: who is in the context whose players are the scope.
  func answer(
    _ query: TopScores, as caller: PlayerID, participants: Set<PlayerID> = [], at now: Int64
  ) -> ScorePage {
    let scope: Set<PlayerID>? =
      switch query.scope {
      case .players: Set(query.players)
      case .context: participants
      default: nil
      }
    let ranking = ranking(query.period, scope, at: now)
    // The rank that the caller has in the scope, or would have.
    let withCaller = self.ranking(query.period, scope.map { $0.union([caller]) }, at: now)
    return page(
      cut(ranking, query.start, query.count), withCaller.first { $0.player == caller },
      total: ranking.count)
  }

  func answer(_ query: FriendScores, as caller: PlayerID, friends: [PlayerID], at now: Int64)
    -> ScorePage
  {
    let ranking = ranking(query.period, Set(friends + [caller]), at: now)
    return page(
      cut(ranking, query.start, query.count), ranking.first { $0.player == caller },
      total: ranking.count)
  }

  func answer(_ query: LesserScores, as caller: PlayerID, friends: [PlayerID], at now: Int64)
    -> ScorePage
  {
    let ranking = ranking(query.period, Set(friends + [caller]), at: now)
    guard let own = ranking.first(where: { $0.player == caller }) else { return ScorePage() }
    let lesser = ranking.filter { isBetter(own.value, than: $0.value) }
    return page(cut(lesser, query.start, query.count), own, total: lesser.count)
  }

  func answer(_ query: ScoresAroundPlayer, as caller: PlayerID, at now: Int64) -> ScorePage {
    let ranking = ranking(query.period, at: now)
    let own = ranking.first { $0.player == caller }
    let middle = ranking.firstIndex { $0.player == query.player ?? caller }
    let first = middle.map { place in
      max(0, min(place - (Int(query.count) - 1) / 2, ranking.count - Int(query.count)))
    }
    let around = first.map { cut(ranking, UInt32($0 + 1), query.count) } ?? []
    return page(around, own, total: ranking.count)
  }

  func answer(_ query: RankOfPlayer, as caller: PlayerID, at now: Int64) -> RankOfPlayer.Reply {
    let ranking = ranking(query.period, at: now)
    var reply = RankOfPlayer.Reply()
    reply.total = UInt32(ranking.count)
    reply.entry = ranking.first { $0.player == query.player ?? caller }
    guard let entry = reply.entry else { return reply }
    let worse = ranking.count { isBetter(entry.value, than: $0.value) }
    reply.percentile =
      ranking.count == 1 ? 100 : 100 * Double(worse) / Double(ranking.count - 1)
    return reply
  }

  func answer(_ query: RankOfValue, at now: Int64) -> RankOfValue.Reply {
    let (ranking, value) = (ranking(query.period, at: now), query.value ?? 0)
    var reply = RankOfValue.Reply()
    reply.better = UInt32(ranking.count { isBetter($0.value, than: value) })
    reply.same = UInt32(ranking.count { $0.value == value })
    reply.worse = UInt32(ranking.count { isBetter(value, than: $0.value) })
    return reply
  }

  func describe(at now: Int64) -> DescribeLeaderboard.Reply {
    var reply = DescribeLeaderboard.Reply()
    reply.definition = definition
    reply.total = UInt32(ranking(at: now).count)
    reply.current = current(at: now)
    reply.previous = schedule.first { $0.number + 1 == reply.current?.number }
    return reply
  }

  private func cut(_ ranking: [LeaderboardEntry], _ start: UInt32, _ count: UInt32)
    -> [LeaderboardEntry]
  {
    Array(ranking.dropFirst(Int(start) - 1).prefix(Int(count)))
  }

  private func page(_ entries: [LeaderboardEntry], _ local: LeaderboardEntry?, total: Int)
    -> ScorePage
  {
    var page = ScorePage()
    page.entries = entries
    page.localEntry = local
    page.total = UInt32(total)
    return page
  }
}
