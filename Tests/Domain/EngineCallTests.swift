import Domain
import TestKit
import Testing
import Wire

struct EngineCallTests {
  private let world = TinyWorld()

  @Test func aRepeatedCallGetsTheFirstAnswer() throws {
    let first = world.add(5, key: 1, floor: 1)
    #expect(try first.reply(Total.self).value == 5)
    #expect(first.summary == ["put 16", "put 1"])
    _ = world.add(1, key: 2, floor: 1)
    let again = world.add(5, key: 1, floor: 1)
    #expect(again.answer == first.answer)
    #expect(again.changes.isEmpty)
    #expect(again.slot == first.slot)
    #expect(world.total == 6)
  }

  @Test func withoutAKeyEveryCallRuns() {
    _ = world.add(5)
    #expect(world.add(5).summary == ["put 16"])
    #expect(world.total == 10)
  }

  @Test func anotherBodyOrOperationUnderOneKeyIsRefused() {
    _ = world.add(5, key: 1, floor: 1)
    #expect(world.add(6, key: 1, floor: 1).failureCode == .keyReused)
    var note = WriteNote()
    note.text = "n"
    #expect(world.call(note, key: 1, floor: 1).failureCode == .keyReused)
    #expect(world.total == 5)
  }

  @Test func aRaisedFloorForgetsTheRowsBelow() throws {
    for key in 1...4 as ClosedRange<UInt64> { _ = world.add(1, key: key, floor: 1) }
    let outcome = world.add(1, key: 5, floor: 4)
    #expect(outcome.summary == ["put 16", "put 1", "remove 1", "remove 1", "remove 1"])
    let removed = decodedChanges(outcome.changes).filter { $0.kind == .remove }.map(\.key)
    #expect(
      removed == (1...3).map { ReplyKey(slot: world.slot, instance: 5, counter: $0).keyBytes })
    #expect(world.rows[ReplyRow.tableID]?.count == 2)
    for key in 1...3 as ClosedRange<UInt64> {
      #expect(world.add(1, key: key, floor: 1).failureCode == .staleKey)
    }
    #expect(try world.add(1, key: 4, floor: 1).reply(Total.self).value == 4)
    #expect(world.total == 5)
  }

  @Test("7.1 a counter may be up to 2^32 above the newest one, and a floor is not above its call")
  func jumps() {
    let jump: UInt64 = 1 << 32
    #expect(world.refusal(world.add(1, key: jump + 1, floor: 1)) == "counter")
    #expect(world.add(1, key: jump, floor: 7).failureCode == nil)
    #expect(world.refusal(world.add(1, key: 2 * jump + 1, floor: 8)) == "counter")
    #expect(world.add(1, key: 2 * jump, floor: 8).failureCode == nil)
    #expect(world.refusal(world.add(1, key: 2 * jump + 1, floor: 2 * jump + 2)) == "floor")
    #expect(world.total == 2)
  }

  @Test("7.1 the greatest counter is refused, and the next one runs")
  func greatestCounter() {
    #expect(world.refusal(world.add(1, key: .max, floor: 1)) == "counter")
    #expect(world.refusal(world.add(1, key: 1, floor: .max)) == "floor")
    #expect(world.add(1, key: 1, floor: 0).failureCode == nil, "a floor of 0 is one of 1")
    #expect(world.refusal(world.add(1, key: .max, floor: .max)) == "counter")
    #expect(world.add(1, key: 2, floor: 1).failureCode == nil)
    #expect(world.total == 2)
  }

  @Test func refusalsAreNotRemembered() {
    let refused = world.add(-1, key: 1, floor: 1)
    #expect(refused.failureCode == .invalidArgument)
    #expect(refused.changes.isEmpty)
    #expect(world.add(2, key: 1, floor: 1).failureCode == nil)
    #expect(world.total == 2)
  }

  @Test func readsAreNotRemembered() throws {
    _ = world.add(2)
    #expect(world.call(ReadTotal(), key: 1, floor: 1).changes.isEmpty)
    _ = world.add(2)
    #expect(try world.call(ReadTotal(), key: 1, floor: 1).reply(Total.self).value == 4)
  }

  @Test func whoMayCall() {
    var receive = Receive()
    receive.player = .sample(1)
    #expect(world.call(receive).failureCode == .notAllowed)
    var envelope = world.envelope(.sample(1))
    for kind in [PrincipalKind.anonymous, .gameServer, .service, .init(rawValue: 77)] {
      envelope.principal.kind = kind
      let outcome = world.apply(
        Request(opcode: Add.opcode, envelope: envelope, body: Add().encoded))
      #expect(outcome.failureCode == .notAllowed)
    }
  }

  @Test func unknownOpcodesAndBadBodies() {
    let envelope = world.envelope(.sample(1))
    let unknown = Request(opcode: Opcode(.context, 0x7F), envelope: envelope, body: [])
    #expect(world.apply(unknown).failureCode == .unknownOperation)
    let short = Request(opcode: Add.opcode, envelope: envelope, body: [1, 2, 3])
    #expect(world.apply(short).failureCode == .malformed)
  }

  @Test func eachPartitionAnswersForItsSlotsOnly() {
    let worlds = (0..<4).map { TinyWorld(partition: Partition(index: $0, count: 4)) }
    for number in 0..<40 as Range<UInt64> {
      let player = PlayerID.sample(number)
      let slot = Slot.of(RoutingKey(reinterpreting: player))
      let codes = worlds.map { $0.call(Add(), player).failureCode }
      for (index, code) in codes.enumerated() {
        #expect(code == (index == slot / 256 ? nil : .wrongPartition))
      }
    }
  }

  @Test func pushesGoToTheChannelOfTheCall() {
    var envelope = world.envelope(.sample(1), key: 1, floor: 1)
    envelope.session = 8
    let request = Request(opcode: Add.opcode, envelope: envelope, body: Add().encoded, link: 3)
    let channel = Channel(link: 3, session: 8)
    let pushes = world.apply(request).pushes
    #expect(pushes.map(\.channel) == [channel])
    #expect(pushes.map(\.opcode) == [Nudge.opcode.rawValue])
    #expect(world.apply(request).pushes.isEmpty, "a repeated call pushes nothing again")
    _ = world.engine.closed(channel, clock: world.clock)
    #expect(world.core.closedChannels == [channel])
  }

  @Test func coldRowsAreAskedForAndTheCallRunsAgain() throws {
    for text in ["a", "b", "c", "d", "e"] {
      world.clock += 1
      var note = WriteNote()
      note.text = text
      _ = world.call(note)
    }
    var read = ReadNotes()
    read.first = 1_000_002
    #expect(try world.call(read).reply(ReadNotes.Reply.self).text == "bcd")
  }

  @Test func timeNeverGoesBack() throws {
    #expect(world.engine.time(clock: 500) == 500)
    #expect(world.engine.time(clock: 400) == 500)
    world.clock = 300
    var note = WriteNote()
    note.text = "n"
    #expect(try world.call(note).reply(Total.self).value == 500)
    try world.restart()
    world.clock = 200
    #expect(try world.call(note).reply(Total.self).value == 500)
    world.clock = 600
    #expect(try world.call(note).reply(Total.self).value == 600)
  }

  @Test func aHandlerThatRefusesAfterAChangeTraps() async {
    await #expect(processExitsWith: .failure) { _ = TinyWorld().call(Spoil()) }
  }

  @Test func aReadThatChangesSomethingTraps() async {
    await #expect(processExitsWith: .failure) { _ = TinyWorld().call(Lie()) }
  }

  @Test func oneOpcodeForTwoHandlersTraps() async {
    await #expect(processExitsWith: .failure) {
      let core = TinyCore()
      var router = core.router
      router.on(Add.self, core.add)
    }
  }
}
