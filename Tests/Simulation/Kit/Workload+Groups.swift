import MusterKit
import Operations
import Wire

/// Groups with few places, into which everybody wants.
extension Workload {
  private static let groupsMax = 3
  var groupSizeMax: Int64 { Int64(deployment.options.groupSizeMax) }

  func group(_ client: SimulatedClient) {
    guard let group = schedule.pick(gathering.groups), let info = gathering.infos[group] else {
      return createGroup(client)
    }
    if gathering.groups.count < Self.groupsMax, schedule.isChance(oneIn: 5) {
      return createGroup(client)
    }
    let owner = free(info.players.first { $0.role == .owner }?.player) ?? client
    switch number(0...24) {
    case 0..<6: join(group, client)
    case 6: for client in clients where free(client.player) != nil { join(group, client) }
    case 7..<10: enter(group, client)
    case 10..<12: invite(info, schedule.isChance(oneIn: 2) ? owner : client)
    case 12..<15: answerRequest(owner)
    case 15..<18: leaveContext(group, client)
    case 18: remove(info, schedule.isChance(oneIn: 4) ? client : owner)
    case 19: changeRole(info, owner)
    case 20..<22: changeSettings(info, owner)
    case 22: if schedule.isChance(oneIn: 2) { close(info, owner) }
    default: reopen(group, client)
    }
  }

  func createGroup(_ client: SimulatedClient) {
    var create = CreateGroupContext()
    create.sizeMax = UInt32(number(2...groupSizeMax))
    create.policy = policy
    create.players = invitees(of: client)
    if create.players.count >= create.sizeMax { create.players = [] }
    client.call(create) { [self] result in
      guard case .success(let reply) = result else { return }
      gathering.groups.append(reply.info.context)
      heard(reply.info)
    }
  }

  private var policy: JoinPolicy {
    schedule.pick([.open, .open, .open, .byRequest, .byRequest, .byInvite]) ?? .open
  }

  /// None whom the client may come to block: an invitation between the two would be withdrawn.
  private func invitees(of client: SimulatedClient) -> [PlayerID] {
    var players: [PlayerID] = []
    for _ in 0..<number(0...3) {
      let player = other(client)
      if !mayBlock(client.player, player), !players.contains(player) { players.append(player) }
    }
    return players
  }

  func join(_ group: ContextID, _ client: SimulatedClient) {
    var join = JoinContext()
    join.context = group
    client.call(join) { [self] result in
      if case .success(let info) = result, info.player(client.player) == .active { heard(info) }
    }
  }

  func enter(_ group: ContextID, _ client: SimulatedClient) {
    var enter = SwitchContext()
    enter.context = group
    client.call(enter) { [self] result in
      if case .success(let info) = result { heard(info) }
    }
  }

  private func invite(_ info: ContextInfo, _ client: SimulatedClient) {
    var invite = InviteToContext()
    invite.context = info.context
    invite.players = invitees(of: client)
    if invite.players.isEmpty { return }
    client.call(invite) { [self] result in
      if case .success(let reply) = result { heard(reply.info) }
    }
  }

  private func answerRequest(_ client: SimulatedClient) {
    let asked = client.feed.all(ContextJoinRequested.self)
      .filter { !mayBlock(client.player, $0.player) }
    guard let request = schedule.pick(asked) else { return }
    var answer = AnswerContextRequest()
    (answer.context, answer.player) = (request.context, request.player)
    answer.accept = !schedule.isChance(oneIn: 4)
    client.call(answer) { [self] result in
      if case .success(let info) = result { heard(info) }
    }
  }

  private func changeRole(_ info: ContextInfo, _ client: SimulatedClient) {
    guard let player = schedule.pick(info.players)?.player else { return }
    var change = ChangeContextRole()
    (change.context, change.player) = (info.context, player)
    change.role = schedule.pick([.participant, .moderator, .moderator, .owner]) ?? .participant
    client.call(change) { [self] result in
      if case .success(let info) = result { heard(info) }
    }
  }

  private func changeSettings(_ info: ContextInfo, _ client: SimulatedClient) {
    var change = ChangeContextSettings()
    change.context = info.context
    if schedule.isChance(oneIn: 2) { change.sizeMax = UInt32(number(2...groupSizeMax + 1)) }
    if schedule.isChance(oneIn: 2) { change.policy = policy }
    client.call(change) { [self] result in
      if case .success(let info) = result { heard(info) }
    }
  }

  private func reopen(_ group: ContextID, _ client: SimulatedClient) {
    var reopen = ReopenContext()
    reopen.context = group
    client.call(reopen) { [self] result in
      if case .success(let info) = result { heard(info) }
    }
  }

  // MARK: Taking others out

  private func remove(_ info: ContextInfo, _ client: SimulatedClient) {
    guard let player = schedule.pick(info.players)?.player, player != client.player else { return }
    var remove = RemoveFromContext()
    (remove.context, remove.player) = (info.context, player)
    takeOut([player], of: info.context, by: remove, client) { [self] in heard($0) }
  }

  private func close(_ info: ContextInfo, _ client: SimulatedClient) {
    var close = CloseContext()
    close.context = info.context
    takeOut(clients.map(\.player), of: info.context, by: close, client) { _ in }
  }

  /// The match of those who are taken out comes to its end for them. Whether a join that is under
  /// way comes before or after is anybody's guess.
  private func takeOut<O: Operation>(
    _ players: [PlayerID], of context: ContextID, by operation: O, _ client: SimulatedClient,
    then: @escaping (O.Reply) -> Void
  ) {
    let matches = clients.filter { players.contains($0.player) }
      .compactMap { $0.matches[context] }.filter { !$0.seat.isOver }
    if matches.contains(where: { !$0.hasBegun }) { return }
    let log = deployment.matchLog
    for player in players { log.willLeave(context, player) }
    gathering.disturbed.insert(context)
    let request = CallBook.Request(operation)
    client.call(request, within: SimulatedClient.patience) { [self] result in
      guard case .success(let body) = result, let reply = try? O.Reply(decoding: body) else {
        // What is not known to be refused may be carried out yet.
        if case .failure(let error) = result, !error.isOutcomeUnknown {
          gathering.disturbed.remove(context)
        }
        return
      }
      gathering.disturbed.remove(context)
      for player in players { log.hasLeft(context, player, now: schedule.now) }
      for match in matches { match.mustEnd = true }
      then(reply)
    }
  }
}

extension ContextInfo {
  /// The state of a player; nil for one who is not told of.
  func player(_ player: PlayerID) -> ContextPlayerState? {
    players.first { $0.player == player }?.state
  }
}
