import Domain
import Operations
import Wire

extension MatchInvites {
  func answerMatchInvite(
    _ operation: AnswerMatchInvite, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> AnswerMatchInvite.Reply {
    let key = MatchInviteKey(
      inviter: operation.inviter, game: call.game, invite: operation.invite)
    let blocked = try call.fact(FetchBlocks.self).blocked
    // Whoever is blocked by the inviter finds the invitation gone.
    guard try call.fact(FetchPlayer.self, at: operation.inviter).isReachable,
      !blocked.contains(operation.inviter), var row = table[key],
      let place = row.recipients.firstIndex(where: { $0.player == call.player }),
      row.recipients[place].isTold
    else { throw .notFound("invite", "You have no such invitation, or it is over.") }
    var reply = AnswerMatchInvite.Reply()
    let before = row.recipients[place].answer
    if before != .pending {
      guard before == operation.answer || before == .unableToConnect else {
        throw .conflict("answer", "You have answered this invitation already.")
      }
      reply.answer = before
      return reply
    }
    reply.answer = operation.answer
    if operation.answer == .accepted {
      let others = row.accepted + row.present.filter { $0 != call.player && $0 != row.key.inviter }
      let reachable = try call.facts(FetchPlayer.self, at: others)
      if !reachable.allSatisfy(\.isReachable) || others.contains(where: blocked.contains) {
        reply.answer = .unableToConnect
      }
    }
    // From here on nothing is refused.
    row.recipients[place].answer = reply.answer
    if reply.answer == .accepted && row.match != 0 {
      askForSeat(&row, place, &transaction)
    } else {
      tell(row, call.player, reply.answer, &transaction)
    }
    settle(row, &transaction)
    return reply
  }

  func tell(
    _ row: MatchInviteRow, _ player: PlayerID, _ answer: MatchInviteAnswer,
    _ transaction: inout Transaction
  ) {
    var event = MatchInviteAnswered()
    event.invite = row.key.invite
    event.player = player
    event.answer = answer
    send(event, to: row.key.inviter, from: player, row, &transaction)
  }

  /// Keeps an invitation that waits for more, and concludes one that does not.
  private func settle(_ row: MatchInviteRow, _ transaction: inout Transaction) {
    if row.isAnswered {
      conclude(row, &transaction)
    } else {
      table.put(row, &transaction)
    }
  }

  func endMatchInvite(
    _ operation: EndMatchInvite, _ call: Call, _ transaction: inout Transaction
  ) {
    let inviter = PlayerID(reinterpreting: call.key)
    let key = MatchInviteKey(inviter: inviter, game: call.game, invite: operation.invite)
    guard var row = table[key], row.confirmation.isNil else { return }
    for place in row.recipients.indices where row.recipients[place].answer == .pending {
      row.recipients[place].answer = .noAnswer
      tell(row, row.recipients[place].player, .noAnswer, &transaction)
    }
    settle(row, &transaction)
  }

  /// A recipient has been invited too often. It was not told of this invitation, and can answer
  /// none: it looks like one who blocks the inviter, who would else learn of a block by the
  /// difference.
  func matchInviteRefused(
    _ operation: MatchInviteRefused, _ call: Call, _ transaction: inout Transaction
  ) {
    let key = MatchInviteKey(
      inviter: operation.inviter, game: call.game, invite: operation.invite)
    guard var row = table[key],
      let place = row.recipients.firstIndex(where: { $0.player == operation.player })
    else { return }
    row.recipients[place].isTold = false
    table.put(row, &transaction)
  }

  func cancelMatchInvite(
    _ operation: CancelMatchInvite, _ call: Call, _ transaction: inout Transaction
  ) {
    let key = MatchInviteKey(inviter: call.player, game: call.game, invite: operation.invite)
    guard var row = table[key] else { return }
    let accepted = row.match == 0 ? row.accepted : []
    let open = row.recipients.filter { $0.isTold && $0.answer == .pending }.map(\.player)
    if row.recipients.contains(where: { !$0.seatRequest.isNil }) {
      // Whoever gets a seat by now is told so: the row stays until that is known.
      for place in row.recipients.indices where row.recipients[place].answer == .pending {
        row.recipients[place].answer = .noAnswer
      }
      table.put(row, &transaction)
    } else {
      remove(row, &transaction)
    }
    announceEnd(of: row, to: accepted, &transaction)
    // Who has not accepted has nothing to do with one whom it blocks by now.
    announceEnd(of: row, to: open, unlessBlocked: true, &transaction)
  }

  private func remove(_ row: MatchInviteRow, _ transaction: inout Transaction) {
    table.remove(row.key, &transaction)
    transaction.cancelTimer(
      EndMatchInvite.self, on: row.key.inviter,
      item: RoutingKey(reinterpreting: row.key.invite))
  }

  func announceEnd(
    of row: MatchInviteRow, to players: [PlayerID], context: ContextID? = nil,
    ticket: MatchTicketID? = nil, unlessBlocked: Bool = false, _ transaction: inout Transaction
  ) {
    var event = MatchInviteEnded()
    event.invite = row.key.invite
    event.inviter = row.key.inviter
    event.context = context
    event.ticket = ticket
    event.playerGroup = ticket == nil ? "" : row.playerGroup
    for player in players {
      send(
        event, to: player, from: row.key.inviter, row, unlessBlocked: unlessBlocked, &transaction)
    }
  }

  // MARK: What comes of it

  /// All have answered: those who accepted get a match, or a ticket for one.
  private func conclude(_ row: MatchInviteRow, _ transaction: inout Transaction) {
    let players = [row.key.inviter] + row.accepted
    let isQueued = row.isAutomatching && players.count < row.criteria.maxPlayers
    if row.match == 0 && !isQueued && players.count >= max(2, Int(row.criteria.minPlayers)) {
      askToConfirm(row, players, &transaction)
      return
    }
    remove(row, &transaction)
    if row.match != 0 {
      announceEnd(of: row, to: [row.key.inviter], context: row.context, &transaction)
    } else if isQueued {
      let ticket = place(players, of: row, &transaction)
      announceEnd(of: row, to: players, ticket: ticket, &transaction)
    } else {
      announceEnd(of: row, to: players, &transaction)
    }
  }

  /// One who accepted may have blocked another since: each player's key says so, as for a match
  /// that a queue has found. The queue of tickets asks by itself.
  private func askToConfirm(
    _ row: MatchInviteRow, _ players: [PlayerID], _ transaction: inout Transaction
  ) {
    var row = row
    row.confirmation = transaction.identifier()
    row.awaited = players
    table.put(row, &transaction)
    for player in players {
      var question = ConfirmMatch()
      question.player = player
      question.queue = RoutingKey(reinterpreting: row.key.inviter)
      question.match = row.confirmation
      question.others = players.filter { $0 != player }
      transaction.effect(question, on: player, game: row.key.game)
    }
  }

  /// A player's key has said whether the player blocks another of those who accepted. With a block
  /// nothing comes of the invitation.
  func confirmed(
    _ operation: MatchConfirmed, _ call: Call, _ transaction: inout Transaction
  ) {
    let owner = PlayerInGame(player: PlayerID(reinterpreting: call.key), game: call.game)
    guard !operation.match.isNil,
      var row = table.rows(of: owner).first(where: { $0.confirmation == operation.match }),
      let place = row.awaited.firstIndex(of: operation.player)
    else { return }
    row.awaited.remove(at: place)
    if operation.blocked.isEmpty && !row.awaited.isEmpty {
      table.put(row, &transaction)
      return
    }
    remove(row, &transaction)
    let players = [row.key.inviter] + row.accepted
    let context = operation.blocked.isEmpty ? open(players, of: row, &transaction) : nil
    announceEnd(of: row, to: players, context: context, &transaction)
  }

  private func place(
    _ players: [PlayerID], of row: MatchInviteRow, _ transaction: inout Transaction
  ) -> MatchTicketID {
    var effect = PlaceTicket()
    effect.queue = RoutingKey(game: row.key.game, name: row.playerGroup)
    effect.ticket = transaction.identifier()
    effect.playerGroup = row.playerGroup
    effect.players = players
    effect.criteria = row.criteria
    transaction.effect(effect, on: effect.queue, game: row.key.game)
    return effect.ticket
  }

  private func open(
    _ players: [PlayerID], of row: MatchInviteRow, _ transaction: inout Transaction
  ) -> ContextID {
    var effect = OpenContext()
    effect.context = transaction.identifier()
    effect.players = players.map {
      ContextPlayer(player: $0, role: .participant, state: .active)
    }
    effect.needed = max(2, row.criteria.minPlayers)
    transaction.effect(effect, on: effect.context, game: row.key.game)
    var event = found(row, in: effect.context)
    event.players = players
    event.expectedPlayerCount = UInt32(players.count)
    for player in players {
      send(event, to: player, from: row.key.inviter, row, &transaction)
    }
    return effect.context
  }

  private func found(_ row: MatchInviteRow, in context: ContextID) -> MatchFound {
    var event = MatchFound()
    event.context = context
    event.playerGroup = row.playerGroup
    event.number = row.match
    return event
  }

  // MARK: A running match

  private func askForSeat(
    _ row: inout MatchInviteRow, _ place: Int, _ transaction: inout Transaction
  ) {
    row.recipients[place].seatRequest = transaction.identifier()
    let player = row.recipients[place].player
    var effect = AddMatchSeats()
    effect.context = row.context
    effect.number = row.match
    effect.players = [player]
    effect.present = row.present + row.accepted.filter { $0 != player }
    effect.answerTo = RoutingKey(reinterpreting: row.key.inviter)
    effect.request = row.recipients[place].seatRequest
    transaction.effect(effect, on: row.context, game: row.key.game)
  }

  /// The running match has given a seat to one who has accepted, or has none.
  func seatsAnswered(
    _ operation: MatchSeatsAnswered, _ call: Call, _ transaction: inout Transaction
  ) {
    let owner = PlayerInGame(player: PlayerID(reinterpreting: call.key), game: call.game)
    guard !operation.request.isNil,
      var row = table.rows(of: owner).first(where: { row in
        row.recipients.contains { $0.seatRequest == operation.request }
      }),
      let place = row.recipients.firstIndex(where: { $0.seatRequest == operation.request })
    else { return }
    let player = row.recipients[place].player
    row.recipients[place].seatRequest = ContextID()
    row.recipients[place].answer = operation.isGiven ? .accepted : .unableToConnect
    tell(row, player, row.recipients[place].answer, &transaction)
    if operation.isGiven {
      var event = found(row, in: row.context)
      event.players = row.present + row.accepted.filter { !row.present.contains($0) }
      event.expectedPlayerCount = 1
      send(event, to: player, from: row.key.inviter, row, &transaction)
    } else {
      announceEnd(of: row, to: [player], &transaction)
    }
    settle(row, &transaction)
  }
}
