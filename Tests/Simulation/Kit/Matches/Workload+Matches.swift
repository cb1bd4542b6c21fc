import MusterKit
import Operations
import Wire

/// Matches: clients meet in pair contexts, join, send each other data and leave.
extension Workload {
  /// What is done in a seed that is mostly about matches.
  func meet(_ client: SimulatedClient) {
    switch isEarly ? number(0...30) : number(0...99) {
    case 0..<5 where !isEarly: befriend(client)
    case 0..<24 where isEarly: befriend(client)
    case 5..<8: acknowledge(client)
    case 8..<18: context(client)
    default: play(client)
    }
  }

  func play(_ client: SimulatedClient) {
    let open = client.openMatches.filter { $0.seat.exchange.number != 0 }
    guard let match = schedule.pick(open), !schedule.isChance(oneIn: 8) else {
      return join(client)
    }
    switch number(0...99) {
    case 0..<66:
      for _ in 0..<number(1...4) { match.send(size: size, isReliable: true) }
    case 66..<92:
      for _ in 0..<number(1...3) { match.send(size: Int(number(8...48)), isReliable: false) }
    case 92..<97: match.leave()
    case 97: leaveContext(match.context, client)
    default: client.disconnect()
    }
  }

  private var size: Int {
    schedule.isChance(oneIn: 10) ? Int(number(49...300)) : Int(number(8...40))
  }

  /// Enters a context that the client knows of, and then its match.
  private func join(_ client: SimulatedClient) {
    let invited = client.feed.all(ContextInvitation.self).map(\.info.context)
    let known = (contexts[client.player] ?? []) + invited
    let closed = known.filter { client.matches[$0]?.seat.isOver ?? true }
    guard let context = schedule.pick(closed) else { return self.context(client) }
    var enter = SwitchContext()
    enter.context = context
    let startsNew = !schedule.isChance(oneIn: 4)
    client.call(enter) { [client] result in
      if case .success(let info) = result, info.form == .pair {
        client.play(context, MatchStart(startsNew: startsNew))
      }
    }
  }

  func leaveContext(
    _ context: ContextID, _ client: SimulatedClient, then: @escaping () -> Void = {}
  ) {
    var leave = LeaveContext()
    leave.context = context
    self.leave(leave, client, then: then)
  }

  /// The context's match is left with it.
  func leave(_ leave: LeaveContext, _ client: SimulatedClient, then: @escaping () -> Void = {}) {
    let match = client.matches[leave.context].flatMap { $0.seat.isOver ? nil : $0 }
    // Whether a join that is under way comes before or after is anybody's guess.
    if let match, match.seat.exchange.number == 0 { return }
    // Whoever comes back to a group may take a seat again in a match that has not begun.
    let log = deployment.matchLog
    if let match, deployment.options.isGathering, !match.hasBegun,
      !log.found.contexts.contains(leave.context)
    {
      return
    }
    log.willLeave(leave.context, client.player)
    client.call(leave) { [schedule] result in
      guard case .success = result else { return }
      log.hasLeft(leave.context, client.player, now: schedule.now)
      match?.mustEnd = true
      then()
    }
  }
}
