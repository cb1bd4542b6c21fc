import Domain
import Storage
import Testing
import Wire

@testable import ServiceKit

/// Effects on keys of the process that has them.
@Suite struct OwnEffectsTests {
  private let world = StillWorld()
  /// The key that `Forward` has its effects on.
  private let target: UInt64 = 77

  private func forward(
    _ count: UInt32, from firstNumber: UInt64 = 0, isBlind: Bool = true,
    _ done: @escaping (Answer) -> Void = { _ in }
  ) {
    var forward = Forward()
    forward.count = count
    forward.firstNumber = firstNumber
    forward.isBlind = isBlind
    world.call(forward, done)
  }

  private func writtenTables() throws -> Set<UInt16> {
    Set(try world.batches.flatMap { try $0.changes.decoded().map(\.table) })
  }

  @Test("7.1 an effect on a key of the process is durable with its command, and told after that")
  func inOneBatch() throws {
    var told = 0
    forward(3) { _ in told += 1 }
    #expect(world.core.count == 3 && told == 0)
    world.take(\.turns)
    #expect(try writtenTables() == [NoteRow.tableID], "neither outbox nor inbox")
    // A read of the changed key must not tell what a crash would undo.
    world.call(CountNotes(), key: target) { _ in told += 10 }
    #expect(told == 0)
    try world.commitOne()
    #expect(told == 11 && world.engine.openEffectCount == 0)
    try world.commit()
    #expect(world.store.lastBatch == 1 && world.runner.isIdle)
  }

  @Test("effects keep their order behind one that waits, also when they need not wait themselves")
  func order() throws {
    world.call(AddNote(), key: target) { _ in }
    try world.commit()
    world.call(ReadNotes(), key: target) { _ in }
    forward(1, from: 1)
    #expect(world.core.numbered.isEmpty && world.engine.openEffectCount == 1, "the key reads")
    world.take(\.reads)
    forward(2, from: 2)
    #expect(world.core.numbered.isEmpty && world.engine.openEffectCount == 3)
    try world.commit()
    #expect(world.core.numbered.map(\.number) == [1, 2, 3])
    #expect(world.engine.openEffectCount == 0)
    forward(1, from: 4)
    #expect(world.core.numbered.map(\.number) == [1, 2, 3, 4], "none waits any more")
    try world.commit()
    #expect(world.runner.isIdle)
  }

  @Test("an effect that needs cold rows gets them, and those behind it wait")
  func coldRows() throws {
    forward(2, from: 1, isBlind: false)
    forward(1, from: 3)
    #expect(world.core.numbered.isEmpty && world.engine.openEffectCount == 3)
    try world.commitAndRead()
    #expect(world.core.numbered.map(\.number) == [1, 2, 3])
    #expect(world.engine.openEffectCount == 0 && world.runner.isIdle)
  }

  @Test("one command has so many effects at once, and the others after them")
  func bounded() throws {
    let most = Engine.ownEffectsMax
    forward(UInt32(most + 50), from: 1)
    #expect(world.core.numbered.count == most && world.engine.openEffectCount == 50)
    try world.commit()
    #expect(world.core.numbered.map(\.number) == (1...UInt64(most + 50)).map { $0 })
    #expect(world.engine.openEffectCount == 0 && world.runner.isIdle)
  }

  @Test("an effect that is refused for now comes again, one that is refused for good is parked")
  func refused() throws {
    world.core.refusals = [1: .unavailable, 2: .invalidArgument]
    forward(1, from: 1)
    try world.commit()
    #expect(world.engine.openEffectCount == 1)
    world.core.refusals[1] = nil
    for _ in 0..<2 {
      world.take(\.timers)
      try world.commit()
    }
    #expect(world.core.numbered.map(\.number) == [1] && world.engine.openEffectCount == 0)
    forward(2, from: 2)
    try world.commit()
    #expect(world.core.numbered.map(\.number) == [1, 3])
    #expect(world.engine.openEffectCount == 0 && world.engine.parkedEffectCount == 1)
  }

  @Test("what goes on at its own key takes one step in each batch, and others come in between")
  func ownKey() throws {
    var forward = Forward()
    (forward.count, forward.firstNumber, forward.isBlind) = (1, 1, true)
    world.call(forward, key: target) { _ in }
    #expect(world.core.numbered.isEmpty && world.engine.openEffectCount == 1)
    try world.commit()
    #expect(world.core.numbered.count == 1 && world.engine.openEffectCount == 0)
  }

  @Test("effects that are applied at once take their part of the turn")
  func turn() throws {
    let most = UInt32(CommitCycle.callsPerTurnMax)
    world.call(AddNote()) { _ in }
    world.take(\.turns)
    for first in [1, 1001, 2001] as [UInt64] { forward(most - 1, from: first) }
    try world.commitOne()
    for calls in 1...3 {
      #expect(world.batches.isEmpty)
      world.take(\.turns)
      #expect(world.core.numbered.count == calls * Int(most - 1))
    }
    try world.commit()
    #expect(world.runner.isIdle)
  }

  @Test("7.1 a channel that closes has its effects in one batch with itself")
  func closing() throws {
    world.core.closesElsewhere = true
    world.runner.closeChannel(Channel(link: 1, session: 1))
    #expect(world.core.count == 1 && world.engine.openEffectCount == 0)
    var told = 0
    world.call(CountNotes(), key: 5) { _ in told += 1 }
    #expect(told == 0, "any slot may know of it")
    try world.commit()
    #expect(told == 1 && world.store.lastBatch == 1 && world.runner.isIdle)
  }

  @Test("an effect that names another key than its own changes nothing there, and is parked")
  func misnamed() throws {
    var forward = Forward()
    (forward.count, forward.named) = (1, target)
    world.call(forward) { _ in }
    #expect(world.core.count == 1 && world.engine.openEffectCount == 0)
    forward.named = target + 1
    world.call(forward) { _ in }
    try world.commit()
    #expect(world.core.count == 1 && world.engine.parkedEffectCount == 1)
  }

  @Test("an effect that services may not have is parked")
  func notForServices() throws {
    var forward = Forward()
    (forward.count, forward.isOwners) = (1, true)
    world.call(forward) { _ in }
    try world.commit()
    #expect(world.core.count == 0 && world.engine.parkedEffectCount == 1)
  }
}
