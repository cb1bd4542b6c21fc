import MusterKit
import Operations
import Wire

/// The player's stream on its way to the game.
extension SimulatedClient {
  /// The most events that wait for the game: so few that a slow game misses some and reads them
  /// later.
  static let feedCapacity = 8
  private static let readAgainMilliseconds: Int64 = 1_000

  var isUpToDate: Bool {
    kind != .player
      || (!isDraining && !events.isReading && events.consumedThrough == events.streamEnd)
  }

  func pushed(_ opcode: Opcode, _ body: [UInt8]) {
    switch opcode {
    case StreamEvent.opcode:
      guard let event = try? StreamEvent(decoding: body) else {
        return deployment.fail("a pushed event cannot be read")
      }
      newestEvent = max(newestEvent ?? 0, event.sequence)
      if deployment.options.canary == .skippedGap { take(event) }
      events.pushed(event)
      tendEvents()
    case HintEvent.opcode:
      guard let hint = try? HintEvent(decoding: body) else {
        return deployment.fail("a hint cannot be read")
      }
      hints.append(hint)
    case SessionRenewed.opcode:
      if let event = try? SessionRenewed(decoding: body) {
        deployment.renewals += 1
        machine.renewed(event.token)
      }
    case SessionRevoked.opcode: machine.revoked()
    default: pushedOfMatches(opcode, body)
    }
  }

  /// Hands the events that have come to the game, after a while, and reads missing ones.
  func tendEvents() {
    if !isDraining {
      isDraining = true
      later(schedule.isChance(oneIn: 20) ? schedule.number(0...500) : 0) { [self] in
        isDraining = false
        drain()
      }
    }
    guard isReady, let read = events.startReading() else { return }
    var operation = ReadEvents()
    operation.after = read.after
    operation.limit = min(read.limit, UInt32(schedule.number(1...40)))
    call(CallBook.Request(operation, diesWithConnection: true), within: 10_000) { [self] result in
      if let reply = try? ReadEvents.Reply(decoding: result.get()) {
        events.read(reply)
        tendEvents()
      } else {
        events.readFailed()
        later(Self.readAgainMilliseconds) { [self] in tendEvents() }
      }
    }
  }

  private func drain() {
    var isTaken = false
    while let event = events.take() {
      isTaken = true
      if event.isAfterLoss { deployment.fail("\(player) was told of a loss of events") }
      take(event.streamed)
    }
    if isTaken { tendEvents() }
  }

  private func take(_ event: StreamEvent) {
    if let fault = feed.take(event) { deployment.fail("player \(player): \(fault)") }
  }

  /// The session is over: the feed begins again after the last event that the game has taken.
  func endEvents() {
    events = EventFeed(after: feed.through, capacity: Self.feedCapacity)
    newestEvent = nil
  }
}

extension PlayerEvent {
  fileprivate var streamed: StreamEvent {
    var event = StreamEvent()
    event.sequence = sequence
    event.id = id
    event.game = game
    event.time = time
    event.kind = kind.rawValue
    event.body = Bytes(body)
    return event
  }
}
