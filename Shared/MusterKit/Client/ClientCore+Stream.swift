// What the client follows of the player's stream, whether or not anybody consumes it.

extension ClientCore {
  func pushed(_ event: StreamEvent) {
    if follower.takes(event) { hand(event) }
    tendFeeds()
  }

  /// Notes where the stream of a session stands. What its replay left out was not for this game.
  func followerBegan(_ started: SessionStarted) {
    let before = follower.place
    follower.began(started)
    if let before { passed(from: before.sequence) }
  }

  /// The server's stream is not the one that the client knows: it has gone back in time, and what
  /// is not acknowledged there comes again.
  func forgetPlace() {
    follower = StreamFollower()
    (acknowledged, settledThrough) = (0, 0)
    for feed in feeds.values { feed.machine.forget() }
    deliver(book.streamReplaced())
    readContext()
  }

  /// Reads what the client has missed.
  func follow() {
    guard machine.gate == .session, let read = follower.startReading() else { return }
    call(read) { [weak self] result in
      guard let self else { return }
      guard case .success(let reply) = result else { return follower.readFailed() }
      // What is gone may have said who is in the current context.
      if read.after < reply.removedThrough {
        readContext()
        consentsChanged()
      }
      let events = follower.read(reply)
      for event in events { hand(event) }
      // A consumer that has missed something has to ask by itself.
      passed(from: events.last?.sequence ?? max(read.after, reply.removedThrough))
    }
  }

  /// Each event comes here once and in order, so that an old one does not undo newer changes of the
  /// current context.
  private func hand(_ event: StreamEvent) {
    observe(event)
    let heard = PlayerEvent(event)
    perform(invites.heard(heard, now: now))
    if EventTopic.matchmaking.kinds.contains(heard.kind) { status.matchmaking.send(heard) }
    for feed in feeds.values { feed.machine.handed(event) }
  }

  private func passed(from start: UInt64) {
    guard let end = follower.place?.sequence, end > start else { return }
    for feed in feeds.values { feed.machine.passed(from: start, through: end) }
  }
}
