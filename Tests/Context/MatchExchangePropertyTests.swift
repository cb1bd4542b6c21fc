import Domain
import MusterKit
import Operations
import TestKit
import Testing
import Wire

@Suite struct MatchExchangePropertyTests {
  /// Small limits, so that pieces, full buffers and repetitions all happen.
  static var limits: MatchExchange.Limits {
    var limits = MatchExchange.Limits()
    limits.pieceSizeMax = 16
    limits.bufferCountMax = 24
    limits.bufferSizeMax = 2400
    limits.windowSizeMax = 400
    limits.messageSizeMax = 100
    return limits
  }

  @Test(
    "3.9 reliable data arrives once and in order over a lossy, doubling, reordering relay",
    arguments: 1...60)
  func property(seed: UInt64) throws {
    let count = [2, 3, 5, 16][Int(seed % 4)]
    let players = (1...UInt64(count)).map { PlayerID.sample($0) }
    var relay = FaultyRelay(players: players, limits: Self.limits, seed: seed)
    for player in players { relay.connect(player) }
    var refusedCount = 0
    for _ in 0..<1500 + 300 * players.count {
      let player = players[Int(relay.random.next() % UInt64(players.count))]
      switch relay.random.next() % 100 {
      case 0..<20:
        do {
          try relay.send(
            player, size: Int(relay.random.next() % 60), to: recipients(player, &relay))
        } catch {
          refusedCount += 1
          #expect((error as? Failure)?.code == .backpressure)
        }
      case 20..<22: relay.disconnect(player)
      case 22..<27: relay.connect(player)
      case 27..<33: relay.passTime()
      case 33 where relay.random.next() % 4 == 0: relay.restart()
      default: relay.deliver(to: player)
      }
    }
    settle(&relay)
    let (isQuiet, sentCount) = (relay.isQuiet, relay.clients.values.reduce(0) { $0 + $1.sent })
    #expect(isQuiet, "the players did not come to rest")
    #expect(sentCount > 40)
    for receiver in players {
      for sender in players where sender != receiver {
        let sent = relay.clients[sender]?.sentTo[receiver] ?? []
        #expect(relay.clients[receiver]?.delivered[sender] ?? [] == sent)
        #expect(relay.clients[sender]?.exchange.unacknowledgedCount(for: receiver) == 0)
      }
    }
  }

  /// All others, or some of those whom the player sees.
  private func recipients(_ player: PlayerID, _ relay: inout FaultyRelay) -> [PlayerID]? {
    guard relay.chance(40) else { return nil }
    let seen = relay.clients[player]?.exchange.players ?? []
    let chosen = seen.filter { _ in relay.chance(50) }
    return chosen.isEmpty ? nil : chosen
  }

  /// Everyone is online, and time passes until all is said; nothing may hang for good.
  private func settle(_ relay: inout FaultyRelay) {
    for round in 0..<400 {
      for player in relay.players {
        if relay.clients[player]?.exchange.isJoined == false || round % 20 == 0 {
          relay.connect(player)
        }
        while relay.clients[player]?.inbox.isEmpty == false { relay.deliver(to: player) }
      }
      if relay.isQuiet { return }
      relay.passTime()
    }
  }
}
