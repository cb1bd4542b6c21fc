import TestKit
import Testing
import Wire

@testable import Domain

/// Which answers are remembered, how many, and for how long.
struct EngineAnswerTests {
  private let world = TinyWorld()

  /// A keyed call of a player's instance.
  private func add(
    _ player: PlayerID = .sample(1), instance: UInt64, key: UInt64, floor: UInt64 = 1,
    kind: PrincipalKind = .player, in world: TinyWorld? = nil
  ) -> Outcome {
    let world = world ?? self.world
    var envelope = world.envelope(player, key: key, floor: floor)
    envelope.idempotency.instance = instance
    var add = Add()
    add.amount = 1
    return world.apply(Request(opcode: Add.opcode, envelope: envelope, body: add.encoded))
  }

  private var rowCount: Int { world.rows[ReplyRow.tableID]?.count ?? 0 }
  private var floorCount: Int { world.rows[FloorRow.tableID]?.count ?? 0 }

  @Test("7.1 a repeated call reads its answer, which is not kept in memory")
  func repeatedCallReads() throws {
    let first = world.add(5, key: 1, floor: 1)
    var add = Add()
    add.amount = 5
    let request = Request(
      opcode: Add.opcode, envelope: world.envelope(.sample(1), key: 1, floor: 1), body: add.encoded)
    let key = ReplyKey(slot: world.slot, instance: 5, counter: 1)
    for _ in 0..<2 {
      guard case .needs(let ranges) = world.engine.apply(request, clock: world.clock) else {
        Issue.record("the answer came without its row")
        return
      }
      #expect(ranges == [.row(ReplyRow.self, key)])
      #expect(world.apply(request).answer == first.answer)
      try world.restart()
    }
    #expect(world.total == 5)
  }

  @Test("a row of an answer says at which slot its call ran")
  func rowsSayTheirSlot() throws {
    for number in 1...20 as ClosedRange<UInt64> {
      let player = PlayerID.sample(number)
      let outcome = add(player, instance: number, key: 1)
      let put = try #require(decodedChanges(outcome.changes).first { $0.table == ReplyRow.tableID })
      let row = try ReplyRow(decoding: put.bytes)
      #expect(Int(row.key.slot) == Slot.of(RoutingKey(reinterpreting: player)))
    }
    #expect(
      add(.sample(2), instance: 1, key: 1).failureCode == .keyReused, "the same at another slot")
  }

  /// A client with a full window goes on as soon as it says that it has read the answers.
  @Test("7.1 64 answers are remembered, until the floor rises")
  func aFullWindowReopensWithTheFloor() {
    for key in 1...64 as ClosedRange<UInt64> {
      #expect(world.add(1, key: key, floor: 1).failureCode == nil)
    }
    #expect(world.add(1, key: 65, floor: 1).failureCode == .floorTooLow)
    #expect(world.add(1, key: 64, floor: 1).failureCode == nil, "a repeated call is answered")
    let outcome = world.add(1, key: 65, floor: 65)
    #expect(outcome.failureCode == nil)
    #expect(outcome.summary.count == 2 + 64)
    #expect(world.total == 65 && rowCount == 1)
  }

  @Test("7.1 what one player's instances leave is bounded, and costs no other player anything")
  func ownersBound() throws {
    let other: PlayerID = .sample(2)
    for key in 1...64 as ClosedRange<UInt64> { _ = add(other, instance: 99, key: key) }
    for instance in 1...20 as ClosedRange<UInt64> {
      world.clock += 1
      for key in 1...64 as ClosedRange<UInt64> {
        #expect(add(instance: instance, key: key).failureCode == nil, "an app that began anew")
      }
    }
    #expect(rowCount == 512 + 64 && floorCount == 12)
    #expect(add(other, instance: 99, key: 64).changes.isEmpty, "remembered")
    try world.restart()
    #expect(add(instance: 21, key: 1).failureCode == nil)
    #expect(rowCount == 7 * 64 + 1 + 64 && floorCount == 13)
    #expect(world.total == 20 * 64 + 1)
  }

  @Test("7.1 an instance that makes room for another runs no call again, and goes on with new ones")
  func oldestInstancesMakeRoom() throws {
    for instance in 1...8 as ClosedRange<UInt64> {
      world.clock += 1
      for key in 1...64 as ClosedRange<UInt64> { _ = add(instance: instance, key: key) }
    }
    let made = add(instance: 9, key: 1).summary
    #expect(made.filter { $0 == "remove 1" }.count == 64, "the one that was silent longest")
    #expect(made.filter { $0 == "put 8" }.count == 1)
    for _ in 0..<2 {
      #expect(add(instance: 1, key: 64).failureCode == .staleKey)
      #expect(add(instance: 1, key: 3).failureCode == .staleKey)
      #expect(add(instance: 2, key: 64).changes.isEmpty, "the next one is remembered")
      try world.restart()
    }
    #expect(add(instance: 1, key: 65).summary == ["put 16", "remove 8", "put 1"])
    try world.restart()
    #expect(add(instance: 1, key: 64).failureCode == .staleKey)
    #expect(add(instance: 1, key: 65).changes.isEmpty)
    #expect(world.total == 8 * 64 + 2)
  }

  @Test("7.1 that answers made room is known for as long as answers are kept")
  func floorsExpire() {
    var bounds = AnswerBounds()
    bounds.perOwnerMax = 1
    let world = TinyWorld(answers: bounds)
    for instance in 1...3 as ClosedRange<UInt64> { _ = add(instance: instance, key: 1, in: world) }
    #expect(world.rows[FloorRow.tableID]?.count == 2)
    world.clock += 6 * 3600 * 1000
    _ = add(.sample(2), instance: 6, key: 1, in: world)
    #expect(add(instance: 1, key: 1, in: world).failureCode == .staleKey)
    world.clock += 1
    for number in 3...5 as ClosedRange<UInt64> {
      _ = add(.sample(number), instance: number + 4, key: 1, in: world)
    }
    #expect(world.rows[FloorRow.tableID]?.isEmpty == true)
    #expect(world.engine.answerCounts == (4, 32, 4))
  }

  @Test("7.1 the instances of a player that made room are bounded too")
  func floorsBound() throws {
    for instance in 1...1_100 as ClosedRange<UInt64> {
      world.clock += 1
      #expect(add(instance: instance, key: 1).failureCode == nil)
    }
    #expect(rowCount == 512 && floorCount == 512)
    #expect(world.engine.answerCounts.instances == 1_024)
    #expect(add(instance: 77, key: 1).failureCode == .staleKey, "the oldest that is known")
    try world.restart()
    _ = add(instance: 1_101, key: 1)
    #expect(rowCount == 512 && floorCount == 512)
  }

  @Test("7.1 the bytes of a player's answers are bounded")
  func bytesBound() {
    var bounds = AnswerBounds()
    bounds.bytesPerOwnerMax = 100
    let world = TinyWorld(answers: bounds)
    // A total has eight bytes.
    for key in 1...13 as ClosedRange<UInt64> {
      #expect(add(instance: 1, key: key, in: world).failureCode == nil)
    }
    #expect(world.engine.answerCounts == (13, 104, 1))
    #expect(add(instance: 1, key: 14, in: world).failureCode == .floorTooLow)
    #expect(add(.sample(2), instance: 2, key: 1, in: world).failureCode == nil)
    #expect(add(instance: 1, key: 14, floor: 13, in: world).failureCode == nil)
    #expect(world.engine.answerCounts == (3, 24, 2))
  }

  /// The answers above the call cannot be acknowledged before it has one.
  @Test("7.1 an older call that no floor can help is not refused for the bytes of later ones")
  func bytesAboveACall() {
    var bounds = AnswerBounds()
    bounds.bytesPerOwnerMax = 100
    let world = TinyWorld(answers: bounds)
    for key in 2...14 as ClosedRange<UInt64> { _ = add(instance: 1, key: key, in: world) }
    #expect(add(instance: 1, key: 15, in: world).failureCode == .floorTooLow)
    #expect(add(instance: 1, key: 1, in: world).failureCode == nil)
    #expect(world.engine.answerCounts == (14, 112, 1))
  }

  @Test("7.1 the answers to an instance that was silent for six hours are forgotten")
  func silentForHours() {
    _ = world.add(1, key: 1, floor: 1)
    _ = world.add(1, key: 2, floor: 1)
    world.clock += 6 * 3600 * 1000
    #expect(add(.sample(2), instance: 6, key: 1).summary == ["put 16", "put 1"])
    world.clock += 1
    let outcome = add(.sample(2), instance: 7, key: 1)
    #expect(outcome.summary == ["put 16", "put 1", "remove 1", "remove 1"])
    #expect(rowCount == 2)
    #expect(world.engine.answerCounts == (2, 16, 2))
    _ = world.add(1, key: 1, floor: 1)
    #expect(world.total == 3)
  }

  @Test func anInstanceThatCalledAgainIsKept() {
    _ = world.add(1, key: 1, floor: 1)
    world.clock += 6 * 3600 * 1000
    _ = world.add(1, key: 2, floor: 1)
    world.clock += 10
    #expect(add(.sample(2), instance: 6, key: 1).summary == ["put 16", "put 1"])
    _ = world.add(1, key: 1, floor: 1)
    #expect(world.total == 2)
  }

  @Test("7.1 the end of a session takes its answers along, and its calls run no more")
  func aRevokedInstanceLeavesNothing() {
    for key in 1...3 as ClosedRange<UInt64> { _ = world.add(1, key: key, floor: 1) }
    _ = add(.sample(2), instance: 6, key: 1)
    let channel = Channel(link: 3, session: 8)
    let left = world.engine.closed(channel, clock: world.clock)
    #expect(left.changes.isEmpty, "the connection alone is gone")
    let ended = world.engine.closed(channel, ending: 5, clock: world.clock)
    #expect(ended.summary == ["remove 1", "remove 1", "remove 1", "put 8"])
    world.keep(ended.changes)
    #expect(world.engine.closed(channel, ending: 5, clock: world.clock).changes.isEmpty)
    #expect(world.add(1, key: 1, floor: 1).failureCode == .staleKey)
    #expect(world.add(1, key: 4, floor: 4).failureCode == .staleKey)
    #expect(rowCount == 1 && floorCount == 1 && world.total == 3)
    // It was on its way for at most so long; after that nobody knows the instance.
    world.clock += 10 * 60 * 1000 + 1
    _ = add(.sample(2), instance: 6, key: 2)
    #expect(world.engine.answerCounts.instances == 1 && floorCount == 0)
  }

  /// A repetition may wait in another gateway's link while the session ends over this one's.
  @Test("7.1 a call of a session that has ended runs no more after a restart either")
  func anEndIsDurable() throws {
    _ = world.add(1, key: 7, floor: 7)
    let channel = Channel(link: 3, session: 8)
    world.keep(world.engine.closed(channel, ending: 5, clock: world.clock).changes)
    try world.restart()
    #expect(world.add(1, key: 7, floor: 7).failureCode == .staleKey)
    #expect(world.add(1, key: 8, floor: 8).failureCode == .staleKey)
    #expect(world.engine.closed(channel, ending: 5, clock: world.clock).changes.isEmpty)
    #expect(world.total == 1)
  }
}
