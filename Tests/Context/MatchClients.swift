import ContextCore
import Domain
import MusterKit
import Operations
import TestKit
import Wire

/// Players in a match of the real core, each with a `MatchExchange`, and what can go wrong between
/// them.
final class MatchClients {
  struct Client {
    var exchange: MatchExchange
    /// 0 while offline.
    var session: UInt64 = 0
    var received: [[UInt8]] = []
    /// What came from each of the others.
    var receivedFrom: [PlayerID: [[UInt8]]] = [:]
    var unreliable: [[UInt8]] = []
    /// Whether it takes data and never acknowledges any.
    var isSilent = false
    var isEnded = false
    /// Whether it was told that another client has the seat.
    var isOut = false
  }

  let driver = ContextDriver()
  let context: ContextID
  let players: [PlayerID]
  var clients: [PlayerID: Client] = [:]
  var random: RandomSource
  private var nextSession: UInt64 = 1
  /// Whether each piece is acknowledged by itself.
  var acknowledgesAtOnce = true

  init(seed: UInt64) throws {
    random = .seeded(seed)
    (context, players) = (try driver.pair(), [ann, ben])
    try begin()
  }

  /// Players whom matchmaking has put together.
  init(seed: UInt64, count: Int, limits: MatchExchange.Limits = .init()) throws {
    random = .seeded(seed)
    players = (1...UInt64(count)).map { PlayerID.sample($0) }
    context = try driver.matched(players)
    try begin(limits)
  }

  private func begin(_ limits: MatchExchange.Limits = .init()) throws {
    for (index, player) in players.enumerated() {
      clients[player] = Client(
        exchange: MatchExchange(context: context, seat: 11 + UInt64(index), limits: limits))
      try connect(player)
    }
    try deliver()
  }

  func connect(_ player: PlayerID) throws {
    guard clients[player]?.session == 0 else { return }
    clients[player]?.session = nextSession
    nextSession += 1
    try join(player)
  }

  /// Another device of a player, with a seat value of its own, takes the place of the one before.
  /// Returns that one, which has lost its connection.
  func begin(_ player: PlayerID, seat: UInt64) throws -> Client? {
    disconnect(player)
    let before = clients[player]
    clients[player] = Client(exchange: MatchExchange(context: context, seat: seat))
    try connect(player)
    return before
  }

  /// The connection is lost, with what was on its way to the client.
  func disconnect(_ player: PlayerID) {
    guard let session = clients[player]?.session, session != 0 else { return }
    clients[player]?.session = 0
    clients[player]?.exchange.disconnected()
    driver.pushes.removeAll { $0.channel.session == session }
    driver.close(session: session)
  }

  func send(
    _ payload: [UInt8], from player: PlayerID, to others: [PlayerID]? = nil,
    isReliable: Bool = true
  ) throws {
    let actions =
      try clients[player]?.exchange.send(payload, to: others, isReliable: isReliable) ?? []
    try perform(actions, player)
  }

  /// Whether the client is done: in the match with nothing that waits for an acknowledgement.
  func isSettled(_ player: PlayerID) -> Bool {
    guard let exchange = clients[player]?.exchange else { return false }
    return exchange.isJoined && exchange.players.count == players.count - 1
      && exchange.players.allSatisfy { exchange.unacknowledgedCount(for: $0) == 0 }
  }

  /// Everybody comes back, and time passes until nothing waits any more. Returns whether it does.
  func settle(seconds: Int = 25) throws -> Bool {
    for _ in 0..<seconds {
      for player in players { try connect(player) }
      try deliver()
      driver.pass(Int64(ContextLimits.matchReceiptMilliseconds))
      try deliver()
      if players.allSatisfy(isSettled) && driver.pushes.isEmpty { return true }
      try passSecond()
    }
    return false
  }

  /// Delivers pushes until there are none.
  func deliver() throws {
    while !driver.pushes.isEmpty {
      let push = driver.pushes.removeFirst()
      guard let player = clients.first(where: { $0.value.session == push.channel.session })?.key
      else { continue }
      try perform(try take(push, player), player)
      if acknowledgesAtOnce { try acknowledge(player) }
    }
  }

  func acknowledge(_ player: PlayerID) throws {
    guard clients[player]?.isSilent == false else { return }
    try perform(clients[player]?.exchange.acknowledge() ?? [], player)
  }

  /// A second passes; every tenth the clients join again, as a sign of life.
  func passSecond() throws {
    driver.pass(1000)
    for player in players {
      let actions = clients[player]?.exchange.timePassed(now: driver.clock) ?? []
      try perform(
        actions.filter { action in
          guard case .acknowledge = action else { return true }
          return clients[player]?.isSilent == false
        }, player)
      if driver.clock / 1000 % 10 == 0 && clients[player]?.session != 0 { try join(player) }
    }
  }

  private func join(_ player: PlayerID) throws {
    guard let client = clients[player], !client.isOut else { return }
    do {
      var call = client.exchange.join()
      if client.isSilent { call.received = [] }
      let reply = try driver.call(call, as: player, session: client.session)
      try perform(clients[player]?.exchange.joined(reply) ?? [], player)
    } catch let failure as Failure where failure.code == .conflict {
      clients[player]?.isOut = true
    } catch let failure as Failure where failure.code == .matchEnded {
      try perform(clients[player]?.exchange.failed(failure) ?? [], player)
    }
  }

  private func take(_ push: Push, _ player: PlayerID) throws -> [MatchExchange.Action] {
    switch Opcode(rawValue: push.opcode) {
    case MatchData.opcode:
      try clients[player]?.exchange.received(MatchData(decoding: push.body)) ?? []
    case MatchDataAcknowledged.opcode:
      try clients[player]?.exchange.received(MatchDataAcknowledged(decoding: push.body)) ?? []
    case MatchPlayerChanged.opcode:
      try clients[player]?.exchange.received(MatchPlayerChanged(decoding: push.body)) ?? []
    case MatchHostChosen.opcode:
      try clients[player]?.exchange.received(MatchHostChosen(decoding: push.body)) ?? []
    case MatchEnded.opcode:
      try clients[player]?.exchange.received(MatchEnded(decoding: push.body)) ?? []
    default: []
    }
  }

  private func perform(_ actions: [MatchExchange.Action], _ player: PlayerID) throws {
    for action in actions {
      switch action {
      case .send(let operation): try attempt(operation, player)
      case .acknowledge(let operation): try attempt(operation, player)
      case .rejoin: try join(player)
      case .deliver(let sender, let payload, true):
        clients[player]?.received.append(payload)
        clients[player]?.receivedFrom[sender, default: []].append(payload)
      case .deliver(_, let payload, false): clients[player]?.unreliable.append(payload)
      case .ended: clients[player]?.isEnded = true
      case .seatTaken: clients[player]?.isOut = true
      case .playerChanged, .oversized: break
      }
    }
  }

  private func attempt<O: Operation>(_ operation: O, _ player: PlayerID) throws {
    do {
      try driver.call(operation, as: player, session: clients[player]?.session ?? 0)
    } catch let failure as Failure {
      try perform(clients[player]?.exchange.failed(failure) ?? [], player)
    }
  }
}
