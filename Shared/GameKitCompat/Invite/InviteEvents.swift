internal import MusterKit

/// Follows invitations to matches for the game: asks the player, keeps what was accepted until the
/// player is authenticated and a listener is registered, and knows what came of it.
@MainActor
final class InviteEvents {
  /// Invitations that are kept, each of these; the oldest makes room.
  static let keptMax = 64

  private var received: [MatchInvitation] = []
  /// Who asks the player, of each invitation that waits for the player's answer.
  private var questions: [MatchInviteReference: Task<Void, Never>] = [:]
  /// Invitations that the player has accepted: nobody asks about them any more.
  private var agreed: [MatchInviteReference] = []
  /// Accepted invitations that no listener was told of yet.
  private var accepted: [MatchInviteReference] = []
  private var outcomes = InviteOutcomes()
  private var followers: [Task<Void, Never>] = []
  /// The player whose invitations these are; nil before anybody has signed in.
  private var player: PlayerID?

  /// Begins anew after the game has configured a client. What was accepted before anybody signed in
  /// waits on.
  func restart(isSameClient: Bool) {
    for follower in followers { follower.cancel() }
    followers = []
    if !isSameClient { forget() }
    if !GKLocalPlayer.local.listeners.live.isEmpty { follow() }
  }

  func listenerCame() {
    if followers.isEmpty { follow() }
    settle()
  }

  /// The player has accepted an invitation.
  func accept(_ invite: MatchInviteReference) {
    stopAsking(about: invite)
    outcomes.beginAnew(for: invite)
    if !agreed.contains(invite) { agreed.append(invite) }
    if agreed.count > Self.keptMax { agreed.removeFirst() }
    if accepted.contains(invite) { return }
    accepted.append(invite)
    if accepted.count > Self.keptMax { accepted.removeFirst() }
    settle()
  }

  /// Returns what came of an invitation that was accepted; nil when the task was cancelled or the
  /// player has signed out.
  func outcome(of invite: MatchInviteReference) async -> InviteOutcomes.Outcome? {
    if followers.isEmpty { follow() }
    for await outcome in outcomes.outcome(of: invite) { return outcome }
    return nil
  }

  // MARK: Following

  private func follow() {
    guard let client = GameKit.client else { return }
    followers = [
      Task { [weak self] in
        for await news in client.matchInvites {
          if Task.isCancelled { return }
          self?.heard(news, client)
        }
      },
      Task { [weak self] in
        for await _ in client.states {
          if Task.isCancelled { return }
          self?.settle()
        }
      },
    ]
  }

  private func heard(_ news: MatchInviteNews, _ client: any GameKitClient) {
    switch news {
    case .received(let invitation):
      if received.contains(where: { $0.reference == invitation.reference }) { return }
      received.append(invitation)
      if received.count > Self.keptMax { received.removeFirst() }
      ask(about: invitation, client)
    case .answered(let invite, let answer):
      stopAsking(about: invite)
      if answer != .accepted { outcomes.note(.answer(answer), of: invite) }
    case .ended(let ended):
      let invite = MatchInviteReference(inviter: ended.inviter, invite: ended.invite)
      stopAsking(about: invite)
      if let context = ended.context {
        outcomes.note(.match(context), of: invite)
      } else if let ticket = ended.ticket {
        outcomes.note(.ticket(ticket, playerGroup: ended.playerGroup), of: invite)
      } else {
        outcomes.note(.answer(.noAnswer), of: invite)
      }
    case .found(let found):
      // Of an invitation to a running match nothing else says that it has come to its end.
      for invitation in received where invitation.context == found.context {
        stopAsking(about: invitation.reference)
        outcomes.note(.match(found.context), of: invitation.reference)
      }
    case .closed(let invite): stopAsking(about: invite)
    case .heard: break
    }
  }

  private func ask(about invitation: MatchInvitation, _ client: any GameKitClient) {
    let reference = invitation.reference
    guard let show = GameKit.showInviteBanner, !agreed.contains(reference) else { return }
    questions[reference] = Task { [weak self] in
      let invite = await Self.load(reference, invitation, client)
      if Task.isCancelled { return }
      let answer = await show(invite)
      // The invitation may be over, and the next player be asked about it.
      if Task.isCancelled { return }
      self?.questions[reference] = nil
      switch answer {
      case true?: self?.accept(reference)
      case false?:
        var operation = AnswerMatchInvite()
        (operation.inviter, operation.invite) = (invitation.inviter, invitation.invite)
        operation.answer = .declined
        _ = try? await client.call(operation, deadline: nil)
      case nil: break
      }
    }
  }

  private func stopAsking(about invite: MatchInviteReference) {
    questions.removeValue(forKey: invite)?.cancel()
  }

  private static func load(
    _ invite: MatchInviteReference, _ invitation: MatchInvitation?, _ client: any GameKitClient
  ) async -> GKInvite {
    let name = (try? await client.displayNames(of: [invite.inviter]))?[invite.inviter] ?? ""
    return GKInvite(invite, invitation, senderName: name)
  }

  // MARK: Telling

  /// Answers what was accepted and tells the listeners, when the player is authenticated and a
  /// listener is there.
  func settle() {
    guard let client = GameKit.client else { return }
    let player = client.session?.player
    if let known = self.player, player != known { forget() }
    guard let player, GKLocalPlayer.local.isAuthenticationTold else { return }
    self.player = player
    guard !GKLocalPlayer.local.listeners.live.isEmpty else { return }
    let invites = accepted
    accepted = []
    for invite in invites { Task { await tell(invite, player, client) } }
  }

  private func tell(
    _ invite: MatchInviteReference, _ player: PlayerID, _ client: any GameKitClient
  ) async {
    do throws(MusterError) {
      try await client.acceptMatchInvite(invite)
    } catch {
      outcomes.note(.answer(.failed), of: invite)
    }
    let known = received.first { $0.reference == invite }
    let loaded = await Self.load(invite, known, client)
    guard client.session?.player == player, client === GameKit.client else { return }
    let listeners = GKLocalPlayer.local.listeners.live
    // The last listener has left meanwhile: the next one hears of it.
    if listeners.isEmpty { return accepted.append(invite) }
    for listener in listeners { listener.player(GKLocalPlayer.local, didAccept: loaded) }
  }

  /// Another player's invitations come.
  private func forget() {
    if player != nil { (accepted, agreed) = ([], []) }
    for question in questions.values { question.cancel() }
    (received, questions, player) = ([], [:], nil)
    outcomes.failAll()
  }
}
