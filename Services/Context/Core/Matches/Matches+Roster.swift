import Domain
import Operations
import Wire

// Who plays in a match that begins.

extension Matches {
  /// The match that a call joins: the running one, or a fresh one where that is due.
  func roster(for operation: JoinMatch, _ context: ContextRow, _ call: Call, now: Int64)
    throws(Stop) -> MatchRow
  {
    let last = table[context.key]
    if let last, !last.isEnded, operation.number == 0 || operation.number == last.number {
      if last.seat(of: call.player)?.state == .left {
        throw .refuse(.matchEnded, "You have left this match.")
      }
      return last
    }
    // A match that never began, or was of a generation before, is in nobody's way.
    let isOver = last.map { $0.hasBegun && $0.generation == context.generation } ?? false
    guard operation.number == 0, !isOver || operation.startsNew else {
      throw .refuse(.matchEnded, "The match is over.")
    }
    var match = MatchRow()
    match.key = context.key
    match.number = (last?.number ?? 0) + 1
    match.generation = context.generation
    match.createdAt = now
    try seat(&match, for: operation, context, after: last, call)
    return match
  }

  private func seat(
    _ match: inout MatchRow, for operation: JoinMatch, _ context: ContextRow,
    after last: MatchRow?, _ call: Call
  ) throws(Stop) {
    let countMax = ContextLimits.matchPlayersMax
    if operation.players.isEmpty && !operation.isRematch && operation.playerCount != 0 {
      guard context.form == .group, (2...countMax).contains(Int(operation.playerCount)) else {
        throw .invalidArgument(
          "playerCount", "An open match, which only a group has, is of 2 to \(countMax) players.")
      }
      match.isOpen = true
      match.seats = (0..<Int(operation.playerCount)).map { _ in RosterSeat() }
      return
    }
    let others = try others(for: operation, context, after: last, call)
    guard !others.isEmpty else {
      throw .refuse(.notAllowed, "A match needs a second player in the context.")
    }
    guard others.count < countMax else {
      throw .requiredArgument(
        "playerCount", "More than \(countMax) are in the context: say how many of them play.")
    }
    // The order in which they came into the context, so that places do not depend on who starts.
    let all = Set(others + [call.player])
    match.seats = context.players.map(\.player).filter(all.contains).map { player in
      var seat = RosterSeat()
      seat.player = player
      return seat
    }
  }

  /// The players besides the caller. Of a found match they are all in its context: those with whom
  /// the others were put together are not the first one's to choose.
  private func others(
    for operation: JoinMatch, _ context: ContextRow, after last: MatchRow?, _ call: Call
  ) throws(Stop) -> [PlayerID] {
    let isFound = found[context.key] != nil
    let named = isFound ? [] : operation.players
    if named.isEmpty {
      // Who is invited to a group has not said that it comes; to the others matches belong.
      let here = context.present.filter { context.form != .group || $0.state == .active }
        .map(\.player).filter { $0 != call.player }
      guard operation.isRematch, !isFound, let last else {
        return here.count < ContextLimits.matchPlayersMax
          ? try meeting(here, in: context, call) : here
      }
      return try meeting(here.filter { last.place(of: $0) != nil }, in: context, call)
    }
    guard named.count < ContextLimits.matchPlayersMax, Set(named).count == named.count,
      !named.contains(call.player)
    else {
      throw .invalidArgument(
        "players",
        "A match has at most \(ContextLimits.matchPlayersMax) players, each of whom is named once.")
    }
    guard named.allSatisfy(context.holds), try meeting(named, in: context, call) == named else {
      throw .refuse(
        .notReachable, argument: "players", "Only players of the context can play in its match.")
    }
    return named
  }

  /// Those of the players whom the caller does not block and who do not block the caller. Only in a
  /// group such players can be together.
  func meeting(_ players: [PlayerID], in context: ContextRow, _ call: Call) throws(Stop)
    -> [PlayerID]
  {
    guard context.form == .group, !players.isEmpty else { return players }
    let blocked = Set(try call.fact(FetchBlocks.self).blocked)
    // A block holds at once at the key of whoever blocks.
    let answers = try call.facts(FetchPlayer.self, at: players)
    return zip(players, answers)
      .filter { $0.1.isReachable && !blocked.contains($0.0) }.map(\.0)
  }
}
