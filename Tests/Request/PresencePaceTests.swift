import Domain
import Operations
import Storage
import TestKit
import Testing
import Wire

@testable import RequestCore
@testable import ServiceKit

/// What a process sends when very many players come at once.
@Suite struct PresencePaceTests {
  @Test("2.9 6.5 when many players with many friends come at once, no hint is too much")
  func manyPlayers() throws {
    let world = World(settings: [.invitationBurst: 1_000_000])
    let players = try (1...60).map { try world.player($0) }
    for player in players {
      for other in players where other < player { try world.befriend(player, other) }
    }
    world.driver.pass(PresenceLimits.newFriendMilliseconds)
    world.driver.hints = []
    // Friends without number, who are not players: they are told as well.
    for player in players {
      for number in 0..<UInt64(40) {
        var news = FriendEdgeChanged()
        (news.player, news.friend) = (player, .sample(1_000 + number))
        news.wished = world.driver.clock
        try world.call(news, as: PlayerID(), game: "", kind: .service)
        try world.driver.call(InviteFriend(.sample(1_000 + number)), as: player)
      }
    }
    world.driver.effects = []
    world.driver.pass(PresenceLimits.newFriendMilliseconds)
    world.driver.hints = []

    let slow = SlowRequestService()
    let sender = HintSender(world: slow) { _, done in slow.take(done) }
    for (place, player) in players.enumerated() {
      try world.open(player, session: UInt64(100 + place))
    }
    var told: [PlayerID: Int] = [:]
    for _ in 0..<3_000 {
      world.driver.pass(1)
      for hint in world.driver.hints {
        told[try PresenceChanged(decoding: hint.body).player, default: 0] += 1
      }
      sender.send(world.driver.hints)
      world.driver.hints = []
      slow.pass(1)
    }
    #expect(sender.droppedCount == 0)
    #expect(told.count == players.count && told.values.allSatisfy { $0 == 99 })
    #expect(slow.mostUnderWay > 64, "the pace is not idle")
  }
}

/// A request service that takes a tenth of a second for each hint.
private final class SlowRequestService: ServiceKit.World {
  private(set) var clock: Int64 = 0
  private var underWay: [(until: Int64, done: (Answer) -> Void)] = []
  private(set) var mostUnderWay = 0

  func take(_ done: @escaping (Answer) -> Void) {
    underWay.append((clock + 100, done))
    mostUnderWay = max(mostUnderWay, underWay.count)
  }

  func pass(_ milliseconds: Int64) {
    clock += milliseconds
    let due = underWay.prefix { $0.until <= clock }
    underWay.removeFirst(due.count)
    for call in due { call.done(.reply([])) }
  }

  var microseconds: UInt64 { UInt64(clock) * 1000 }
  func atEndOfTurn(_ body: @escaping () -> Void) {}
  func after(_ milliseconds: UInt64, _ body: @escaping () -> Void) {}
  func submit(_ batch: Batch, time: Int64) {}
  func read(
    _ ranges: [ColdRange],
    _ done: @escaping (Result<[ColdRange: [[UInt8]]], StoreError>) -> Void
  ) {}
  func address(_ service: Service, slot: Int) -> Peers.Address? {
    Peers.Address(service: service, partition: 0)
  }
  func isHere(_ address: Peers.Address) -> Bool { true }
  func call(
    _ address: Peers.Address, _ request: Request, deadlineMilliseconds: UInt64,
    _ done: @escaping (Answer) -> Void
  ) {}
  func push(_ push: Push) {}
}
