internal import Transport

/// One consumer of events: its place in the stream, and the closure with which it waits.
final class Feed {
  var machine: EventFeed
  private var waiter: ((PlayerEvent?) -> Void)?

  init(_ machine: EventFeed) { self.machine = machine }

  /// Calls `done` with the next event as soon as there is one.
  func wait(_ done: @escaping (PlayerEvent?) -> Void) {
    stopWaiting()
    waiter = done
    serve()
  }

  /// Hands the next event to a consumer that waits.
  func serve() {
    guard let waiter, let event = machine.take() else { return }
    self.waiter = nil
    waiter(event)
  }

  /// Ends the consumer's wait with nil.
  func stopWaiting() {
    let done = waiter
    waiter = nil
    done?(nil)
  }
}

extension ClientCore {
  /// How long an acknowledgement waits, so that one call covers all events of that time.
  static let acknowledgeMilliseconds: UInt64 = 200
  /// How long a read that failed waits before it is tried again.
  static let readAgainMilliseconds: UInt64 = 1_000

  // MARK: What is pushed

  func received(_ header: FrameHeader, _ body: [UInt8]) {
    switch Opcode(rawValue: header.opcode) {
    case StreamEvent.opcode: if let event = try? StreamEvent(decoding: body) { pushed(event) }
    case HintEvent.opcode:
      if let event = try? HintEvent(decoding: body) {
        observe(event)
        status.hints.send(PlayerHint(event))
      }
    case SessionRenewed.opcode:
      if let event = try? SessionRenewed(decoding: body) { machine.renewed(event.token) }
    case SessionRevoked.opcode:
      if let event = try? SessionRevoked(decoding: body) { perform(machine.revoked(event)) }
    case ServiceRestored.opcode:
      guard let event = try? ServiceRestored(decoding: body) else { return }
      status.hints.send(PlayerHint(kind: ServiceRestored.opcode, body: body))
      guard event.service == Service.context.rawValue else { return }
      for match in matches.values { match.serviceRestored() }
    default:
      let opcode = Opcode(rawValue: header.opcode)
      for match in matches.values { match.received(opcode, body) }
    }
  }

  // MARK: Consumers

  func nextEvent(_ number: UInt64, after: StreamPlace?, done: @escaping (PlayerEvent?) -> Void) {
    checkThread()
    if let feed = feeds[number] {
      feed.wait(done)
    } else {
      let feed = Feed(EventFeed(after: after))
      feeds[number] = feed
      begin(feed)
      feed.wait(done)
    }
    tendFeeds()
  }

  /// Lets a feed begin in a session that has begun before.
  private func begin(_ feed: Feed) {
    guard let session = status.session, machine.gate == .session else { return }
    begin(feed, acknowledged: max(acknowledged, session.acknowledged, settledThrough))
  }

  func stopWaiting(_ number: UInt64) { feeds[number]?.stopWaiting() }

  /// Forgets a consumer that has left. What all consumers had dealt with by then stays
  /// acknowledged.
  func closeFeed(_ number: UInt64) {
    if configuration.acknowledgement == .automatic {
      // A game may have kept a cursor from a stream that was lost; beyond the newest event it means
      // nothing.
      settledThrough = max(settledThrough, min(consumedThrough, follower.place?.sequence ?? 0))
    }
    feeds.removeValue(forKey: number)?.stopWaiting()
    acknowledgeLater()
  }

  func begin(_ feed: Feed, acknowledged: UInt64, removedThrough: UInt64 = 0) {
    feed.machine.began(
      acknowledged: acknowledged, streamEnd: follower.streamEnd,
      followed: follower.place?.sequence ?? 0, removedThrough: removedThrough)
  }

  /// Hands over events that have come, reads those that are missing, and acknowledges those that
  /// were dealt with.
  func tendFeeds() {
    follow()
    for (number, feed) in feeds {
      feed.serve()
      if machine.gate == .session, let read = feed.machine.startReading() {
        self.read(read, number)
      }
    }
    acknowledgeLater()
  }

  private func read(_ read: EventFeed.Read, _ number: UInt64) {
    call(read) { [weak self] result in
      guard let self, let feed = feeds[number] else { return }
      switch result {
      case .success(let reply): feed.machine.read(reply)
      // The place that the game has kept is of a stream that was lost since.
      case .failure(let failure) where failure.code == .cursorLost:
        feed.machine.forget()
        begin(feed)
      case .failure: feed.machine.readFailed()
      }
    }
  }

  /// Reads events and goes on with the feeds: at once, or after a while when the read has failed.
  func call(
    _ read: EventFeed.Read, _ done: @escaping (Result<ReadEvents.Reply, MusterError>) -> Void
  ) {
    var operation = ReadEvents()
    (operation.after, operation.afterEvent) = (read.after, read.event)
    operation.limit = read.limit
    let request = CallBook.Request(operation, diesWithConnection: true)
    call(reserveCall(), request, within: configuration.callDeadline.milliseconds) {
      [weak self] result in
      let reply = result.flatMap { bytes in
        Result { () throws(WireError) in try ReadEvents.Reply(decoding: bytes) }
          .mapError { _ in MusterError(.malformed, "The page of events cannot be read.") }
      }
      done(reply)
      guard let self else { return }
      if case .success = reply { return tendFeeds() }
      loop.after(Self.readAgainMilliseconds) { [weak self] in self?.tendFeeds() }
    }
  }

  // MARK: Acknowledging

  /// The newest event up to which every consumer has dealt with all events.
  private var consumedThrough: UInt64 {
    let least = feeds.values.map { $0.machine.consumedThrough ?? 0 }.min()
    return max(least ?? 0, settledThrough)
  }

  private func acknowledgeLater() {
    guard configuration.acknowledgement == .automatic, !isAcknowledging,
      consumedThrough > acknowledged
    else { return }
    isAcknowledging = true
    loop.after(Self.acknowledgeMilliseconds) { [weak self] in self?.acknowledge() }
  }

  private func acknowledge() {
    let through = consumedThrough
    // Without a connection it would wait, and might be sent into another past. A session that
    // begins looks at what is to be acknowledged.
    guard through > acknowledged, status.session?.kind == .player, machine.gate == .session else {
      isAcknowledging = false
      return
    }
    var operation = Acknowledge()
    operation.through = through
    call(
      // Repeated over a new connection, it might mean another past.
      reserveCall(), CallBook.Request(operation, diesWithConnection: true),
      within: configuration.callDeadline.milliseconds
    ) { [weak self] result in
      guard let self else { return }
      isAcknowledging = false
      switch result {
      case .success: acknowledgeLater()
      // The service that has been restarted takes it once it has opened the session again. What is
      // said then is what holds then: another session looks at its own place.
      case .failure(let failure) where failure.code.isTransient:
        loop.after(Self.readAgainMilliseconds) { [weak self] in self?.acknowledgeLater() }
      case .failure: break
      }
    }
  }
}
