import Domain
import MusterKit
import Operations
import TestKit
import Testing
import Wire

@testable import ContextCore

/// Matches of more than two, of the real core and the real exchange.
@Suite struct ManyPlayersTests {
  func value(_ payload: [UInt8]) throws -> Int64 {
    try Reader.read(payload) { $0.integer(Int64.self) }.get()
  }

  @Test(
    "3.7, 3.8 eight players who change at once with signed deltas end equal, over drops and restarts",
    arguments: 1...12)
  func deltas(seed: UInt64) throws {
    let world = try MatchClients(seed: seed, count: 8)
    var totals: [PlayerID: Int64] = [:]
    var sentCounts: [PlayerID: Int] = [:]
    for _ in 0..<400 {
      let player = world.players[Int(world.random.next() % 8)]
      let delta = Int64(bitPattern: world.random.next() % 2001) - 1000
      try world.send(delta.keyBytes, from: player)
      totals[player, default: 0] += delta
      sentCounts[player, default: 0] += 1
      switch world.random.next() % 40 {
      case 0..<4: world.disconnect(world.players[Int(world.random.next() % 8)])
      case 4..<10: try world.connect(world.players[Int(world.random.next() % 8)])
      case 10 where world.random.next() % 3 == 0: try world.driver.restart()
      case 11..<13: try world.passSecond()
      case 13..<25: try world.deliver()
      default: break
      }
    }
    #expect(try world.settle(seconds: 40), "the players did not come to rest")
    for player in world.players {
      let received = try #require(world.clients[player]?.received)
      #expect(received.count == 400 - (sentCounts[player] ?? 0))
      for payload in received { totals[player, default: 0] += try value(payload) }
    }
    #expect(Set(totals.values).count == 1)
    #expect(world.driver.rows.keys.allSatisfy { $0 < 20 })
  }

  @Test("3.5 data to some and to all comes to each in the order of its sender")
  func someAndAll() throws {
    let world = try MatchClients(seed: 5, count: 4)
    var expected: [PlayerID: [[UInt8]]] = [:]
    for number in 0..<200 {
      let payload = UInt64(number).keyBytes
      let chosen = world.players.dropFirst().filter { _ in world.random.next() % 2 == 0 }
      try world.send(payload, from: ann, to: chosen.isEmpty ? nil : chosen)
      for player in chosen.isEmpty ? Array(world.players.dropFirst()) : chosen {
        expected[player, default: []].append(payload)
      }
      if number % 7 == 0 { try world.deliver() }
    }
    #expect(try world.settle())
    for player in world.players.dropFirst() {
      #expect(world.clients[player]?.receivedFrom[ann] == expected[player])
    }
  }

  @Test("3.7 three come back in any order, with a restart or without, and miss nothing")
  func everyOrder() throws {
    let players = [ann, ben, cho]
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
      for restarts in [false, true] {
        let world = try MatchClients(seed: 1, count: 3)
        for player in players {
          world.disconnect(player)
          for other in players { try world.send([UInt8(other.low)], from: other) }
        }
        if restarts { try world.driver.restart() }
        for index in order {
          try world.connect(players[index])
          try world.deliver()
        }
        #expect(try world.settle())
        for player in players {
          for other in players where other != player {
            let received = world.clients[player]?.receivedFrom[other]
            #expect(received == [[UInt8]](repeating: [UInt8(other.low)], count: 3))
          }
        }
      }
    }
  }

  @Test("3.9 a second device takes the seat over, and numbers begin anew for it alone")
  func secondDevice() throws {
    let world = try MatchClients(seed: 1, count: 4)
    for byte in 1...3 as ClosedRange<UInt8> {
      for player in world.players { try world.send([byte], from: player) }
    }
    #expect(try world.settle())
    _ = try world.begin(ben, seat: 99)
    for byte in 4...6 as ClosedRange<UInt8> {
      for player in world.players { try world.send([byte], from: player) }
    }
    #expect(try world.settle())
    for player in world.players {
      for other in world.players where other != player {
        let received = world.clients[player]?.receivedFrom[other]
        #expect(received == (player == ben ? [[4], [5], [6]] : [[1], [2], [3], [4], [5], [6]]))
      }
    }
  }

  @Test("3.4 the match goes on while two are left, and ends with the last but one")
  func leaving() throws {
    let world = try MatchClients(seed: 1, count: 5)
    for (index, player) in world.players.dropLast().enumerated() {
      let last = world.players[4]
      #expect(world.clients[last]?.exchange.players.count == 4 - index)
      #expect(world.clients[last]?.isEnded == false)
      var leave = LeaveMatch()
      leave.context = world.context
      try world.driver.call(leave, as: player, session: world.clients[player]?.session ?? 0)
      world.disconnect(player)
      try world.deliver()
    }
    #expect(world.clients[world.players[4]]?.isEnded == true)
    for player in world.players {
      let refused = failure {
        try world.driver.join(world.context, as: player, session: 90, seat: 1)
      }
      #expect(refused?.code == .matchEnded)
    }
  }

  @Test("3.7 what waits for a player who comes back is sent in windows and not all at once")
  func pacing() throws {
    let world = try MatchClients(seed: 1, count: 3)
    world.disconnect(cho)
    try world.deliver()
    let size = 1000
    for _ in 0..<1500 { try world.send([UInt8](repeating: 1, count: size), from: ann, to: [cho]) }
    let window = MatchExchange.Limits().windowSizeMax
    try world.connect(cho)
    // The players' changes are taken, and what ann then sends waits at the gateway.
    var largest = 0
    for _ in 0..<400 {
      let waiting = world.driver.pushes.filter { $0.opcode == MatchData.opcode.rawValue }
      largest = max(largest, waiting.reduce(0) { $0 + $1.body.count })
      try world.deliver()
      world.driver.pass(Int64(ContextLimits.matchReceiptMilliseconds))
    }
    #expect(largest <= window + window / 4)
    #expect(world.clients[cho]?.received.count == 1500)
  }

  @Test("3.9 what is kept lasts a sender at 60 messages a second for longer than the grace time")
  func relations() {
    let limits = MatchExchange.Limits()
    let grace = Int(ContextDriver().core.settings[.matchGrace]) / 1000
    #expect(limits.bufferCountMax >= grace * 60 * 2)
    #expect(limits.bufferSizeMax >= grace * 60 * 2 * (64 + 64))
    #expect(limits.bufferSizeMax >= limits.messageSizeMax + limits.messageSizeMax / 4)
    #expect(limits.windowSizeMax >= limits.pieceSizeMax)
    // All senders' windows, to one player who comes back, in what a gateway keeps for it.
    #expect(limits.windowSizeMax * (ContextLimits.matchPlayersMax - 1) <= 1 << 20)
    #expect(limits.urgentSizeMax * 2 <= limits.windowSizeMax)
    #expect(ContextLimits.matchPlayersMax <= UInt16.bitWidth)
  }
}
