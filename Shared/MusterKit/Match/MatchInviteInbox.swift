/// Names an invitation to a match, as a notification that the app is launched by may carry it.
public struct MatchInviteReference: Sendable, Hashable {
  public var inviter: PlayerID
  public var invite: MatchInviteID

  public init(inviter: PlayerID, invite: MatchInviteID) {
    (self.inviter, self.invite) = (inviter, invite)
  }
}

/// News of invitations to matches, those of others and the player's own.
public enum MatchInviteNews: Sendable {
  /// The player is invited.
  case received(MatchInvitation)
  /// What became of an invitation that the player has accepted by `acceptMatchInvite`: `accepted`,
  /// `unableToConnect`, `noAnswer` when it was over by then, `failed` when the server could not be
  /// told.
  case answered(MatchInviteReference, MatchInviteAnswer)
  /// A player whom this one has invited has answered, or has not in time.
  case heard(MatchInviteAnswered)
  /// Those who have accepted are put together: `MusterClient.join` takes the seat.
  case found(MatchFound)
  /// An invitation is over. With a ticket, those who have accepted wait for others by it:
  /// `MusterClient.match(of:in:)` waits with them.
  case ended(MatchInviteEnded)
  /// An invitation that came can no longer be answered, and nothing else says so: its time is up,
  /// or the game has answered it by a call of its own.
  case closed(MatchInviteReference)
}

/// Keeps the news of invitations for who listens, and the invitations that the player has accepted
/// until there is a session and a listener. What is to be done comes back.
///
/// The first listener gets what came before it. A later one gets the invitations that are open
/// besides what is new. However many listen, an accepted invitation is answered once.
struct MatchInviteInbox {
  enum Action {
    case tell(MatchInviteNews)
    case answer(MatchInviteReference)
    /// Call `timeIsUp` after so many milliseconds.
    case close(MatchInviteReference, afterMilliseconds: UInt64)
  }

  /// Open invitations, and news that nobody has heard, each; the oldest make room for new ones.
  /// Nobody can answer more in the minute that an invitation waits.
  static let keptMax = 64

  private struct Open {
    var invitation: MatchInvitation
    /// By the client's clock: from then on it can hardly be answered in time, and nobody says when
    /// it ended.
    var goneAt: UInt64
  }

  private var open: [Open] = []
  private var untold: [MatchInviteNews] = []
  private var accepted: [MatchInviteReference] = []
  private var underWay: Set<MatchInviteReference> = []
  /// What became of the newest invitations that are over or answered: their events and answers come
  /// in any order.
  private var outcomes: [(of: MatchInviteReference, answer: MatchInviteAnswer)] = []
  private var listenerCount = 0
  private var hasSession = false
  /// What the server said last on the present connection that the time is; nil before the session
  /// began on it. The client's own clock may run fast, and would hide invitations that come and can
  /// still be answered. One that is shown too late is refused when it is answered.
  private var serverTime: Int64?
  /// Invitations that came before that, of which nobody knows yet how old they are.
  private var undated: [PlayerEvent] = []

  /// Takes the next event of the player's stream.
  /// - Parameter now: in milliseconds, of any clock.
  mutating func heard(_ event: PlayerEvent, now: UInt64) -> [Action] {
    if let before = serverTime { serverTime = max(before, event.time) }
    if let invitation = event.decode(MatchInvitation.self) {
      return received(invitation, by: event, now: now)
    }
    if let answer = event.decode(MatchInviteAnswered.self) { return tell(.heard(answer)) }
    if let ended = event.decode(MatchInviteEnded.self) {
      forget(ended.invite)
      // Only those who have accepted hear to what it came.
      let cameToMatch = ended.context != nil || ended.ticket != nil
      note(
        MatchInviteReference(inviter: ended.inviter, invite: ended.invite),
        cameToMatch ? .accepted : .noAnswer)
      return tell(.ended(ended))
    }
    if let found = event.decode(MatchFound.self), found.ticket.isNil {
      // Nothing else says that an invitation to a running match has come to its end.
      let waiting = undated.compactMap { $0.decode(MatchInvitation.self) }
      for invitation in open.map(\.invitation) + waiting where invitation.context == found.context {
        forget(invitation.invite)
        note(invitation.reference, .accepted)
      }
      return tell(.found(found))
    }
    return []
  }

  private mutating func received(
    _ invitation: MatchInvitation, by event: PlayerEvent, now: UInt64
  ) -> [Action] {
    guard let serverTime else {
      undated.append(event)
      if undated.count > Self.keptMax { undated.removeFirst() }
      return []
    }
    let reference = invitation.reference
    if open.contains(where: { $0.invitation.reference == reference }) { return [] }
    if outcome(of: reference) != nil { return [] }
    let left = invitation.end(after: event.time) - serverTime
    guard left > 0 else { return [] }
    open.append(Open(invitation: invitation, goneAt: now + UInt64(left)))
    if open.count > Self.keptMax { open.removeFirst() }
    return tell(.received(invitation))
      + [.close(reference, afterMilliseconds: UInt64(left))]
  }

  /// The time of an invitation is up: of one that is still open, or of one that was.
  mutating func timeIsUp(for reference: MatchInviteReference) -> [Action] { close(reference) }

  /// A call that answers an invitation was answered.
  mutating func called(_ operation: AnswerMatchInvite, _ answer: MatchInviteAnswer) -> [Action] {
    let reference = MatchInviteReference(inviter: operation.inviter, invite: operation.invite)
    // This call is the client's: `answered` takes its outcome.
    if underWay.contains(reference) { return [] }
    note(reference, answer)
    return close(reference)
  }

  private mutating func close(_ reference: MatchInviteReference) -> [Action] {
    guard open.contains(where: { $0.invitation.reference == reference }) else { return [] }
    forget(reference.invite)
    return tell(.closed(reference))
  }

  /// Returns what a new listener is told, and what is to be done now that there is one.
  mutating func listened(now: UInt64) -> (news: [MatchInviteNews], actions: [Action]) {
    open.removeAll { $0.goneAt <= now }
    var news = open.map { MatchInviteNews.received($0.invitation) }
    news += untold.filter { if case .received = $0 { false } else { true } }
    untold = []
    listenerCount += 1
    return (news, answer())
  }

  mutating func left() { listenerCount -= 1 }

  /// The player has accepted an invitation. Of one that is over or answered the outcome is told
  /// again.
  mutating func accept(_ reference: MatchInviteReference) -> [Action] {
    if underWay.contains(reference) { return [] }
    if let answer = outcome(of: reference) { return tell(.answered(reference, answer)) }
    if !accepted.contains(reference) { accepted.append(reference) }
    if accepted.count > Self.keptMax { accepted.removeFirst() }
    return answer()
  }

  /// - Parameter isConnected: whether the connection is there. Where it is not, it is answered when
  ///   it is there again.
  mutating func answered(
    _ reference: MatchInviteReference, _ result: Result<MatchInviteAnswer, MusterError>,
    isConnected: Bool
  ) -> [Action] {
    if underWay.remove(reference) == nil { return [] }
    switch result {
    case .success(let answer): return conclude(reference, answer)
    // It may be over because of this very answer, whose reply was lost.
    case .failure(let error) where error.code == .notFound:
      return conclude(reference, outcome(of: reference) ?? .noAnswer)
    case .failure(let error) where error.code == .conflict: return conclude(reference, .noAnswer)
    case .failure(let error)
    where (error.code == .disconnected || error.code == .deadlineExceeded) && !isConnected:
      accepted.append(reference)
      return []
    case .failure: return tell(.answered(reference, .failed))
    }
  }

  private mutating func conclude(_ reference: MatchInviteReference, _ answer: MatchInviteAnswer)
    -> [Action]
  {
    forget(reference.invite)
    note(reference, answer)
    return tell(.answered(reference, answer))
  }

  private func outcome(of reference: MatchInviteReference) -> MatchInviteAnswer? {
    outcomes.first { $0.of == reference }?.answer
  }

  /// The first outcome counts, but for one that was put down to nobody having answered.
  private mutating func note(_ reference: MatchInviteReference, _ answer: MatchInviteAnswer) {
    if let place = outcomes.firstIndex(where: { $0.of == reference }) {
      if outcomes[place].answer == .noAnswer { outcomes[place].answer = answer }
      return
    }
    outcomes.append((reference, answer))
    if outcomes.count > Self.keptMax { outcomes.removeFirst() }
  }

  /// A session has begun or was resumed, at `time` by the server's clock.
  mutating func began(at time: Int64, now: UInt64) -> [Action] {
    hasSession = true
    serverTime = time
    defer { undated = [] }
    return undated.flatMap { heard($0, now: now) } + answer()
  }

  mutating func disconnected() { serverTime = nil }

  /// The session is over, and what was of its player is too. What was accepted before the first one
  /// waits on.
  mutating func ended() {
    (serverTime, undated) = (nil, [])
    if !hasSession { return }
    hasSession = false
    (open, untold, accepted, underWay, outcomes) = ([], [], [], [], [])
  }

  private mutating func answer() -> [Action] {
    guard hasSession, listenerCount > 0 else { return [] }
    defer { accepted = [] }
    underWay.formUnion(accepted)
    return accepted.map { .answer($0) }
  }

  private mutating func tell(_ news: MatchInviteNews) -> [Action] {
    if listenerCount > 0 { return [.tell(news)] }
    untold.append(news)
    if untold.count > Self.keptMax { untold.removeFirst() }
    return []
  }

  private mutating func forget(_ invite: MatchInviteID) {
    open.removeAll { $0.invitation.invite == invite }
  }
}

extension MatchInvitation {
  public var reference: MatchInviteReference {
    MatchInviteReference(inviter: inviter, invite: invite)
  }

  /// When an answer comes too late, by the clock of the stream. A service from before
  /// `waitMilliseconds` says it by its own clock alone.
  fileprivate func end(after time: Int64) -> Int64 {
    waitMilliseconds == 0 ? expiresAt : time + Int64(waitMilliseconds)
  }
}
