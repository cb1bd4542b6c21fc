internal import MusterKit

/// Finds the match that a request asks for: by a ticket, by inviting friends, or by both.
@MainActor
struct MatchFinder {
  let request: GKMatchRequest
  let client: any GameKitClient
  var observer = SearchObserver()
  /// Whether seats for which no friend is invited go to whoever waits.
  var isAutomatching = true
  /// Whether the game is played on its own server.
  var isHosted = false

  private var groupName: String { isHosted ? request.hostedGroupName : request.groupName }

  /// A context in which the players are, and of which nobody has joined the match.
  struct Found {
    var context: ContextID
    var names: [PlayerID: String] = [:]
  }

  /// Joins the match of an invitation that the local player has accepted.
  static func joined(_ invite: GKInvite, _ client: any GameKitClient) async throws(GKError)
    -> GKMatch
  {
    let found = try await accepted(invite, client)
    return try await MatchFinder(request: GKMatchRequest(), client: client).join(found)
  }

  func join(_ found: Found) async throws(GKError) -> GKMatch {
    do throws(MusterError) {
      let joining = FoundMatch(in: found.context, client)
      return GKMatch(try await joining.seat(), names: found.names, found: joining)
    } catch {
      throw GKError(error)
    }
  }

  /// Brings together those whom the request asks for.
  func found() async throws(GKError) -> Found {
    let players = try request.invited()
    return players.isEmpty ? try await anybody() : try await invited(players)
  }

  /// Goes on with what was found, without joining a match there. When the search is cancelled
  /// meanwhile, the player leaves the context: the others would count on the player.
  func use<Value>(
    _ found: Found, _ work: (ContextID) async throws(GKError) -> Value
  ) async throws(GKError) -> Value {
    let result: Result<Value, GKError>
    do throws(GKError) {
      result = .success(try await work(found.context))
    } catch {
      result = .failure(error)
    }
    if !Task.isCancelled { return try result.get() }
    await uncancelled { [client] in await FoundMatch.leave(found.context, client) }
    throw GKError(.cancelled, "The search was cancelled.")
  }

  /// Waits for anybody.
  func anybody() async throws(GKError) -> Found {
    var operation = FindMatch()
    operation.playerGroup = groupName
    operation.criteria = try request.criteria
    let reply = try await client.call(operation)
    if reply.waits.ticketCount > 0 { observer.waits(.milliseconds(reply.waits.p50)) }
    return try await match(of: reply.ticket, operation.playerGroup)
  }

  func match(of ticket: MatchTicketID, _ playerGroup: String) async throws(GKError) -> Found {
    do throws(MusterError) {
      let info = try await client.ticketOutcome(of: ticket, in: playerGroup)
      guard info.state == .matched, let context = info.context else { throw MusterError(info) }
      return Found(context: context)
    } catch {
      throw GKError(error)
    }
  }

  /// Invites friends, and waits until all have answered or the time for it is over.
  func invited(_ players: [PlayerID]) async throws(GKError) -> Found {
    var operation = InvitePlayers()
    operation.recipients = players
    operation.message = request.inviteMessage ?? ""
    operation.playerGroup = groupName
    operation.criteria = try request.criteria
    operation.isAutomatching = isAutomatching && request.wants(moreThan: players.count + 1)
    if let fault = operation.fault { throw GKError(fault) }
    let ended = try await end(of: operation)
    if let ticket = ended.ticket { return try await match(of: ticket, ended.playerGroup) }
    guard let context = ended.context else {
      throw GKError(.notReachable, argument: "recipients", "Too few friends have accepted.")
    }
    // Without the names the match is found all the same; it loads them later.
    return Found(
      context: context, names: (try? await client.displayNames(of: players)) ?? [:])
  }

  /// Invites players and waits for the invitation's end; takes it back when the task is cancelled.
  func end(of operation: InvitePlayers) async throws(GKError) -> MatchInviteEnded {
    // From before the call: the answers may overtake its reply.
    let events = client.matchmakingEvents
    let invite = try await client.call(operation).invite
    PendingInvites.shared.began(invite, to: operation.recipients)
    defer { PendingInvites.shared.ended(invite) }
    for await event in events {
      if let answered = event.decode(MatchInviteAnswered.self), answered.invite == invite {
        tell(answered)
      }
      if let ended = event.decode(MatchInviteEnded.self), ended.invite == invite { return ended }
    }
    var cancel = CancelMatchInvite()
    cancel.invite = invite
    await uncancelled { [client, cancel] in _ = try? await client.call(cancel, deadline: nil) }
    // All may have answered just before: then it is over, and cancelling it has changed nothing.
    if operation.match == 0, let inviter = client.session?.player {
      Self.giveUp(MatchInviteReference(inviter: inviter, invite: invite), client)
    }
    throw GKError(.cancelled, "The search was cancelled.")
  }

  private func tell(_ answered: MatchInviteAnswered) {
    guard let response = GKInviteRecipientResponse(answered.answer) else { return }
    observer.answered(answered.player, response)
    let player =
      request.recipients?.first { $0.identifier == answered.player }
      ?? GKPlayer(answered.player, displayName: "")
    request.recipientResponseHandler?(player, response)
    request.inviteeResponseHandler?(player.playerID, response)
  }

  /// Waits for what comes of an invitation that the local player has accepted.
  static func accepted(_ invite: GKInvite, _ client: any GameKitClient) async throws(GKError)
    -> Found
  {
    switch await GKLocalPlayer.local.inviteEvents.outcome(of: invite.reference) {
    case .match(let context):
      let names = [invite.sender.identifier: invite.sender.displayName]
      return Found(context: context, names: names)
    case .ticket(let ticket, let playerGroup):
      let finder = MatchFinder(request: GKMatchRequest(), client: client)
      return try await finder.match(of: ticket, playerGroup)
    case .answer(let answer):
      throw GKError(.notFound, argument: "invite", "The invitation came to nothing: \(answer).")
    case nil:
      giveUp(invite.reference, client)
      throw GKError(.cancelled, "The search was cancelled.")
    }
  }

  /// The player has invited or accepted and does not come any more: the others are not kept
  /// waiting.
  private static func giveUp(_ invite: MatchInviteReference, _ client: any GameKitClient) {
    Task {
      switch await GKLocalPlayer.local.inviteEvents.outcome(of: invite) {
      case .match(let context): await FoundMatch.leave(context, client)
      case .ticket(let ticket, let playerGroup):
        var operation = CancelTicket()
        (operation.ticket, operation.playerGroup) = (ticket, playerGroup)
        _ = try? await client.call(operation, deadline: nil)
      case .answer, nil: break
      }
    }
  }
}
