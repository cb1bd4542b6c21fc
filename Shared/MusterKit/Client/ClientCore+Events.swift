internal import Transport

/// One consumer of events: its place in the stream, and whether it waits.
final class Feed {
  var machine: EventFeed
  private var waiter: ((PlayerEvent?) -> Void)?

  init(_ machine: EventFeed) { self.machine = machine }

  func wait(_ done: @escaping (PlayerEvent?) -> Void) {
    stopWaiting()
    waiter = done
    serve()
  }

  func serve() {
    guard let waiter, let event = machine.take() else { return }
    self.waiter = nil
    waiter(event)
  }

  func stopWaiting() {
    let done = waiter
    waiter = nil
    done?(nil)
  }

  func end() { stopWaiting() }
}

extension ClientCore {
  /// Acknowledgements of a while go as one.
  static let acknowledgeMilliseconds: UInt64 = 200
  static let readAgainMilliseconds: UInt64 = 1_000

  // MARK: What is pushed

  func received(_ header: FrameHeader, _ body: [UInt8]) {
    switch Opcode(rawValue: header.opcode) {
    case StreamEvent.opcode: if let event = try? StreamEvent(decoding: body) { pushed(event) }
    case SessionRenewed.opcode:
      if let event = try? SessionRenewed(decoding: body) { machine.renewed(event.token) }
    case SessionRevoked.opcode: perform(machine.revoked())
    case ServiceRestored.opcode:
      guard let event = try? ServiceRestored(decoding: body) else { return }
      if event.service == Service.context.rawValue { for match in matches.values { match.join() } }
    default: for match in matches.values { match.received(header.opcode, body) }
    }
  }

  private func pushed(_ event: StreamEvent) {
    // A replay may repeat what was seen, which is no news of the current context.
    if event.sequence > newestEvent ?? 0 { observe(event) }
    newestEvent = max(newestEvent ?? 0, event.sequence)
    for feed in feeds.values { feed.machine.pushed(event) }
    tendFeeds()
  }

  // MARK: Consumers

  func nextEvent(_ number: UInt64, after: UInt64?, done: @escaping (PlayerEvent?) -> Void) {
    checkThread()
    if let feed = feeds[number] {
      feed.wait(done)
    } else {
      let feed = Feed(EventFeed(after: after))
      feeds[number] = feed
      if let session = board.session, machine.gate == .session {
        feed.machine.began(
          acknowledged: max(acknowledged, session.acknowledged, settledThrough),
          streamEnd: newestEvent ?? 0)
      }
      feed.wait(done)
    }
    tendFeeds()
  }

  func stopWaiting(_ number: UInt64) { feeds[number]?.stopWaiting() }

  /// A consumer has left. What all had dealt with until then stays dealt with.
  func closeFeed(_ number: UInt64) {
    if configuration.acknowledgement == .automatic {
      // A cursor that a game has kept is not believed further than the stream goes.
      settledThrough = max(settledThrough, min(consumedThrough, newestEvent ?? 0))
    }
    feeds.removeValue(forKey: number)?.end()
    acknowledgeLater()
  }

  /// Hands over what has come, reads what is missing, acknowledges what was dealt with.
  func tendFeeds() {
    for (number, feed) in feeds {
      feed.serve()
      if machine.gate == .session, let read = feed.machine.startReading() {
        self.read(read, number)
      }
    }
    acknowledgeLater()
  }

  private func read(_ read: EventFeed.Read, _ number: UInt64) {
    var operation = ReadEvents()
    operation.after = read.after
    operation.limit = read.limit
    let request = CallBook.Request(operation, diesWithConnection: true)
    call(reserveCall(), request, within: configuration.callDeadline.milliseconds) {
      [weak self] result in
      guard let self, let feed = feeds[number] else { return }
      if let body = try? result.get(), let reply = try? ReadEvents.Reply(decoding: body) {
        feed.machine.read(reply)
        tendFeeds()
      } else {
        feed.machine.readFailed()
        loop.after(Self.readAgainMilliseconds) { [weak self] in self?.tendFeeds() }
      }
    }
  }

  // MARK: Acknowledging

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
    guard through > acknowledged, board.session?.kind == .player else {
      isAcknowledging = false
      return
    }
    var operation = Acknowledge()
    operation.through = through
    call(
      reserveCall(), CallBook.Request(operation),
      within: configuration.callDeadline.milliseconds
    ) { [weak self] result in
      guard let self else { return }
      isAcknowledging = false
      // What failed is told again with the next event; it only delays the server's forgetting.
      if case .success = result { acknowledgeLater() }
    }
  }
}
