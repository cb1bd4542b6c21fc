import Domain
import Storage
import Testing
import Wire

@testable import ServiceKit

@Suite struct EngineRunnerTests {
  private let world = StillWorld()

  @Test("2.8 a cold read sees what was written before it, durable or not")
  func coldReadWaits() throws {
    var answers: [Answer] = []
    world.call(AddNote()) { answers.append($0) }
    try world.commit()
    world.call(AddNote()) { answers.append($0) }
    world.call(ReadNotes()) { answers.append($0) }
    world.take(\.reads)
    #expect(answers.count == 1)
    try world.commit()
    world.take(\.reads)
    var reply = ReadNotes.Reply()
    reply.found = 2
    reply.expected = 2
    #expect(answers.count == 3 && answers.last == .reply(reply.encoded))
  }

  @Test("commands of a slot keep their order behind one that reads")
  func orderBehindRead() throws {
    var order: [String] = []
    world.call(AddNote()) { _ in order.append("first") }
    try world.commit()
    world.call(ReadNotes()) { _ in order.append("read") }
    world.call(AddNote()) { _ in order.append("second") }
    try world.commit()
    #expect(order == ["first"] && world.core.count == 1)
    world.take(\.reads)
    try world.commit()
    #expect(order == ["first", "read", "second"])
  }

  @Test("7.1 while a batch is under way others read, and wait for that batch alone")
  func readsPassChanges() throws {
    var told: [String] = []
    world.call(AddNote(), session: 1) { _ in told.append("first") }
    world.take(\.turns)
    world.call(AddNote(), session: 2) { _ in told.append("second") }
    world.call(CountNotes(), session: 3) { told.append("counted \(count($0))") }
    #expect(told.isEmpty)
    try world.commitOne()
    #expect(told == ["first", "counted 1"] && !world.runner.isIdle)
    try world.commit()
    #expect(told.last == "second" && world.core.count == 2 && world.runner.isIdle)
  }

  @Test("3.5 live data waits neither for a batch nor behind calls that do")
  func liveDataWaitsForNothing() throws {
    var told: [String] = []
    world.core.listeners = [Channel(link: 1, session: 2), Channel(link: 1, session: 3)]
    world.call(AddNote(), session: 1) { _ in told.append("first") }
    world.take(\.turns)
    world.call(AddNote(), session: 1) { _ in told.append("second") }
    world.call(Shout(), session: 1) { _ in told.append("shouted") }
    #expect(told == ["shouted"] && world.batches.count == 1)
    let push = Push(
      channels: world.core.listeners, opcode: Shouted.opcode.rawValue, lane: .newest(1),
      body: Shouted().encoded)
    #expect(world.pushes == [push], "one push for both")
    try world.commit()
    #expect(told == ["shouted", "first", "second"] && world.runner.isIdle)
  }

  @Test("3.4 a refusal of live data waits for what it rests on, which a crash could undo")
  func liveRefusalsWait() throws {
    var told: [String] = []
    func shout(_ what: String) {
      world.call(Shout()) { if case .failure = $0 { told.append(what) } }
    }
    world.core.refusesShouts = true
    shout("at once")
    #expect(told == ["at once"])
    world.call(AddNote()) { _ in told.append("note") }
    shout("of the note")
    #expect(told == ["at once"])
    try world.commit()
    #expect(told == ["at once", "note", "of the note"] && world.runner.isIdle)
  }

  @Test("3.5 live data goes on while a slot reads cold rows and while the disk is full")
  func liveDataGoesOn() throws {
    var told = 0
    world.core.listeners = [Channel(link: 1, session: 2)]
    world.call(AddNote()) { _ in }
    try world.commit()
    world.call(ReadNotes()) { _ in }
    world.call(Shout()) { _ in told += 1 }
    #expect(told == 1 && world.reads.count == 1)
    world.runner.isStorageFull = true
    world.call(Shout()) { _ in told += 1 }
    #expect(told == 2 && world.pushes.count == 2)
  }

  @Test("3.5 what live data has to come later waits for no disk and behind no other timers")
  func liveTimersWaitForNothing() throws {
    world.core.listeners = [Channel(link: 1, session: 2)]
    for number in 1...40 as ClosedRange<UInt64> {
      world.call(Later(number: number, item: number, due: 2, isBlind: true, isInMemory: true)) {
        _ in
      }
    }
    try world.commit()
    // As many timers as may be are under way, and wait for a disk that does not write.
    world.clock = 3
    while !world.timers.isEmpty { world.take(\.timers) }
    world.take(\.turns)
    #expect(!world.runner.isIdle && world.core.numbered.count < 40)
    world.call(Shout(echoAfter: 20)) { _ in }
    #expect(world.pushes.count == 1 && !world.timers.isEmpty)
    world.clock = 22
    world.take(\.timers)
    #expect(world.pushes.count == 1, "it is early")
    world.clock = 23
    world.take(\.timers)
    #expect(world.pushes.count == 2 && world.core.numbered.count < 40)
    #expect(world.batches.count == 1)
    world.clock = 5_000
    for _ in 0..<20 {
      try world.commit()
      world.take(\.timers)
    }
    #expect(world.core.numbered.count == 40 && world.pushes.count == 2)
  }

  @Test("3.5 what live data has to come later waits for no timer that is due with it")
  func liveTimersWaitForNoRead() throws {
    world.core.listeners = [Channel(link: 1, session: 2)]
    world.call(Later(number: 1, item: 1, due: 22, isBlind: true)) { _ in }
    try world.commit()
    world.clock = 3
    world.call(Shout(echoAfter: 20)) { _ in }
    #expect(world.pushes.count == 1)
    world.clock = 23
    world.take(\.timers)
    #expect(world.pushes.count == 2 && world.core.numbered.isEmpty)
    #expect(world.reads.count == 1, "the other one's row is not read yet")
    world.take(\.reads)
    #expect(world.pushes.count == 2 && world.core.numbered.count == 1)
  }

  @Test("a batch that held up reads is followed by as long a time without one")
  func pauseForReads() throws {
    var told: [String] = []
    holdUpReads(2, for: 300)
    world.call(AddNote(), session: 2) { _ in told.append("changed") }
    try world.commitOne()
    world.call(CountNotes(), session: 3) { told.append("counted \(count($0))") }
    #expect(told == ["counted 1"] && world.turns.isEmpty && !world.runner.isIdle)
    world.microseconds += 299
    world.call(AddNote(), session: 4) { _ in told.append("changed too") }
    #expect(world.turns.isEmpty)
    world.microseconds += 1
    world.call(CountNotes(), session: 3) { told.append("counted \(count($0))") }
    #expect(told.last == "counted 1")
    try world.commit()
    #expect(told.suffix(2) == ["changed", "changed too"] && world.store.lastBatch == 2)
  }

  @Test("reads that wait for the batch being gathered bring the pause behind that one")
  func pauseBehindTheRightBatch() throws {
    var told: [String] = []
    holdUpReads(0, for: 300)
    // No call: it is gathered while a batch is under way, and touches every key.
    world.runner.closeChannel(Channel(link: 0, session: 5))
    for _ in 0..<2 { world.call(CountNotes(), session: 9) { _ in } }
    try world.commitOne()
    world.take(\.turns)
    world.microseconds += 300
    world.call(AddNote(), session: 2) { _ in told.append("changed") }
    try world.commitOne()
    #expect(world.turns.isEmpty, "two reads have waited for it, and one call waits behind it")
    world.microseconds += 300
    world.call(CountNotes(), session: 3) { told.append("counted \(count($0))") }
    try world.commit()
    #expect(told == ["counted 2", "changed"] && world.runner.isIdle)
  }

  @Test("a pause for reads ends by itself, by one timer for all that wait")
  func pauseEndsByTimer() throws {
    holdUpReads(1, for: 300)
    try world.commitOne()
    #expect(world.timers.isEmpty, "nothing waits for its end")
    for _ in 0..<2 { world.call(AddNote()) { _ in } }
    #expect(world.timers.count == 1)
    world.microseconds += 299
    world.take(\.timers)
    #expect(world.turns.isEmpty && world.timers.count == 1)
    world.microseconds += 1
    world.take(\.timers)
    try world.commit()
    #expect(world.core.count == 3 && world.store.lastBatch == 2 && world.runner.isIdle)
    #expect(world.timers.isEmpty)
  }

  @Test("a batch that held up fewer reads than changes is followed by the next one at once")
  func noPauseForChanges() throws {
    holdUpReads(1, for: 300)
    for session in 2...3 { world.call(AddNote(), session: UInt64(session)) { _ in } }
    try world.commit()
    #expect(world.core.count == 3 && world.timers.isEmpty && world.runner.isIdle)
  }

  @Test("a pause for reads is bounded, however slow the disk")
  func pauseIsBounded() throws {
    holdUpReads(1, for: 10_000_000)
    try world.commitOne()
    world.microseconds += CommitCycle.pauseMicrosecondsMax - 1
    world.call(AddNote()) { _ in }
    #expect(world.turns.isEmpty)
    world.microseconds += 1
    world.call(CountNotes(), session: 3) { _ in }
    try world.commit()
    #expect(world.core.count == 2 && world.runner.isIdle)
  }

  @Test("what is gathered in a pause ends it, and the calls that waited are in the same batch")
  func gatheredInPause() throws {
    world.isAlone = false
    var forward = Forward()
    forward.count = 1
    world.call(forward) { _ in }
    try world.commit()
    holdUpReads(3, for: 300)
    let (count, last) = (world.core.count, world.store.lastBatch)
    world.call(AddNote(), session: 3) { _ in }
    try world.commitOne()
    #expect(world.core.count == count && world.turns.isEmpty)
    world.answer { _ in .reply([]) }
    #expect(world.engine.openEffectCount == 0)
    world.take(\.turns)
    #expect(world.core.count == count + 1 && world.batches.count == 1)
    try world.commit()
    #expect(world.store.lastBatch == last + 2 && world.runner.isIdle)
  }

  @Test("a full disk refuses the changes that wait for the end of a pause")
  func fullDiskInPause() throws {
    var refused = 0
    holdUpReads(1, for: 300)
    try world.commitOne()
    for _ in 0..<3 {
      world.call(AddNote()) { if case .failure = $0 { refused += 1 } }
    }
    world.runner.isStorageFull = true
    #expect(refused == 3 && world.runner.isIdle)
    world.runner.isStorageFull = false
    world.call(AddNote()) { if case .failure = $0 { refused += 1 } }
    world.microseconds += 300
    world.take(\.timers)
    try world.commit()
    #expect(refused == 3 && world.core.count == 2 && world.runner.isIdle)
  }

  /// Begins a batch that takes so long, with reads that wait for it.
  private func holdUpReads(_ count: Int, for microseconds: UInt64) {
    world.call(AddNote()) { _ in }
    world.take(\.turns)
    for _ in 0..<count { world.call(CountNotes(), session: 9) { _ in } }
    world.microseconds += microseconds
  }

  @Test("a client's own calls on a key run in their order around a batch")
  func clientsKeepOrder() throws {
    var told: [String] = []
    world.call(AddNote(), session: 1) { _ in }
    world.take(\.turns)
    world.call(AddNote(), session: 2) { _ in told.append("own") }
    world.call(CountNotes(), session: 2) { told.append("counted \(count($0))") }
    world.call(CountNotes(), session: 2, key: 8) { told.append("elsewhere \(count($0))") }
    #expect(told == ["elsewhere 1"])
    try world.commitOne()
    #expect(told.count == 1)
    // Behind those that have waited, also when none is under way.
    world.call(Forward(), session: 3) { _ in told.append("later") }
    try world.commit()
    #expect(told.dropFirst() == ["own", "counted 2", "later"] && world.runner.isIdle)
  }

  @Test("changes that waited for a batch make one, however many they are")
  func manyHeld() throws {
    let most = CommitCycle.callsPerTurnMax
    var answered = 0
    world.call(AddNote()) { _ in }
    world.take(\.turns)
    for _ in 0..<most * 2 + 1 { world.call(AddNote()) { _ in answered += 1 } }
    try world.commitOne()
    for turn in 1...3 {
      #expect(world.batches.isEmpty)
      // What comes meanwhile is for the batch after it.
      world.call(AddNote()) { _ in answered += 1 }
      world.take(\.turns)
      #expect(world.core.count == UInt64(1 + min(turn * most, most * 2 + 1)))
    }
    try world.commitOne()
    #expect(answered == most * 2 + 1)
    try world.commit()
    #expect(answered == most * 2 + 4 && world.runner.isIdle)
  }

  @Test("calls that waited for a batch all run, also when they change nothing")
  func heldWithoutChanges() throws {
    let count = CommitCycle.callsPerTurnMax * 3
    var answered = 0
    world.call(AddNote()) { _ in }
    world.take(\.turns)
    for _ in 0..<count { world.call(Forward()) { _ in answered += 1 } }
    try world.commitOne()
    world.take(\.turns)
    world.call(Forward()) { _ in answered += 1 }
    try world.commit()
    #expect(answered == count + 1 && world.runner.isIdle)
  }

  @Test("a full disk refuses the changes that wait; reads behind them go on")
  func heldOnFullDisk() throws {
    var told: [String] = []
    world.call(AddNote(), session: 1) { _ in }
    world.take(\.turns)
    world.call(AddNote(), session: 2) { answer in
      if case .failure(let failure) = answer { told.append("\(failure.code)") }
    }
    world.call(CountNotes(), session: 2) { told.append("counted \(count($0))") }
    world.runner.isStorageFull = true
    #expect(told == ["\(FailureCode.storageFull)"])
    world.runner.isStorageFull = false
    try world.commit()
    #expect(told.last == "counted 1" && world.core.count == 1 && world.runner.isIdle)
  }

  @Test("calls that wait for a batch are bounded in bytes")
  func heldBytes() throws {
    var answers: [Answer] = []
    world.call(AddNote()) { _ in }
    world.take(\.turns)
    var envelope = ServiceEnvelope()
    envelope.principal.kind = .player
    envelope.routingKey = RoutingKey(high: 0, low: 7)
    let large = Request(
      opcode: Forward.opcode, envelope: envelope,
      body: Forward().encoded + [UInt8](repeating: 0, count: 1 << 20))
    for _ in 0..<HeldCalls.bytesMax >> 20 { world.runner.submit(large) { answers.append($0) } }
    #expect(answers.isEmpty)
    world.runner.submit(large) { answers.append($0) }
    guard case .failure(let failure)? = answers.first else {
      Issue.record("it was not refused")
      return
    }
    #expect(failure.code == .backpressure)
    try world.commit()
    #expect(answers.count == HeldCalls.bytesMax >> 20 + 1 && world.runner.isIdle)
  }

  private func count(_ answer: Answer) -> UInt64 {
    guard case .reply(let body) = answer else { return .max }
    return (try? CountNotes.Reply(decoding: body))?.count ?? .max
  }

  @Test("a command that takes several turns keeps its place on its slot, and lets others pass")
  func severalTurns() throws {
    var order: [String] = []
    var dawdle = Dawdle()
    dawdle.turns = 3
    world.call(dawdle) { _ in order.append("slow") }
    world.call(AddNote()) { _ in order.append("behind") }
    var envelope = ServiceEnvelope()
    envelope.principal.kind = .player
    envelope.routingKey = RoutingKey(high: 0, low: 8)
    let other = Request(opcode: AddNote.opcode, envelope: envelope, body: AddNote().encoded)
    world.runner.submit(other) { _ in order.append("other") }
    try world.commit()
    #expect(order == ["other"])
    for _ in 0..<3 {
      #expect(world.reads.count == 1)
      world.take(\.reads)
    }
    try world.commit()
    #expect(order == ["other", "slow", "behind"])
  }

  @Test("a body that was lent is kept by a call that reads, or waits behind a read or a batch")
  func lentBodies() throws {
    world.isAlone = false
    for _ in 0..<2 { world.call(AddNote()) { _ in } }
    try world.commit()
    var (read, forward, found) = (ReadNotes(), Forward(), UInt64.max)
    read.limit = 1
    forward.count = 2
    world.call(read) { answer in
      if case .reply(let body) = answer {
        found = (try? ReadNotes.Reply(decoding: body))?.found ?? 0
      }
    }
    world.call(forward) { _ in }
    world.take(\.reads)
    world.take(\.turns)
    #expect(found == 1 && world.engine.openEffectCount == 2 && world.batches.count == 1)
    world.call(forward) { _ in }
    try world.commit()
    #expect(world.engine.openEffectCount == 4)
  }

  @Test("answers that wait for a stuck disk are bounded")
  func stuckDisk() {
    var answers: [Answer] = []
    world.call(AddNote()) { answers.append($0) }
    world.take(\.turns)
    for _ in 0..<CommitGate.outputsMax - 1 {
      world.call(CountNotes(), session: 2) { answers.append($0) }
    }
    #expect(answers.isEmpty)
    world.call(ReadNotes()) { answers.append($0) }
    guard case .failure(let failure)? = answers.first else {
      Issue.record("it was not refused")
      return
    }
    #expect(failure.code == .backpressure)
  }

  @Test("commands that waited behind a read do not overfill the batch")
  func fullBatchBehindRead() throws {
    var (done, refused) = (0, 0)
    world.call(AddNote()) { _ in }
    try world.commit()
    world.call(ReadNotes()) { _ in }
    var forward = Forward()
    forward.count = 10_000
    for _ in 0..<10 {
      world.call(forward) { answer in
        if case .failure(let failure) = answer {
          #expect(failure.code == .backpressure)
          refused += 1
        } else {
          done += 1
        }
      }
    }
    world.take(\.reads)
    try world.commit()
    #expect(done == 4 && refused == 6)
  }

  @Test("an effect for this process waits for room on the disk, and then goes once")
  func effectsWaitForRoom() throws {
    var forward = Forward()
    (forward.count, forward.firstNumber) = (3, 1)
    world.call(forward) { _ in }
    world.take(\.turns)
    world.runner.isStorageFull = true
    // The batch before had room; its effects find none.
    try world.commit()
    #expect(world.engine.openEffectCount == 3 && world.timers.count == 1)
    world.take(\.timers)
    #expect(world.timers.count == 1, "one repetition at a time")
    world.runner.isStorageFull = false
    for _ in 0..<2 { world.take(\.timers) }
    try world.commitAndRead()
    #expect(world.engine.openEffectCount == 0 && world.core.numbered.count == 3)
    #expect(world.runner.isIdle && world.timers.isEmpty)
  }

  @Test("time stays where an earlier life left it, whatever the clock says now")
  func timeNeverGoesBack() throws {
    let earlier = StillWorld()
    earlier.isAlone = false
    var forward = Forward()
    forward.count = 1
    earlier.call(forward) { _ in }
    let world = StillWorld(lastTime: 1_000)
    try world.engine.load { table, take in
      guard table.id == OutboxRow.tableID else { return }
      for effect in earlier.engine.openEffects { try unsafe take(effect.encoded.span.bytes) }
    }
    world.isAlone = false
    world.runner.start()
    world.answer { _ in .reply([]) }
    try world.commit()
    #expect(world.engine.openEffectCount == 0 && world.times == [1_000])
    let other = StillWorld(lastTime: 1_000)
    other.call(AddNote()) { _ in }
    try other.commit()
    #expect(other.times == [1_000])
  }

  @Test("effects that are refused for now, however many, do not hold up the others")
  func refusedForNow() throws {
    world.isAlone = false
    var forward = Forward()
    forward.count = 600
    forward.isSpread = true
    world.call(forward) { _ in }
    try world.commit()
    let stuck = Set(world.engine.openEffects.prefix(300).map { Slot.of($0.routingKey) })
    let free = world.engine.openEffects.count { !stuck.contains(Slot.of($0.routingKey)) }
    #expect(stuck.count >= EffectQueue.windowMax && free > 100)
    let busy = Answer.failure(Failure(.backpressure, "Later."))
    for _ in 0..<4 {
      world.answer { stuck.contains(Slot.of($0.envelope.routingKey)) ? busy : .reply([]) }
      world.take(\.timers)
    }
    #expect(world.engine.openEffectCount == 600 - free)
    while !world.timers.isEmpty || !world.calls.isEmpty {
      world.answer { _ in .reply([]) }
      world.take(\.timers)
    }
    #expect(world.engine.openEffectCount == 0)
  }

  @Test("the audit's old rows go with time")
  func auditIsTrimmed() throws {
    let all = ColdRange(table: AuditRow.tableID, from: [], through: [], limit: 10)
    world.call(OwnersNote(), as: .deploymentOperator) { _ in }
    world.call(AddNote()) { _ in }
    try world.commit()
    #expect(try world.store.read(all).count == 1)
    world.take(\.timers)
    #expect(world.reads.isEmpty, "too early")
    world.clock += world.core.settings[.auditKept] + 1
    world.take(\.timers)
    world.take(\.reads)
    try world.commit()
    #expect(try world.store.read(all).isEmpty && world.runner.isIdle)
  }

  @Test("an effect for a service that the deployment leaves out is parked, and not tried again")
  func leftOut() throws {
    world.leavesOut = true
    world.isAlone = false
    var forward = Forward()
    forward.count = 3
    world.call(forward) { _ in }
    try world.commit()
    #expect(world.engine.openEffectCount == 0 && world.engine.parkedEffectCount == 3)
    #expect(world.calls.isEmpty && world.runner.isIdle)
    // Of all that is still to come, nothing sends it.
    world.take(\.timers)
    #expect(world.calls.isEmpty)
  }

  @Test("many effects that are answered at once do not nest")
  func manyEffects() throws {
    for _ in 0..<100 {
      var forward = Forward()
      forward.count = 300
      world.call(forward) { _ in }
    }
    try world.commit()
    #expect(world.core.count == 30_000 && world.engine.openEffectCount == 0)
  }
}
