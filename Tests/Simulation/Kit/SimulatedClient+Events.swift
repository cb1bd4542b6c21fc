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
    if kind != .player { return true }
    if let paged { return paged.isUpToDate }
    return !isDraining && follower.isUpToDate && !events.isReading
      && events.consumedThrough == follower.place?.sequence
  }

  /// Where the next session goes on. Now and then it is of another past, as if the service had been
  /// put back to a backup: beyond the end of the stream, or of another event.
  var placeToTell: StreamPlace? {
    guard let place = paged != nil ? paged?.place : follower.place else { return nil }
    guard deployment.network.isTroubled, place.sequence > 0, !hasToldFalsePlace, device == nil,
      schedule.isChance(oneIn: 15)
    else { return place }
    hasToldFalsePlace = true
    return schedule.isChance(oneIn: 2)
      ? StreamPlace(place.sequence + 100_000, place.event)
      : StreamPlace(place.sequence, EventID(high: 0, low: place.sequence))
  }

  func forgetPlace() {
    deployment.count(.cursorsLost)
    feed.comesAgain = true
    follower = StreamFollower()
    events.forget()
    paged?.forget()
  }

  /// A session has begun, and what its replay has pushed was taken.
  func beginEvents(_ started: SessionStarted) {
    let started = spoiled(started)
    device?.began(started, acknowledged: feed.through)
    if let fault = feed.begin(started) { deployment.fail("\(player): \(fault)") }
    hasToldFalsePlace = false
    if started.replayedThrough < started.streamEnd { deployment.count(.sessionsBehind) }
    paged?.began(started)
    let before = follower.place
    follower.began(started)
    if let before { passed(from: before.sequence) }
    events.began(
      acknowledged: started.acknowledged, streamEnd: started.streamEnd,
      followed: follower.place?.sequence ?? 0, removedThrough: started.removedThrough)
    tendEvents()
  }

  private func passed(from start: UInt64) {
    if let end = follower.place?.sequence, end > start { events.passed(from: start, through: end) }
  }

  func pushed(_ opcode: Opcode, _ body: [UInt8]) {
    switch opcode {
    case StreamEvent.opcode:
      guard let event = try? StreamEvent(decoding: body) else {
        return deployment.fail("a pushed event cannot be read")
      }
      if deployment.options.canary == .skippedGap { take(event) }
      if paged != nil {
        if let event = paged?.pushed(event) { take(event) }
      } else if follower.takes(event) {
        events.handed(event)
      }
      tendEvents()
    case HintEvent.opcode:
      guard let hint = try? HintEvent(decoding: body) else {
        return deployment.fail("a hint cannot be read")
      }
      took(hint)
    case SessionRenewed.opcode:
      if let event = try? SessionRenewed(decoding: body) {
        deployment.renewals += 1
        machine.renewed(event.token)
      }
    case SessionRevoked.opcode:
      revoked((try? SessionRevoked(decoding: body)) ?? SessionRevoked())
    default: pushedOfMatches(opcode, body)
    }
  }

  /// Hands the events that have come to the game, after a while, and reads missing ones.
  func tendEvents() {
    if paged != nil { return readPaged() }
    if !isDraining {
      isDraining = true
      later(schedule.isChance(oneIn: 20) ? schedule.number(0...500) : 0) { [self] in
        isDraining = false
        drain()
      }
    }
    if isReady, let read = follower.startReading() {
      call(read.after, read.limit) { [self] reply in
        guard let reply else { return follower.readFailed() }
        let new = follower.read(reply)
        for event in new { events.handed(event) }
        passed(from: new.last?.sequence ?? read.after)
      }
    }
    if isReady, let read = events.startReading() {
      call(read.after, read.limit) { [self] reply in
        if let reply { events.read(reply) } else { events.readFailed() }
      }
    }
  }

  private func readPaged() {
    guard isReady, let place = paged?.startReading() else { return }
    call(place, UInt32(StreamLimits.pageMax)) { [self] reply in
      guard let reply else {
        paged?.readFailed()
        return
      }
      for event in paged?.read(reply) ?? [] { take(event) }
    }
  }

  private func call(
    _ place: UInt64, _ limit: UInt32, _ done: @escaping (ReadEvents.Reply?) -> Void
  ) {
    var operation = ReadEvents()
    operation.after = place
    operation.limit = min(limit, UInt32(schedule.number(1...40)))
    call(CallBook.Request(operation, diesWithConnection: true), within: 10_000) { [self] result in
      let reply = try? spoiled(ReadEvents.Reply(decoding: result.get()))
      if let reply { feed.removed(through: reply.removedThrough) }
      done(reply)
      if reply != nil { return tendEvents() }
      later(Self.readAgainMilliseconds) { [self] in tendEvents() }
    }
  }

  private func drain() {
    var isTaken = false
    while let event = events.take() {
      isTaken = true
      if event.isAfterLoss && event.kind != EventsDropped.opcode && !feed.comesAgain {
        if device == nil { deployment.fail("\(player) was told of a loss of events") }
        deployment.count(.devicesToldOfLoss)
      }
      take(event.streamed)
    }
    if isTaken {
      acknowledgeLater()
      tendEvents()
    }
  }

  /// So that the first device is never left behind: the checks need all that its player was told.
  private func acknowledgeLater() {
    guard deployment.options.isSociety, deployment.options.isChatty, device == nil,
      !hasAcknowledgement
    else { return }
    hasAcknowledgement = true
    later(100) { [self] in
      hasAcknowledgement = false
      var acknowledge = Acknowledge()
      acknowledge.through = feed.through
      if isReady { call(CallBook.Request(acknowledge), within: 2_000) { _ in } }
    }
  }

  private func take(_ event: StreamEvent) {
    let missedCount = feed.missed.count
    if let fault = feed.take(event, deployment.ledger.erasures) {
      deployment.fail("player \(player): \(fault)")
    }
    if feed.missed.count > missedCount, let fault = judge(feed.missed[missedCount]) {
      deployment.fail(fault)
    }
    if event.kind == JoiningEnded.opcode.rawValue,
      let ended = try? JoiningEnded(decoding: event.body.array)
    {
      deployment.matchLog.heard(ended, by: player, now: schedule.now)
    }
  }

  /// The session is over: the feed begins again after the last event that the game has taken.
  func endEvents() {
    // A device that has got nothing yet has kept no place.
    let isNew = device != nil && feed.events.isEmpty
    if isNew { feed = EventLog(from: nil) }
    let place = isNew ? nil : StreamPlace(feed.through)
    events = EventFeed(after: place, capacity: Self.feedCapacity)
    follower = StreamFollower()
    paged?.ended()
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

extension SimulatedClient {
  /// What was told before a block comes before the block's answer: both take the same way.
  private func took(_ hint: HintEvent) {
    var hint = hint
    if deployment.options.canary == .unaskedPresence { hint.kind &= ~Canary.unknownHint }
    hints.append(hint)
    guard hint.kind == PresenceChanged.opcode.rawValue,
      let change = try? PresenceChanged(decoding: hint.body.array)
    else { return }
    if blocks.contains(change.player) {
      deployment.fail("\(player) is told of the presence of \(change.player), whom it blocks")
    }
  }
}
