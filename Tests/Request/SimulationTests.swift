import Domain
import Operations
import RequestCore
import TestKit
import Testing
import Wire

/// Random histories of a few players, with effects that overtake each other as far as their order
/// promises allow, doubled deliveries, restarts, and invitations that expire late.
private final class History {
  let world = World(settings: [.requestLifetime: 3650, .streamEventLifetime: 3650])
  var random: RandomSource
  var players: [PlayerID] = []
  /// Copies of requests that were accepted as queued, and those that their recipients deleted.
  var queued: [RequestID: [PlayerID]] = [:]
  var deleted: [RequestID: Int] = [:]
  /// Copies that their recipients accepted.
  var answered: [(request: RequestID, sender: PlayerID, recipient: PlayerID)] = []
  /// Pairs of a player and one whom that player has ever blocked.
  var blocked: Set<[PlayerID]> = []

  init(seed: UInt64) throws {
    random = .seeded(seed)
    for number in UInt64(1)...4 { players.append(try world.player(number, session: number)) }
  }

  func step() throws {
    world.driver.clock += Int64.random(in: 0...2, using: &random)
    let (one, other) = (player(), player())
    switch Int.random(in: 0..<24, using: &random) {
    case 0...3: attempt { try world.driver.call(InviteFriend(other), as: one) }
    case 4, 5:
      let accept = Int.random(in: 0..<4, using: &random) > 0
      attempt { try world.driver.call(AnswerFriend(other, accept: accept), as: one) }
    case 6: attempt { try world.driver.call(RemoveFriend(other), as: one) }
    case 7:
      attempt { try world.driver.call(BlockPlayer(other), as: one) }
      blocked.insert([one, other])
    case 8, 9: attempt { try world.driver.call(UnblockPlayer(other), as: one) }
    case 10...12: attempt { try self.send(from: one) }
    case 13: attempt { try self.answer(as: one) }
    case 14: if Int.random(in: 0..<8, using: &random) == 0 { try restart() }
    case 15: try age()
    case 16, 17: attempt { try world.driver.call(GrantConsent(to: other), as: one) }
    case 18:
      let isHeld = Bool.random(using: &random)
      attempt { try world.driver.call(RevokeConsent(other, isHeld: isHeld), as: one) }
    default: try deliverOne()
    }
  }

  /// Timers come one by one, long after they are due, so that calls and news cross what they do.
  private func age() throws {
    if Int.random(in: 0..<4, using: &random) == 0 {
      // No effect is under way for as long.
      try settle()
      world.driver.clock += 60 * World.day
    }
    #expect(world.driver.runTimers(atMost: 3).isEmpty)
  }

  private func player() -> PlayerID {
    players[Int.random(in: 0..<players.count, using: &random)]
  }

  /// Refusals are part of life here.
  private func attempt(_ body: () throws -> Void) { try? body() }

  private func send(from sender: PlayerID) throws {
    let reply = try world.driver.call(SendRequest(to: players), as: sender)
    queued[reply.request] = reply.recipients.filter { $0.outcome == .queued }
      .compactMap { PlayerID($0.recipient) }
  }

  private func answer(as player: PlayerID) throws {
    guard let received = try world.driver.call(Inbox(), as: player).requests.first else { return }
    let request = received.request
    if Int.random(in: 0..<3, using: &random) == 0 {
      try world.driver.call(DeleteRequest(request), as: player)
      deleted[request, default: 0] += 1
    } else {
      try world.driver.call(AnswerRequest(request, accept: true), as: player)
      answered.append((request, received.sender, player))
    }
  }

  private func restart() throws {
    try world.restart()
    for player in players { try world.open(player, session: player.low) }
  }

  /// Delivers the first effect of one source slot; those of one slot keep their order.
  private func deliverOne() throws {
    guard
      let slot = world.driver.effects.map(\.key.slot).randomElement(using: &random),
      let index = world.driver.effects.firstIndex(where: { $0.key.slot == slot })
    else { return }
    let row = world.driver.effects.remove(at: index)
    if Opcode(rawValue: row.opcode).service != .request {
      _ = world.driver.engine.delivered(row.key)
      return
    }
    for _ in 0..<Int.random(in: 1...2, using: &random) {
      _ = try world.driver.answer(world.driver.engine.delivery(of: row))
    }
    // Not taken out of the stored outbox, so a restart delivers it once more.
    _ = world.driver.engine.delivered(row.key)
  }

  func settle() throws { while !world.driver.effects.isEmpty { try deliverOne() } }
}

@Suite(.inTurn) struct SimulationTests {
  @Test(
    "2.9 2.7 2.8 2.6 random histories end mutual, lose no request and leave no gap",
    arguments: 1...40)
  func histories(seed: UInt64) throws {
    let history = try History(seed: seed)
    for _ in 0..<400 { try history.step() }
    try history.settle()
    let world = history.world
    for one in history.players {
      for other in history.players where other != one {
        let isFriend = try world.mutualFriends(of: one).contains(other)
        #expect(try world.mutualFriends(of: other).contains(one) == isFriend)
        #expect(try (world.friends(of: one)[other] == .friends) == isFriend)
      }
      try checkConsents(of: one, world)
      let stream = try world.stream(of: one)
      #expect(stream.map(\.sequence) == Array(1..<UInt64(stream.count + 1)))
      #expect(Set(stream.map(\.id)).count == stream.count)
    }
    try checkRequests(history)
  }

  /// What one side has given the other holds, and only among friends.
  private func checkConsents(of player: PlayerID, _ world: World) throws {
    for consent in try world.driver.call(ListConsents(), as: player).consents {
      let others = try world.driver.call(ListConsents(), as: consent.player).consents
      let back = try #require(others.first { $0.player == player })
      #expect(back.isGiven == consent.isHeld && back.isHeld == consent.isGiven)
      #expect(try world.mutualFriends(of: player).contains(consent.player))
      let given = try world.driver.call(
        FetchConsent(of: consent.player), as: player, kind: .service)
      #expect(given.isGiven == consent.isHeld)
    }
  }

  /// Every queued copy is on a list, perhaps behind a block, deleted, or told of to its sender,
  /// once. An answer is not told to a sender who blocks the recipient.
  private func checkRequests(_ history: History) throws {
    var found: [RequestID: Int] = history.deleted
    var told: [RequestID: [PlayerID]] = [:]
    for copy in history.answered { found[copy.request, default: 0] += 1 }
    for pair in history.blocked {
      try history.world.driver.call(UnblockPlayer(pair[1]), as: pair[0])
    }
    for player in history.players {
      for request in try history.world.driver.call(Inbox(), as: player).requests {
        found[request.request, default: 0] += 1
      }
      for event in try history.world.events(RequestAnswered.self, of: player) {
        told[event.request, default: []].append(event.recipient)
      }
      for event in try history.world.events(RequestDropped.self, of: player) {
        found[event.request, default: 0] += 1
      }
    }
    for copy in history.answered {
      let count = told[copy.request, default: []].count { $0 == copy.recipient }
      let wasBlocked = history.blocked.contains([copy.sender, copy.recipient])
      #expect(count == 1 || count == 0 && wasBlocked)
    }
    let answers = Set(history.answered.map { [$0.request.description, $0.recipient.description] })
    for (request, recipients) in told {
      for recipient in recipients {
        #expect(answers.contains([request.description, recipient.description]))
      }
    }
    for (request, recipients) in history.queued {
      #expect(found[request, default: 0] == recipients.count)
    }
    #expect(history.queued.values.contains { !$0.isEmpty })
  }
}
