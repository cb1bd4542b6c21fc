import Domain
import Operations
import Wire

/// The real-time matches of contexts. The roster, who plays and who has left, is kept; who is
/// connected, and on which connection, is in memory only and begins anew with the process.
final class Matches: CorePart {
  let contexts: Contexts
  var table = ResidentTable<MatchRow>()
  /// Those that were found and have not begun.
  var found = ResidentTable<FoundMatchRow>()
  var live: LiveMatches
  var givenUp = GivenUpSeats()
  /// How long those who have joined a found match wait for the others.
  let joinMilliseconds: Int64
  /// Of matches started by each player. In memory: a restart gives one more burst.
  var starts = KeyedBudgetRows<MatchStartBudgetRow>(isKept: false)
  let startRate: TokenBucket.Rate

  init(contexts: Contexts, settings: SettingValues) {
    self.contexts = contexts
    live = LiveMatches(graceMilliseconds: settings[.matchGrace])
    joinMilliseconds = settings[.matchJoin]
    startRate = settings.rate(.matchStartBurst, refill: .matchStartRefill)
  }

  func register(_ router: inout Router) {
    router.on(JoinMatch.self, joinMatch)
    router.on(LeaveMatch.self, leaveMatch)
    router.on(AddMatchPlayers.self, addMatchPlayers)
    router.on(ChooseMatchHost.self, chooseMatchHost)
    router.on(SendMatchData.self, sendMatchData)
    router.on(AcknowledgeMatchData.self, acknowledgeMatchData)
    router.on(TellMatchReceipts.self, tellMatchReceipts)
    router.on(EndGraceStep.self, endGraceStep)
    router.on(ReviveMatch.self, reviveMatch)
  }

  func register(_ tables: inout Tables) {
    tables.resident(MatchRow.self) { self.table.load($0) }
    tables.resident(FoundMatchRow.self) { self.found.load($0) }
    tables.resident(GivenUpSeatRow.self) { self.givenUp.load($0) }
    registerErasure(&tables)
  }

  private func registerErasure(_ tables: inout Tables) {
    // The stand-in has the seat until it leaves the match.
    tables.erases(MatchRow.self) { (row, erasure, transaction) in
      self.table.erase(row.key, erasure, &transaction)
      self.live.rename(erasure.player, to: erasure.standIn, in: row.key)
      guard let context = self.contexts[row.key] else { return }
      transaction.effect(
        LeaveForErased(row.key, erasure.standIn), on: row.key, game: context.game)
    }
    // By its tickets only the others wait again.
    tables.erases(FoundMatchRow.self) { (row, erasure, transaction) in
      guard var known = self.found[row.key] else { return }
      known.forgetTicket(of: erasure.player)
      self.found.put(known, &transaction)
      self.found.erase(row.key, erasure, &transaction)
    }
    tables.erases(GivenUpSeatRow.self) { (row, _, transaction) in
      self.givenUp.erase(row.key, &transaction)
    }
  }

  /// The context of a match that the caller plays in or may join. Who plays goes on when a block
  /// closes a pair's context.
  func context(_ id: ContextID, _ call: Call) throws(Stop) -> ContextRow {
    if let row = contexts[id], row.game == call.game, isUnderWay(in: row),
      isSeated(call.player, in: id)
    {
      return row
    }
    return try contexts.participant(id, call)
  }

  func isSeated(_ player: PlayerID, in context: ContextID) -> Bool {
    isRunning(in: context) && table[context]?.seat(of: player)?.state == .joined
  }

  func isRunning(in context: ContextID) -> Bool { table[context].map { !$0.isEnded } ?? false }

  /// Whether all have joined a match of the context's generation that is not over.
  func isUnderWay(in context: ContextRow) -> Bool {
    guard let match = table[context.key], !match.isEnded else { return false }
    return match.hasBegun && match.generation == context.generation
  }

  /// The match goes with its context.
  func remove(matchOf context: ContextID, _ transaction: inout Transaction) {
    forgetFound(context, &transaction)
    guard let match = table.remove(context, &transaction) else { return }
    live.end(context, match)
  }

  func loaded(_ transaction: inout Transaction) {
    givenUp.sort()
    for match in table.rows.values where !match.isEnded {
      transaction.setTimer(ReviveMatch(), on: match.key, at: transaction.now, isKept: false)
      if !match.hasBegun { awaitOthers(in: match.key, &transaction) }
    }
  }
}
