import MusterKit

/// What is for more than two: a group, choosing, turns of which a third one sees nothing, and a
/// match that is found.
extension Tour {
  func playAsThree(_ anna: TourPlayer, _ ben: TourPlayer, _ playerGroup: String) async throws {
    let cleo = try await TourPlayer.join("Cleo", configuration)
    try await becomeFriends(anna, cleo)
    let group = try await gather(anna, ben, cleo)
    try await choose(group, anna)
    try await takeTurns(anna, ben, cleo, in: group)
    try await findMatch([anna, ben, cleo], in: playerGroup)
    try await remember(anna, ben, cleo)
    try check(
      cleo.sequences == Array(1...UInt64(cleo.sequences.count)),
      "the third event stream has no gap and nothing twice")
    await cleo.client.close()
  }

  /// Ben comes by Anna's invitation, Cleo by the link: without it there is no such group for her.
  private func gather(_ anna: TourPlayer, _ ben: TourPlayer, _ cleo: TourPlayer) async throws
    -> ContextID
  {
    let created = try await anna.client.createGroup(
      name: "Tour", policy: .byLink, inviting: [ben.identifier])
    let group = created.info.context
    _ = await ben.event(ContextInvitation.self) { $0.info.context == group }
    _ = try await ben.client.switchContext(to: group)
    _ = await anna.event(ContextPlayerChanged.self) {
      $0.context == group && $0.player == ben.identifier
    }
    do {
      _ = try await cleo.client.joinContext(group)
      throw TourFailure(description: "a group was entered without its link")
    } catch let error as MusterError where error.code == .notFound {}
    guard let link = created.info.details?.link else {
      throw TourFailure(description: "the owner is not told the group's link")
    }
    let info = try await cleo.client.joinContext(group, link: link)
    try check(info.size == 3, "the group has three players")
    for player in [anna, ben] {
      _ = await player.event(ContextPlayerChanged.self) {
        $0.context == group && $0.player == cleo.identifier && $0.state == .active
      }
    }
    try await step("Anna opened a group: Ben came by her invitation, Cleo by the group's link")
    return group
  }

  /// Lists hear of changes a moment later, so the call is made until it has.
  private func choose(_ group: ContextID, _ anna: TourPlayer) async throws {
    var chosen: [ContextInfo] = []
    while chosen.isEmpty {
      chosen = try await anna.client.chooseContexts(.newContextOnly, minParticipants: 3).contexts
      if chosen.isEmpty { try await Pause.wait(.milliseconds(20)) }
    }
    try check(chosen.map(\.context) == [group], "a new context of three is the group")
    let none = try await anna.client.chooseContexts(minParticipants: 4).contexts
    try check(none.isEmpty, "no context has four players")
    try await step("Anna chose among her contexts: the new one with three players is the group")
  }

  private func takeTurns(
    _ anna: TourPlayer, _ ben: TourPlayer, _ cleo: TourPlayer, in group: ContextID
  ) async throws {
    let (own, other) = (anna.client.turns(in: group), ben.client.turns(in: group))
    let started = try await own.start(
      players: [anna.identifier, ben.identifier], hidden: [anna.identifier: Array("ace".utf8)])
    _ = await ben.event(TurnGameInvitation.self) { $0.context == group }
    try await other.answer(started.number, accept: true)
    try await move("e4", in: own)
    _ = await ben.event(TurnPassed.self) { $0.context == group }
    try await move("e5", in: other)
    _ = await anna.event(TurnPassed.self) { $0.context == group }
    let moves = try await own.moves().map { String(decoding: $0.payload.array, as: UTF8.self) }
    try check(moves == ["e4", "e5"], "both moves are kept: \(moves)")
    let views = (try await own.read(), try await other.read())
    try check(
      views.0.hidden?.array == Array("ace".utf8) && views.1.hidden == nil,
      "what Anna hides is hers alone")
    let seen = try await cleo.client.turns(in: group).read()
    try check(seen.state == nil, "who has no seat sees no state")
    _ = try await own.end(
      views.0.info, outcomes: [anna.identifier: .tied, ben.identifier: .tied])
    _ = await ben.event(TurnGameEnded.self) { $0.context == group }
    try await step("a turn-based game: Anna played e4, Ben e5, and they called it a draw")
  }

  private func move(_ text: String, in games: TurnGames) async throws {
    let game = try await games.read().info
    guard case .made = try await games.move(Array(text.utf8), in: game) else {
      throw TourFailure(description: "the move \(text) was for a version that is over")
    }
  }

  /// All three ask for a match of three, and add to one number in it.
  private func findMatch(_ players: [TourPlayer], in playerGroup: String) async throws {
    var criteria = MatchCriteria()
    (criteria.minPlayers, criteria.maxPlayers) = (3, 3)
    let wanted = criteria
    let matches = try await withThrowingTaskGroup { group in
      for player in players {
        group.addTask { try await player.client.findMatch(in: playerGroup, wanted) }
      }
      return try await group.reduce(into: [Match]()) { $0.append($1) }
    }
    for player in players {
      let found = await player.event(MatchFound.self) { $0.playerGroup == playerGroup }
      try check(
        Set(found.players) == Set(players.map(\.identifier)), "all three are in the match")
    }
    let counters = matches.map { CounterPlayer($0) }
    for counter in counters { await counter.untilBegun() }
    for (counter, difference) in zip(counters, [Int64(1), 10, 100]) {
      try await counter.add(difference)
    }
    for counter in counters { await counter.until(111) }
    try await step("matchmaking put the three together, and each counted to 111")
    for counter in counters.dropLast() { try await counter.leave() }
    await counters.last?.untilEnded()
  }
}
