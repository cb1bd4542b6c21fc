import Domain
import Operations
import TestKit
import Testing
import Wire

@Suite struct MatchHostTests {
  let driver = ContextDriver()
  let context: ContextID
  let incarnation: UInt64

  init() throws {
    context = try driver.matched([ann, ben, cho])
    incarnation = try driver.join(context, as: ann, session: 1, seat: 11).incarnation
  }

  func choose(_ player: PlayerID, latency: UInt32 = 0, seat: UInt64? = nil) throws -> PlayerID? {
    var operation = ChooseMatchHost()
    operation.context = context
    operation.incarnation = incarnation
    operation.seat = seat ?? 10 + player.low
    operation.latencyMilliseconds = latency
    return try driver.call(operation, as: player, session: player.low).host
  }

  func joinOthers() throws {
    for player in [ben, cho] {
      try driver.join(context, as: player, session: player.low, seat: 10 + player.low)
    }
    driver.pushes = []
  }

  @Test("3.6 there is no host while players are expected or a player's latency is unknown")
  func unknown() throws {
    #expect(try choose(ann, latency: 5) == nil)
    try joinOthers()
    #expect(try choose(ann, latency: 50) == nil)
    #expect(try choose(ben, latency: 40) == nil)
    #expect(driver.pushes.isEmpty)
    #expect(try choose(cho, latency: 45) == ben)
    let told = try driver.takePushes(MatchHostChosen.self)
    #expect(told.map(\.session) == [1, 2] && told.allSatisfy { $0.event.host == ben })
  }

  @Test("3.6 the host is the same for all, is told on joining, and stays while it is connected")
  func same() throws {
    try joinOthers()
    for player in [ann, ben] { #expect(try choose(player, latency: 50) == nil) }
    // Among equals the lowest place.
    #expect(try choose(cho, latency: 50) == ann)
    for player in [cho, ben, ann] { #expect(try choose(player, latency: 1) == ann) }
    driver.pushes = []
    try driver.restart()
    driver.runTimers()
    let reply = try driver.join(context, as: ben, session: 2, seat: 12, number: 1)
    #expect(reply.host == ann)
  }

  @Test("3.6 when the host is gone, another is chosen for all")
  func gone() throws {
    try joinOthers()
    for player in [ann, ben] { #expect(try choose(player, latency: 50) == nil) }
    #expect(try choose(cho, latency: 70) == ann)
    driver.close(session: 1)
    driver.pushes = []
    #expect(try choose(cho) == ben)
    #expect(try driver.takePushes(MatchHostChosen.self).map(\.session) == [2])
    let back = try driver.join(context, as: ann, session: 1, seat: 11, number: 1)
    #expect(back.host == ben)
    #expect(try choose(ann, latency: 1) == ben)
  }

  @Test("3.6 absurd latencies are bounded, and others' seats ask for nothing")
  func bounds() throws {
    try joinOthers()
    for player in [ann, ben] { #expect(try choose(player, latency: .max) == nil) }
    #expect(try choose(cho, latency: .max) == ann)
    #expect(failure { _ = try choose(ann, seat: 12) }?.code == .notAllowed)
    #expect(failure { _ = try choose(.sample(9)) }?.code == .notAllowed)
  }
}
