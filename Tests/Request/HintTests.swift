import Operations
import RequestCore
import TestKit
import Testing
import Wire

/// Who hears a hint: every device of the player's in the game, or nobody.
@Suite struct HintTests {
  private let world = World()

  private func deliver(_ number: UInt8, to player: PlayerID, game: String = "game") throws {
    var hint = DeliverHint()
    (hint.player, hint.kind, hint.body) = (player, 0x03C0, Bytes([number]))
    try world.call(hint, as: player, game: game, kind: .service)
  }

  private func heard() throws -> [UInt64: [UInt8]] {
    var heard: [UInt64: [UInt8]] = [:]
    for (session, event) in try world.driver.takePushes(HintEvent.self) {
      #expect(event.kind == 0x03C0)
      heard[session, default: []] += event.body.array
    }
    return heard
  }

  @Test("6.5 each connected device of the player in the game hears it, and nobody else")
  func devices() throws {
    let (anna, ben) = (try world.player(1, session: 1), try world.player(2, session: 2))
    try world.open(anna, session: 3)
    try world.open(anna, session: 4, game: "other")
    try deliver(7, to: anna)
    #expect(try heard() == [1: [7], 3: [7]])
    try deliver(8, to: anna, game: "other")
    #expect(try heard() == [4: [8]])
    world.driver.close(session: 1)
    try deliver(9, to: anna)
    #expect(try heard() == [3: [9]])
    try deliver(10, to: ben)
    #expect(try heard() == [2: [10]])
  }

  @Test("a hint for nobody is lost; a device that comes later does not hear it")
  func nobody() throws {
    let anna = try world.player(1)
    try deliver(1, to: anna)
    try deliver(2, to: .sample(99))
    try world.open(anna, session: 1)
    #expect(try heard() == [:])
    #expect(try world.stream(of: anna).isEmpty)
  }

  @Test("hints in plenty are dropped, until there is time for more")
  func budget() throws {
    let anna = try world.player(1, session: 1)
    let ben = try world.player(2, session: 2)
    for _ in 0..<HintLimits.burst { try deliver(1, to: anna) }
    #expect(try heard()[1]?.count == Int(HintLimits.burst))
    let refusal = try failure { try deliver(2, to: anna) }
    #expect(refusal?.code == .rateLimited)
    #expect(refusal?.retryAfterMilliseconds == UInt32(HintLimits.refillMilliseconds))
    try deliver(3, to: ben)
    world.driver.clock += HintLimits.refillMilliseconds
    try deliver(4, to: anna)
    #expect(try heard() == [1: [4], 2: [3]])
  }

  @Test("7.2 a hint is small, and only services give one")
  func limits() throws {
    let anna = try world.player(1, session: 1)
    var hint = DeliverHint()
    (hint.player, hint.body) = (anna, Bytes([UInt8](repeating: 0, count: HintLimits.bytesMax)))
    try world.driver.call(hint, as: anna, kind: .service)
    hint.body.array.append(0)
    let long = try failure { try world.driver.call(hint, as: anna, kind: .service) }
    #expect(long?.code == .invalidArgument && long?.argument == "body")
    let own = try failure { try world.driver.call(DeliverHint(), as: anna) }
    #expect(own?.code == .notAllowed)
  }
}
