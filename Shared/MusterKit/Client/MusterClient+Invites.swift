internal import Transport

extension MusterClient {
  /// The player's invitations to matches. A listener may come before the sign-in and after it, and
  /// more than one may: the first one gets the news from before it, each later one the invitations
  /// that are open. The sequence goes on over sign-outs and ends when the client closes. A slow
  /// listener misses the oldest news.
  public nonisolated var matchInvites: AsyncStream<MatchInviteNews> {
    let (stream, listener) = AsyncStream.makeStream(
      of: MatchInviteNews.self, bufferingPolicy: .bufferingNewest(4 * MatchInviteInbox.keptMax))
    let registration = Task { await self.listen(listener) }
    // Before anybody has the stream: a handler that is set after its end is not called.
    listener.onTermination = { [weak self] _ in
      Task {
        if let number = await registration.value { await self?.stopListening(number) }
      }
    }
    return stream
  }

  private func listen(_ listener: AsyncStream<MatchInviteNews>.Continuation) -> UInt64? {
    guard let core = try? core() else {
      listener.finish()
      return nil
    }
    return core.listen(listener)
  }

  private func stopListening(_ number: UInt64) {
    guard !status.isClosed, let core = try? core() else { return }
    core.stopListening(number)
  }

  /// Accepts an invitation for the player, who has agreed to it. It is answered as soon as the
  /// player is signed in and somebody listens to `matchInvites`, to whom the answer that counts is
  /// told: at once, or when the app that was launched by the invitation has come so far. Accepting
  /// it again changes nothing, and has the answer told again; after `failed` it is another try.
  /// Other answers are given by `call(AnswerMatchInvite)`.
  public func acceptMatchInvite(_ invite: MatchInviteReference) throws(MusterError) {
    let core = try core()
    core.perform(core.invites.accept(invite))
  }

  /// Joins a match that was found. When the task is cancelled, the player leaves its context.
  public nonisolated func join(_ found: MatchFound) async throws(MusterError) -> Match {
    try await joinFound(found.context)
  }
}

extension ClientCore {
  func listen(_ listener: AsyncStream<MatchInviteNews>.Continuation) -> UInt64 {
    let (news, actions) = invites.listened(now: now)
    inviteListenerCount += 1
    inviteListeners[inviteListenerCount] = listener
    for one in news { listener.yield(one) }
    perform(actions)
    return inviteListenerCount
  }

  func stopListening(_ number: UInt64) {
    if inviteListeners.removeValue(forKey: number) != nil { invites.left() }
  }

  func perform(_ actions: [MatchInviteInbox.Action]) {
    for action in actions {
      switch action {
      case .tell(let news): for listener in inviteListeners.values { listener.yield(news) }
      case .answer(let reference): accept(reference)
      case .close(let reference, let milliseconds):
        loop.after(milliseconds) { [weak self] in
          guard let self else { return }
          perform(invites.timeIsUp(for: reference))
        }
      }
    }
  }

  private func accept(_ reference: MatchInviteReference) {
    var operation = AnswerMatchInvite()
    (operation.inviter, operation.invite) = (reference.inviter, reference.invite)
    operation.answer = .accepted
    let deadline = configuration.callDeadline.milliseconds
    call(reserveCall(), CallBook.Request(operation), within: deadline) { [weak self] result in
      let answer = result.flatMap { bytes in
        Result { () throws(WireError) in try AnswerMatchInvite.Reply(decoding: bytes).answer }
          .mapError { _ in MusterError(.malformed, "The answer cannot be read.") }
      }
      guard let self else { return }
      perform(
        invites.answered(reference, answer, isConnected: status.state == .connected))
    }
  }
}
