import Domain
import MusterKit
import Operations
import TestKit
import Testing
import Wire

@Suite struct CounterAcceptanceTests {
  func value(_ payload: [UInt8]?) throws -> Int64 {
    try Reader.read(payload ?? []) { $0.integer(Int64.self) }.get()
  }

  @Test("3.8 players who take turns with an absolute counter agree", arguments: 1...10)
  func absoluteCounter(seed: UInt64) throws {
    let world = try MatchClients(seed: seed)
    var counters: [PlayerID: Int64] = [ann: 0, ben: 0]
    for turn in 0..<Int64(40) {
      let (player, other) = turn % 2 == 0 ? (ann, ben) : (ben, ann)
      #expect(counters[player] == turn)
      counters[player] = turn + 1
      try world.send((turn + 1).keyBytes, from: player)
      try disturb(world)
      try settle(world)
      let received = try #require(world.clients[other]?.received)
      #expect(received.count == Int(turn / 2) + 1)
      counters[other] = try value(received.last)
    }
    #expect(counters == [ann: 40, ben: 40])

    var leave = LeaveMatch()
    leave.context = world.context
    try world.driver.call(leave, as: ann, session: world.clients[ann]?.session ?? 0)
    try world.deliver()
    #expect(world.clients[ben]?.isEnded == true)
    #expect(world.clients[ben]?.exchange.players.isEmpty == true)
  }

  @Test("3.8 players who change at once with signed deltas end equal", arguments: 1...30)
  func deltas(seed: UInt64) throws {
    let world = try MatchClients(seed: seed)
    var totals: [PlayerID: Int64] = [ann: 0, ben: 0]
    var sentCounts: [PlayerID: Int] = [:]
    for _ in 0..<300 {
      let player = world.random.next() % 2 == 0 ? ann : ben
      let delta = Int64(bitPattern: world.random.next() % 2001) - 1000
      try world.send(delta.keyBytes, from: player)
      totals[player, default: 0] += delta
      sentCounts[player, default: 0] += 1
      if world.random.next() % 10 == 0 { try disturb(world) }
      if world.random.next() % 3 == 0 { try world.deliver() }
    }
    try settle(world)
    for (player, other) in [(ann, ben), (ben, ann)] {
      let received = try #require(world.clients[player]?.received)
      #expect(received.count == sentCounts[other])
      for payload in received { totals[player, default: 0] += try value(payload) }
    }
    #expect(totals[ann] == totals[ben])
    // Nothing of what was said is in the store: the same bytes are in no row.
    #expect(world.driver.rows.keys.allSatisfy { $0 < 20 })
    #expect(world.driver.rows[19]?.count == 1)
  }

  /// Lost connections and, now and then, a service that starts again.
  private func disturb(_ world: MatchClients) throws {
    switch world.random.next() % 10 {
    case 0..<2: world.disconnect(ann)
    case 2..<4: world.disconnect(ben)
    case 4..<6:
      for player in [ann, ben] { try world.connect(player) }
    case 6: try world.driver.restart()
    default: try world.passSecond()
    }
  }

  private func settle(_ world: MatchClients) throws {
    #expect(try world.settle(), "the players did not come to rest")
  }
}
