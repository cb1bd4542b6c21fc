import MusterKit
import Operations
import Wire

/// Matches of three and more: in groups, whose players come and go, and of players whom a queue has
/// put together.
extension Workload {
  func meetInGroup(_ client: SimulatedClient) {
    let open = client.openMatches.filter { $0.seat.exchange.number != 0 }
    guard let match = schedule.pick(open), !schedule.isChance(oneIn: 10) else {
      return schedule.isChance(oneIn: 3) ? gatherForMatch(client) : joinGroupMatch(client)
    }
    play(match, client)
  }

  func play(_ match: SimulatedMatch, _ client: SimulatedClient) {
    let absent = absentees(of: match)
    if !absent.isEmpty, schedule.isChance(oneIn: 2) { return add(absent, to: match, client) }
    switch number(0...99) {
    case 0..<70:
      for _ in 0..<number(1...4) { match.send(size: Int(number(8...60)), isReliable: true) }
    case 70..<86: match.send(size: Int(number(8...48)), isReliable: false)
    case 86..<92: match.leave()
    case 92..<94: leaveContext(match.context, client)
    case 94: group(client)
    default: client.disconnect()
    }
  }

  /// Those of a group who do not play its match, or have left it.
  private func absentees(of match: SimulatedMatch) -> [PlayerID] {
    guard match.hasBegun, let info = gathering.infos[match.context], info.form == .group,
      !gathering.disturbed.contains(match.context)
    else { return [] }
    return info.players.filter { $0.state == .active && isAway($0.player, from: match.context) }
      .map(\.player)
  }

  /// Whether no client of a player is in a context's match, or wants to be.
  private func isAway(_ player: PlayerID, from context: ContextID) -> Bool {
    clients.first { $0.player == player }?.matches[context]?.seat.isOver ?? true
  }

  /// Has others play along. Most of them come.
  private func add(
    _ players: [PlayerID], to match: SimulatedMatch, _ client: SimulatedClient
  ) {
    let context = match.context
    var add = AddMatchPlayers()
    (add.context, add.number, add.players) = (context, match.name.number, players)
    client.call(add) { [self] result in
      guard case .success = result else { return }
      for player in players where !schedule.isChance(oneIn: 8) {
        schedule.after(schedule.number(0...400)) { [self] in
          guard !gathering.disturbed.contains(context), isAway(player, from: context) else {
            return
          }
          clients.first { $0.player == player }?.play(context, MatchStart())
        }
      }
    }
  }

  /// Sees to a group with several players in it.
  private func gatherForMatch(_ client: SimulatedClient) {
    guard let group = schedule.pick(gathering.groups), !schedule.isChance(oneIn: 8) else {
      return createGroup(client)
    }
    for client in clients where free(client.player) != nil { join(group, client) }
  }

  private func joinGroupMatch(_ client: SimulatedClient) {
    let closed = places(of: client.player).filter {
      client.matches[$0]?.seat.isOver ?? true && !gathering.disturbed.contains($0)
        && gathering.infos[$0]?.form == .group
    }
    guard let context = schedule.pick(closed), let info = gathering.infos[context],
      !schedule.isChance(oneIn: 6)
    else { return gatherForMatch(client) }
    let others = info.players.filter { $0.state == .active && $0.player != client.player }
      .map(\.player)
    if others.isEmpty { return gatherForMatch(client) }
    var start = MatchStart(startsNew: !schedule.isChance(oneIn: 5))
    switch number(0...3) {
    case 0: break
    case 1: start.playerCount = Int(number(2...Int64(max(2, others.count + 1))))
    default:
      start.players = others.filter { _ in !schedule.isChance(oneIn: 5) }
      if start.players.isEmpty { start.players = others }
    }
    // Those whom it needs come soon, mostly.
    client.play(context, start)
    for player in start.players.isEmpty ? others : start.players
    where !schedule.isChance(oneIn: Int64(max(8, 2 * others.count))) {
      guard let other = clients.first(where: { $0.player == player }) else { continue }
      schedule.after(schedule.number(0...60)) { [self] in
        if !gathering.disturbed.contains(context) { other.play(context, start) }
      }
    }
  }
}
