import Domain
import MusterKit
import Operations
import TestKit
import Wire

/// A stand-in for the service's relay that loses, doubles and, over reconnections, reorders what
/// goes through it.
struct FaultyRelay {
  enum Delivery {
    case data(MatchData)
    case acknowledged(MatchDataAcknowledged)
    case changed(MatchPlayerChanged)
  }

  struct Client {
    var exchange: MatchExchange
    var isOnline = false
    var sent: UInt64 = 0
    /// The numbers of the messages that were meant for each of the others.
    var sentTo: [PlayerID: [UInt64]] = [:]
    /// The numbers that came from each of the others.
    var delivered: [PlayerID: [UInt64]] = [:]
    var inbox: [Delivery] = []
  }

  let players: [PlayerID]
  var clients: [PlayerID: Client] = [:]
  var random: RandomSource
  /// Out of 100, for each data and acknowledgement.
  var lossPercent: UInt64 = 10
  var doublePercent: UInt64 = 10
  private var incarnation: UInt64 = 1
  private var version: UInt32 = 0
  private var seats: [PlayerID: UInt64] = [:]
  /// The version of the roster with which each player's client took its seat.
  private var since: [PlayerID: UInt32] = [:]
  private var clock: Int64 = 0

  init(players: [PlayerID], limits: MatchExchange.Limits, seed: UInt64) {
    self.players = players
    random = .seeded(seed)
    for (index, player) in players.enumerated() {
      clients[player] = Client(
        exchange: MatchExchange(
          context: .sample(9), seat: UInt64(index + 1), limits: limits))
    }
  }

  /// Nothing is under way and nothing waits for an acknowledgement.
  var isQuiet: Bool {
    clients.allSatisfy { player, client in
      client.inbox.isEmpty
        && players.allSatisfy { client.exchange.unacknowledgedCount(for: $0) == 0 }
    }
  }

  mutating func chance(_ percent: UInt64) -> Bool { random.next() % 100 < percent }

  // MARK: What happens to clients

  mutating func send(_ player: PlayerID, size: Int, to recipients: [PlayerID]? = nil) throws {
    guard var client = clients[player] else { return }
    var payload = client.sent.keyBytes
    payload += [UInt8](repeating: UInt8(truncatingIfNeeded: size), count: size)
    let receivers = recipients ?? client.exchange.players
    let actions = try client.exchange.send(payload, to: recipients, isReliable: true)
    for receiver in receivers { client.sentTo[receiver, default: []].append(client.sent) }
    client.sent += 1
    clients[player] = client
    perform(actions, player)
  }

  mutating func disconnect(_ player: PlayerID) {
    guard clients[player]?.isOnline == true else { return }
    clients[player]?.isOnline = false
    clients[player]?.exchange.disconnected()
    // What was under way is lost, or comes late, in any order.
    let late = (clients[player]?.inbox ?? []).filter { delivery in
      if case .changed = delivery { return false }
      return random.next() % 2 == 0
    }
    clients[player]?.inbox = late.shuffled(using: &random)
    announce(player, .disconnected)
  }

  mutating func connect(_ player: PlayerID) {
    guard var client = clients[player] else { return }
    let call = client.exchange.join()
    client.isOnline = true
    clients[player] = client
    let isNews = seats[player] == nil || !client.exchange.isJoined
    if isNews { version += 1 }
    if seats[player] != call.seat { since[player] = version }
    seats[player] = call.seat
    if call.number != 0 {
      for cursor in call.received { acknowledge(player, call.seat, cursor) }
    }
    if isNews { announce(player, .connected) }
    var reply = JoinMatch.Reply()
    reply.number = 1
    reply.incarnation = incarnation
    reply.place = place(of: player)
    reply.roster = version
    reply.since = since[player] ?? 0
    reply.players = players.filter { $0 != player }.map {
      MatchPlayer(player: $0, seat: seats[$0] ?? 0, state: state(of: $0), place: place(of: $0))
    }
    let actions = clients[player]?.exchange.joined(reply) ?? []
    perform(actions, player)
  }

  /// All connections and the relay's memory are lost at once.
  mutating func restart() {
    incarnation += 1
    (version, seats, since) = (0, [:], [:])
    for player in players { clients[player]?.inbox = [] }
  }

  /// Gives a client one of the deliveries that wait for it.
  mutating func deliver(to player: PlayerID) {
    guard var client = clients[player], client.isOnline, !client.inbox.isEmpty else { return }
    let actions: [MatchExchange.Action] =
      switch client.inbox.removeFirst() {
      case .data(let event): client.exchange.received(event)
      case .acknowledged(let event): client.exchange.received(event)
      case .changed(let event): client.exchange.received(event)
      }
    clients[player] = client
    perform(actions, player)
    if chance(30) { perform(clients[player]?.exchange.acknowledge() ?? [], player) }
  }

  mutating func passTime() {
    clock += 500
    for player in players {
      perform(clients[player]?.exchange.timePassed(now: clock) ?? [], player)
    }
  }

  // MARK: The relay

  private mutating func perform(_ actions: [MatchExchange.Action], _ player: PlayerID) {
    for action in actions {
      switch action {
      case .send(let operation): relay(operation, from: player)
      case .acknowledge(let operation):
        guard isCurrent(operation.incarnation, player) else { continue }
        for receipt in operation.receipts {
          acknowledge(
            player, operation.seat,
            MatchCursor(
              player: players[Int(receipt.place)], seat: receipt.seat, through: receipt.through))
        }
      case .rejoin: connect(player)
      case .deliver(let sender, let payload, _):
        let number = Reader.read(Array(payload.prefix(8))) { $0.integer(UInt64.self) }
        clients[player]?.delivered[sender, default: []].append((try? number.get()) ?? .max)
      case .playerChanged, .oversized, .seatTaken, .ended: break
      }
    }
  }

  private mutating func relay(_ operation: SendMatchData, from player: PlayerID) {
    guard isCurrent(operation.incarnation, player) else { return }
    var event = MatchData()
    event.context = operation.context
    event.incarnation = operation.incarnation
    event.place = place(of: player)
    event.seat = operation.seat
    event.roster = operation.roster
    event.isReliable = operation.isReliable
    event.isPartial = operation.isPartial
    event.sequence = operation.sequence
    event.exceptions = operation.exceptions
    event.payload = operation.payload
    for (place, receiver) in players.enumerated()
    where operation.receivers & 1 << place != 0 && since[receiver] ?? .max <= operation.roster {
      post(.data(event), to: receiver)
    }
  }

  private func place(of player: PlayerID) -> UInt8 {
    UInt8(players.firstIndex(of: player) ?? 0)
  }

  private mutating func acknowledge(_ player: PlayerID, _ seat: UInt64, _ cursor: MatchCursor) {
    var event = MatchDataAcknowledged()
    event.context = .sample(9)
    event.incarnation = incarnation
    event.seat = cursor.seat
    event.receipts = [
      MatchReceipt(place: place(of: player), seat: seat, through: cursor.through)
    ]
    post(.acknowledged(event), to: cursor.player)
  }

  private mutating func announce(_ player: PlayerID, _ state: MatchPlayerState) {
    if state != .connected { version += 1 }
    var event = MatchPlayerChanged()
    event.context = .sample(9)
    event.incarnation = incarnation
    event.player = player
    event.seat = seats[player] ?? 0
    event.state = state
    event.place = place(of: player)
    event.roster = version
    for other in players where other != player && clients[other]?.isOnline == true {
      clients[other]?.inbox.append(.changed(event))
    }
  }

  private mutating func post(_ delivery: Delivery, to player: PlayerID) {
    guard clients[player]?.isOnline == true, !chance(lossPercent) else { return }
    clients[player]?.inbox.append(delivery)
    if chance(doublePercent) { clients[player]?.inbox.append(delivery) }
  }

  /// Refuses the calls of a client that does not know of the newest start, as the service does.
  private mutating func isCurrent(_ called: UInt64, _ player: PlayerID) -> Bool {
    guard clients[player]?.isOnline == true else { return false }
    if called == incarnation { return true }
    perform(clients[player]?.exchange.failed(Failure(.conflict, "again")) ?? [], player)
    return false
  }

  private func state(of player: PlayerID) -> MatchPlayerState {
    guard seats[player] != nil else { return .disconnected }
    return clients[player]?.isOnline == true ? .connected : .disconnected
  }
}
