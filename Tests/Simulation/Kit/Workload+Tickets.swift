import MusterKit
import Operations
import Wire

/// Players and parties look for matches, cancel, block each other, and answer invitations.
extension Workload {
  static let skillStep: Int64 = 3
  /// In milliseconds.
  static let skillLoosensAt: Int64 = 2_000
  static let sizeLoosensAt: Int64 = 4_000

  /// Two players with one map, which never loosens; and three to eight, of whom fewer are enough
  /// the longer a ticket waits.
  static let queues: [QueueDefinition] = {
    var duel = QueueDefinition()
    (duel.playerGroup, duel.minPlayers, duel.maxPlayers) = ("duel", 2, 2)
    duel.lifetimeSeconds = 20
    duel.rules = [rule(.word, "map", [.init(after: 0)])]
    var crowd = QueueDefinition()
    (crowd.playerGroup, crowd.minPlayers, crowd.maxPlayers) = ("crowd", 2, 8)
    crowd.lifetimeSeconds = 30
    crowd.rules = [
      rule(.word, "map", [.init(after: 0)]),
      rule(
        .number, "skill",
        [
          .init(after: 0, limit: UInt32(skillStep)),
          .init(after: UInt32(skillLoosensAt / 1000), isAny: true),
        ]),
      rule(
        .size, "",
        [.init(after: 0, limit: 3), .init(after: UInt32(sizeLoosensAt / 1000), limit: 2)]),
    ]
    return [duel, crowd]
  }()

  private static func rule(
    _ kind: MatchRuleKind, _ property: String, _ steps: [MatchRuleStep]
  ) -> MatchRule {
    var rule = MatchRule()
    (rule.kind, rule.property, rule.steps) = (kind, property, steps)
    return rule
  }

  func queue(_ client: SimulatedClient) {
    switch number(0...41) {
    case 0..<10: findMatch(client)
    case 10..<12: for client in clients where free(client.player) != nil { findMatch(client) }
    case 12..<15: cancelTicket(client)
    case 15..<17: inviteToMatch(client)
    case 17..<21: answerMatchInvite(client)
    case 21: takeBackInvite(client)
    case 22..<24: blockSome(client)
    case 24..<40: playFound(client)
    default: befriend(client)
    }
  }

  private func criteria(_ playerGroup: String) -> MatchCriteria {
    var criteria = MatchCriteria()
    let isDuel = playerGroup == "duel"
    criteria.minPlayers = isDuel ? 2 : UInt32(number(2...3))
    let most = min(8, groupSizeMax)
    criteria.maxPlayers = isDuel ? 2 : UInt32(number(Int64(criteria.minPlayers)...most))
    criteria.words = [TicketWord("map", schedule.isChance(oneIn: 5) ? "moon" : "sea")]
    criteria.numbers = [TicketNumber("skill", number(0...5))]
    return criteria
  }

  private var playerGroup: String { schedule.isChance(oneIn: 2) ? "duel" : "crowd" }

  private func findMatch(_ client: SimulatedClient) {
    var find = FindMatch()
    find.playerGroup = playerGroup
    find.criteria = criteria(find.playerGroup)
    client.call(find) { [self] result in
      guard case .success(let reply) = result else { return }
      gathering.tickets[client.player, default: []].append((reply.ticket, find.playerGroup))
      // The players look for each other while it is on its way.
      if schedule.isChance(oneIn: 12) { cancelTicket(client) }
    }
  }

  private func cancelTicket(_ client: SimulatedClient) {
    let placed = client.feed.all(MatchInviteEnded.self).compactMap { event in
      event.ticket.map { (ticket: $0, playerGroup: event.playerGroup) }
    }
    let own = (gathering.tickets[client.player] ?? []) + placed
    guard let ticket = schedule.isChance(oneIn: 4) ? schedule.pick(own) : own.last else { return }
    var cancel = CancelTicket()
    (cancel.ticket, cancel.playerGroup) = (ticket.ticket, ticket.playerGroup)
    client.call(cancel)
  }

  // MARK: Parties

  private func inviteToMatch(_ client: SimulatedClient) {
    var invite = InvitePlayers()
    invite.recipients = client.feed.all(FriendAccepted.self).map(\.player)
      .filter { _ in schedule.isChance(oneIn: 2) }
    invite.recipients = Array(Set(invite.recipients).sorted().prefix(2))
    if invite.recipients.isEmpty { return befriend(client) }
    invite.isAutomatching = !schedule.isChance(oneIn: 5)
    invite.playerGroup = "crowd"
    invite.criteria = criteria("crowd")
    invite.criteria.maxPlayers = UInt32(min(8, groupSizeMax))
    client.call(invite)
  }

  private func answerMatchInvite(_ client: SimulatedClient) {
    guard let invitation = client.feed.all(MatchInvitation.self).last else { return }
    var answer = AnswerMatchInvite()
    (answer.inviter, answer.invite) = (invitation.inviter, invitation.invite)
    answer.answer = schedule.isChance(oneIn: 6) ? .declined : .accepted
    client.call(answer)
  }

  private func takeBackInvite(_ client: SimulatedClient) {
    client.call(ListMatchInvites()) { [self] result in
      guard case .success(let list) = result, let invite = schedule.pick(list.invites) else {
        return
      }
      var cancel = CancelMatchInvite()
      cancel.invite = invite.invite
      client.call(cancel)
    }
  }

  // MARK: Blocks and matches

  private func blockSome(_ client: SimulatedClient) {
    let player = other(client)
    if !mayBlock(client.player, player) { return }
    if schedule.isChance(oneIn: 4) {
      var unblock = UnblockPlayer()
      unblock.player = player
      client.call(unblock)
    } else {
      var block = BlockPlayer()
      block.player = player
      deployment.matchLog.willBlock(client.player, player)
      client.call(block)
    }
  }

  /// Joins a match that was found, mostly with those who were found with the player, and plays it;
  /// or looks at its context, or leaves it.
  private func playFound(_ client: SimulatedClient) {
    let begun = client.openMatches.filter(\.hasBegun)
    if let match = schedule.pick(begun), !schedule.isChance(oneIn: 4) {
      return schedule.isChance(oneIn: 3) ? fill(match, client) : play(match, client)
    }
    // Most of the older ones are over.
    let all = client.feed.all(MatchFound.self).suffix(2)
    guard let found = schedule.pick(Array(all)) else { return findMatch(client) }
    switch number(0...9) {
    case 0: leaveContext(found.context, client)
    case 1: enter(found.context, client)
    case 2: client.openMatches.first { $0.context == found.context && $0.isJoined }?.leave()
    default:
      for player in comers(found) where player == client.player || !schedule.isChance(oneIn: 5) {
        joinFound(found.context, player, after: player == client.player ? 0 : number(0...2_000))
      }
    }
  }

  /// Looks for others to play along in a match that has begun, with all who are in its context.
  private func fill(_ match: SimulatedMatch, _ client: SimulatedClient) {
    var get = GetContext()
    get.context = match.context
    client.call(get) { [self] result in
      guard case .success(let info) = result, info.form == .matched else { return }
      var find = FindMatch()
      (find.playerGroup, find.criteria) = ("crowd", criteria("crowd"))
      find.criteria.maxPlayers = 8
      (find.party, find.match) = (match.context, match.name.number)
      find.members = info.players.filter { $0.state == .active && $0.player != client.player }
        .map(\.player)
      client.call(find) { [self] result in
        guard case .success(let reply) = result else { return }
        gathering.tickets[client.player, default: []].append((reply.ticket, find.playerGroup))
      }
    }
  }

  /// Those who join a match. To some of several one player never comes.
  private func comers(_ found: MatchFound) -> [PlayerID] {
    let isWithoutOne = RoutingKey(reinterpreting: found.context).low.isMultiple(of: 2)
    return found.players.count > 2 && isWithoutOne ? found.players.dropLast() : found.players
  }

  /// Whoever has left the context does not join: the two calls could overtake each other.
  private func joinFound(_ context: ContextID, _ player: PlayerID, after milliseconds: Int64) {
    schedule.after(milliseconds) { [self] in
      let log = deployment.matchLog
      guard log.hasStayed(in: context, player),
        let client = clients.first(where: { $0.player == player })
      else { return }
      log.found.contexts.insert(context)
      client.play(context, MatchStart())
    }
  }
}
