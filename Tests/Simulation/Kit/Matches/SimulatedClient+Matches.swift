import MusterKit
import Operations
import Wire

/// The matches that a client plays.
extension SimulatedClient {
  /// Now and then so short that the game gives up before it has joined.
  var joinPatience: UInt64 {
    schedule.isChance(oneIn: 15) ? UInt64(schedule.number(20...2_000)) : Self.patience
  }

  /// In the order of their contexts, so that a seed does the same every time.
  var openMatches: [SimulatedMatch] {
    matches.values.filter { !$0.seat.isOver }.sorted { $0.context < $1.context }
  }

  var matchesAreIdle: Bool { matches.values.allSatisfy(\.isIdle) }

  /// Takes the seat in a context's match, unless this client has it.
  func play(_ context: ContextID, _ start: MatchStart) {
    guard matches[context]?.seat.isOver ?? true, !machine.isSignedOut else { return }
    let match = SimulatedMatch(context, self, start)
    matches[context] = match
    if isReady { match.sessionBegan() }
  }

  func callOfMatch(
    _ request: CallBook.Request, _ id: UInt64, within milliseconds: UInt64,
    _ done: @escaping (Result<[UInt8], MusterError>) -> Void
  ) {
    matchCalls += 1
    call(request, id, within: milliseconds) { [self] result in
      matchCalls -= 1
      done(result)
    }
  }

  /// An event that is not of the stream or the session.
  func pushedOfMatches(_ opcode: Opcode, _ body: [UInt8]) {
    if opcode == ServiceRestored.opcode {
      guard let event = try? ServiceRestored(decoding: body),
        event.service == Service.context.rawValue
      else { return }
      for match in openMatches { match.serviceRestored() }
      return
    }
    if opcode == MatchData.opcode {
      guard let event = try? MatchData(decoding: body) else {
        return deployment.fail("a push of match data cannot be read")
      }
      deployment.matchLog.pushed(event, to: player)
      if deployment.options.canary == .unsortedData, event.isReliable, !event.isPartial,
        deployment.matchLog.isWhole(event.payload.array), let match = matches[event.context],
        !match.seat.isOver,
        let sender = match.seat.exchange.player(at: event.place)
      {
        return match.take(event.payload.array, from: sender, isReliable: true)
      }
    }
    for match in openMatches { match.received(opcode, body) }
  }

  func endMatches() {
    for match in openMatches { match.end(.closed) }
  }

  /// The process dies, and with it what it knew of its matches.
  func loseMatches() {
    for match in openMatches { match.die() }
    matches = [:]
    matchCalls = 0
  }
}
