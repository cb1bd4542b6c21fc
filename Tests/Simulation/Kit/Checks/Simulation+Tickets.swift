import Operations
import Wire

extension Simulation {
  /// Every ticket has one end, of which its players were told alike, and each match is one that its
  /// tickets asked for.
  func checkTickets() throws(Violation) {
    var tickets = TicketModels(deployment.ledger.steps)
    let groups = try GroupModels(deployment.ledger.steps)
    var ends = TicketEnds()
    for client in workload.clients {
      for event in heard(MatchFound.self, by: client) { ends.heard(event, by: client.player) }
      for event in heard(JoiningEnded.self, by: client) {
        ends.joining[event.context, default: [:]][client.player] = event
      }
      for event in heard(TicketEnded.self, by: client) {
        if event.info.reason == .refused { tickets.refuse(client.player, event.info.ticket) }
        ends.ended[event.info.ticket, default: [:]][client.player, default: []]
          .append(event.info)
      }
      for info in try reply(ListTickets(), as: client.player).tickets {
        try require(
          ends.listed[info.ticket]?[client.player] == nil, "3.2 \(client.player) lists one twice")
        ends.listed[info.ticket, default: [:]][client.player] = info
      }
    }
    for id in tickets.all.keys.sorted() {
      if let ticket = tickets.all[id] { try check(ticket, ends) }
    }
    for id in ends.found.keys.sorted() {
      try check(
        match: id, told: ends.found[id] ?? [:], tickets, groups, tickets.foundAt[id] ?? .max)
    }
    for match in ends.filled.keys.sorted() {
      let foundAt = tickets.filledAt[FilledMatch(match.context, match.players)]
      try check(
        match: match.context, told: ends.filled[match] ?? [:], tickets, groups, foundAt ?? .max)
    }
    try checkJoining(tickets, ends)
    try checkQueues(tickets, ends)
    happenings.take(tickets, ends)
  }

  private func check(_ ticket: TicketModel, _ ends: TicketEnds) throws(Violation) {
    if ticket.players.isEmpty { return }
    let states = Set(ticket.players.map { ends.state(of: ticket, for: $0) })
    try require(
      states.count == 1, "3.2 ticket \(ticket) has ended as \(states.map { "\($0.state)" })")
    guard let end = states.first else { return }
    for player in ticket.players {
      let found = ends.found(ticket.id, by: player).count
      let ended = ends.ended[ticket.id]?[player]?.count ?? 0
      try require(found <= 1, "3.2 \(player) was matched twice by \(ticket)")
      let isCanceller = end.state == .cancelled && !ticket.cancelled.isEmpty
      try require(
        found == (end.state == .matched ? 1 : 0)
          && (end.state == .cancelled || end.state == .expired
            ? ended == 1 || ended == 0 && isCanceller : ended == 0),
        "3.2 \(player) was told \(found) times of a match and \(ended) times of the end of "
          + "\(ticket), which is \(end.state)")
    }
    for reply in ticket.cancelled {
      try require(
        reply.state == end.state && reply.context == end.context,
        "3.2 who cancelled \(ticket) was told \(reply), and it is \(end)")
    }
    try require(
      end.state != .waiting || outlasts(ticket, ends), "3.2 ticket \(ticket) waits for ever")
  }

  /// Whether a ticket from before its queue was declared waits, and for longer than the simulation
  /// does in the end.
  private func outlasts(_ ticket: TicketModel, _ ends: TicketEnds) -> Bool {
    guard !ticket.isUnderRules || ticket.askedAt == nil, let listed = ends.listed[ticket.id]?.values
    else { return false }
    return listed.allSatisfy {
      $0.state == .waiting && $0.expiresAt - $0.createdAt > Self.queueMilliseconds
    }
  }

  private func check(
    match id: ContextID, told: [PlayerID: [MatchFound]], _ tickets: TicketModels,
    _ groups: GroupModels, _ foundAt: Int64
  ) throws(Violation) {
    guard let event = told.values.first?.first else { return }
    try require(
      told.allSatisfy { $0.value.count == 1 && $0.value[0].players == event.players }
        && Set(event.players) == Set(told.keys) && event.players.count == told.count,
      "3.2 the players of match \(id) were told \(told)")
    try require(
      groups.all[id].map { $0.form == .matched } == true, "3.2 match \(id) has no context")
    let own = Set(told.values.map { $0[0].ticket }).sorted().compactMap { tickets.all[$0] }
    // Those who came by invitations alone had no ticket.
    if own.isEmpty { return }
    try require(
      own.flatMap(\.players).sorted() == event.players.sorted(),
      "3.2 match \(id) of \(event.players) divides a party of \(own)")
    for ticket in own {
      try checkRules(own, of: ticket, event.players.count, id, foundAt)
    }
    try checkBlocks(own, id, tickets)
  }

  /// - Parameter foundAt: the latest time, by the queue's clock, so that a rule may have loosened.
  private func checkRules(
    _ own: [TicketModel], of ticket: TicketModel, _ count: Int, _ id: ContextID, _ foundAt: Int64
  ) throws(Violation) {
    let age = foundAt - ticket.createdAt
    // A party that is enough by itself has waited for others in vain.
    try require(
      count >= ticket.least(at: foundAt) && (count <= ticket.criteria.maxPlayers || own.count == 1),
      "3.2 match \(id) has \(count) players, not as many as \(ticket) takes")
    guard ticket.isUnderRules else { return }
    try require(
      own.allSatisfy {
        $0.playerGroup == ticket.playerGroup && $0.criteria.words == ticket.criteria.words
      }, "3.2 match \(id) has \(own), which do not fit")
    guard ticket.playerGroup == "crowd", age < Workload.skillLoosensAt else { return }
    let skills = own.map { $0.criteria.numbers[0].value }
    let skill = ticket.criteria.numbers[0].value
    try require(
      skills.allSatisfy { abs($0 - skill) <= Workload.skillStep },
      "3.2 match \(id) has the skills \(skills), too far apart for \(ticket)")
  }

  /// A block that was acknowledged before one of two tickets was asked for keeps them apart.
  private func checkBlocks(
    _ own: [TicketModel], _ id: ContextID, _ tickets: TicketModels
  ) throws(Violation) {
    for one in own {
      for other in own where other.id != one.id {
        guard let asked = [one.askedAt, other.askedAt].compactMap({ $0 }).max() else { continue }
        for player in one.players {
          for second in other.players {
            try require(
              !tickets.isApart(player, second, from: asked, through: schedule.now),
              "2.9 match \(id) has \(player) and \(second), whom a block keeps apart")
          }
        }
      }
    }
  }

  private func checkQueues(_ tickets: TicketModels, _ ends: TicketEnds) throws(Violation) {
    for queue in Workload.queues {
      var activity = QueueActivity()
      activity.playerGroup = queue.playerGroup
      let told = try reply(
        activity, as: PlayerID(),
        key: RoutingKey(game: Deployment.game, name: queue.playerGroup))
      let outlasting = tickets.all.values.count {
        $0.playerGroup == queue.playerGroup && outlasts($0, ends)
      }
      try require(
        told.waitingTickets == outlasting,
        "3.2 \(told.waitingTickets) tickets wait in \(queue.playerGroup)")
    }
  }
}

/// What players were told of the ends of tickets.
struct TicketEnds {
  struct State: Hashable {
    var state: TicketState
    var context: ContextID?
  }

  var found: [ContextID: [PlayerID: [MatchFound]]] = [:]
  /// Of those who were added to running matches, and of those who were there.
  var filled: [FilledMatch: [PlayerID: [MatchFound]]] = [:]
  var joining: [ContextID: [PlayerID: JoiningEnded]] = [:]
  var ended: [MatchTicketID: [PlayerID: [TicketInfo]]] = [:]
  var listed: [MatchTicketID: [PlayerID: TicketInfo]] = [:]

  mutating func heard(_ event: MatchFound, by player: PlayerID) {
    if event.number == 0 {
      found[event.context, default: [:]][player, default: []].append(event)
      return
    }
    // All of them hear in the same order of the same players.
    var match = FilledMatch(event.context, event.players)
    while filled[match]?[player] != nil { match.time += 1 }
    filled[match, default: [:]][player] = [event]
  }

  func found(_ ticket: MatchTicketID, by player: PlayerID) -> [MatchFound] {
    (Array(found.values) + Array(filled.values)).flatMap { $0[player] ?? [] }
      .filter { $0.ticket == ticket }
  }

  /// What a player knows of a ticket: by the list, which has the last ones, else by events.
  func state(of ticket: TicketModel, for player: PlayerID) -> State {
    if let info = listed[ticket.id]?[player] {
      return State(state: info.state, context: info.context)
    }
    if let found = found(ticket.id, by: player).first {
      return State(state: .matched, context: found.context)
    }
    if let info = ended[ticket.id]?[player]?.first {
      return State(state: info.state, context: info.context)
    }
    if let reply = ticket.cancelled.first {
      return State(state: reply.state, context: reply.context)
    }
    return State(state: .waiting, context: nil)
  }
}
