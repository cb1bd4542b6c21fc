import TestKit
import Testing
import Wire

@testable import Domain

struct EngineEffectTests {
  private let world = TinyWorld()
  private let receiver: PlayerID = .sample(1)

  /// The effects of one call that shares `amounts` one after the other with one player.
  private func share(_ amounts: [Int64]) -> [OutboxRow] {
    amounts.flatMap { amount in
      var share = Share()
      share.players = [receiver]
      share.amount = amount
      return world.call(share, .sample(2)).effects
    }
  }

  @Test func effectsAreRowsNumberedInOrder() throws {
    var share = Share()
    share.players = [.sample(3), .sample(4)]
    let outcome = world.call(share, .sample(2), key: 1, floor: 1)
    #expect(outcome.summary == ["put 2", "put 2", "put 1"])
    #expect(outcome.effects.map(\.key.sequence) == [1 << 16, 1 << 16 | 1])
    #expect(outcome.effects.allSatisfy { Int($0.key.slot) == outcome.slot })
    #expect(outcome.effects.map(\.routingKey) == [.sample(3), .sample(4)])
    #expect(world.engine.openEffectCount == 2)
    let later = world.call(share, .sample(2), key: 2, floor: 1).effects
    #expect(later.map(\.key.sequence) == [2 << 16, 2 << 16 | 1], "the next batch")
    #expect(world.call(share, .sample(2), key: 2, floor: 1).effects.isEmpty)
    #expect(world.engine.openEffects == outcome.effects + later)
  }

  @Test func aDuplicateIsAppliedOnce() {
    let effect = share([5])[0]
    let delivery = world.engine.delivery(of: effect)
    #expect(world.apply(delivery).summary == ["put 16", "put 4"])
    let again = world.apply(delivery)
    #expect(again.answer == .reply([]))
    #expect(again.changes.isEmpty)
    #expect(world.total == 5)
    world.keep(world.engine.delivered(effect.key))
    #expect(!world.engine.isOpen(effect.key))
    #expect(world.engine.delivered(effect.key).isEmpty)
    #expect(world.rows[OutboxRow.tableID]?.isEmpty == true)
  }

  @Test func aRefusalIsRememberedAndParked() throws {
    let effect = share([-1])[0]
    let delivery = world.engine.delivery(of: effect)
    let refused = world.apply(delivery)
    #expect(refused.failureCode == .invalidArgument)
    #expect(refused.summary == ["put 5", "put 4"])
    let again = world.apply(delivery)
    #expect(again.failureCode == .invalidArgument)
    #expect(again.changes.isEmpty)
    try world.restart()
    #expect(world.apply(delivery).failureCode == .invalidArgument)

    let failure = Failure(.invalidArgument, "no")
    let parked = world.engine.park(effect.key, failure, clock: world.clock)
    #expect(decodedChanges(parked).map { "\($0.kind) \($0.table)" } == ["remove 2", "put 3"])
    world.keep(parked)
    #expect(world.engine.parkedEffectCount == 1)
    #expect(world.engine.openEffectCount == 0)
    #expect(world.engine.park(effect.key, failure, clock: world.clock).isEmpty)
    try world.restart()
    #expect(world.engine.parkedEffectCount == 1)
  }

  @Test func whatPassesIsNotRemembered() {
    let effect = share([5])[0]
    let delivery = world.engine.delivery(of: effect)
    world.core.isBusy = true
    let outcome = world.apply(delivery)
    #expect(outcome.failureCode == .backpressure)
    #expect(outcome.changes.isEmpty)
    world.core.isBusy = false
    #expect(world.apply(delivery).failureCode == nil)
    #expect(world.total == 5)
  }

  @Test func anEffectWaitsForTheOneItFollows() {
    let effects = share([1, 10])
    let first = world.engine.delivery(of: effects[0])
    let second = world.engine.delivery(of: effects[1], after: effects[0].key.sequence)
    let early = world.apply(second)
    #expect(early.failureCode == .outOfOrder)
    #expect(early.failureCode?.isTransient == true)
    #expect(early.changes.isEmpty)
    #expect(world.apply(first).failureCode == nil)
    #expect(world.apply(second).failureCode == nil)
    #expect(world.total == 11)
  }

  @Test func aParkedEffectDoesNotHoldUpTheNext() {
    let effects = share([-1, 10])
    #expect(world.apply(world.engine.delivery(of: effects[0])).failureCode == .invalidArgument)
    let bound = world.engine.delivery(of: effects[1], after: effects[0].key.sequence)
    #expect(world.apply(bound).failureCode == nil, "a refused effect counts as reached")
    #expect(world.total == 10)
    world.keep(world.engine.park(effects[0].key, Failure(.invalidArgument, "no"), clock: 0))
    let free = world.engine.delivery(of: effects[1], after: effects[0].key.sequence)
    #expect(free.envelope.source?.after == 0, "bound only to what is still open")
  }

  @Test func sourcesAreCountedApart() {
    let effect = share([1])[0]
    var delivery = world.engine.delivery(of: effect)
    #expect(world.apply(delivery).failureCode == nil)
    delivery.envelope.source?.store = StoreID(high: 1, low: 2)
    #expect(world.apply(delivery).failureCode == nil)
    delivery.envelope.source?.slot += 1
    #expect(world.apply(delivery).failureCode == nil)
    #expect(world.apply(delivery).failureCode == nil)
    #expect(world.total == 3)
  }

  /// Applies effects as their receiver, which is this same engine, and confirms them.
  private func deliver(_ effects: [OutboxRow]) -> [FailureCode?] {
    effects.map { effect in
      let code = world.apply(world.engine.delivery(of: effect)).failureCode
      world.keep(world.engine.delivered(effect.key))
      return code
    }
  }

  /// What a receiver in another process knows, which is not put back together with the sender.
  private var received: [UInt16: [[UInt8]: [UInt8]]] {
    world.rows.filter { [InboxRow.tableID, RefusedRow.tableID, TallyRow.tableID].contains($0.key) }
  }

  /// Puts the sender's rows back, marked as such, and leaves the receiver's as they are. Time goes
  /// on.
  private func restore(_ backup: TinyWorld.Backup) throws {
    var backup = backup
    backup.rows.merge(received) { $1 }
    world.clock += 1
    try world.restore(backup, isMarked: true)
  }

  @Test("what a store makes after it was put back from a backup is applied")
  func aRestoredStoreIsHeard() throws {
    _ = deliver(share([1]))
    let backup = world.backup
    let lost = share([10, 20])
    _ = deliver(lost)
    try restore(backup)
    let made = share([100, 200])
    #expect(made[0].key == lost[1].key, "the numbers of its batches begin there again")
    _ = deliver(made)
    #expect(world.total == 331)
    try world.restart()
    #expect(deliver(made) == [nil, nil])
    _ = deliver(share([1000]))
    #expect(world.total == 1331, "each once, and the next life goes on")
  }

  @Test("what was open in a backup is applied once")
  func whatWasOpenInABackupIsAppliedOnce() throws {
    let open = share([1, 2])
    let backup = world.backup
    _ = deliver(open)
    _ = deliver(share([10]))
    try restore(backup)
    #expect(world.engine.openEffects == open)
    let new = share([100])
    let bound = world.engine.delivery(of: new[0], after: open[1].key.sequence)
    #expect(bound.envelope.source?.afterIncarnation == open[1].incarnation)
    _ = deliver(open)
    #expect(world.apply(bound).failureCode == nil)
    #expect(world.total == 113)
  }

  @Test("a refusal of another life is no answer")
  func aRefusalOfAnotherLifeIsNoAnswer() throws {
    _ = deliver(share([1]))
    let backup = world.backup
    #expect(deliver(share([-1])) == [.invalidArgument])
    try restore(backup)
    #expect(deliver(share([10])) == [nil])
    #expect(world.total == 11)
  }

  /// The clock is set back after a life has begun and before it has written anything.
  @Test("lives have growing numbers whatever becomes of the clock")
  func theClockWentBack() throws {
    _ = deliver(share([1]))
    var incarnation: UInt64 = 0
    for step in [5_000, -4_000, -900_000, 0, 3] as [Int64] {
      world.clock += step
      try world.restart()
      #expect(world.engine.incarnation >= incarnation)
      incarnation = world.engine.incarnation
      world.clock -= 50_000
      _ = deliver(share([1]))
    }
    #expect(world.total == 6)
  }

  /// Every state that a process can die in is restored from its rows.
  @Test func aRestartGivesTheSameState() throws {
    _ = world.add(5, key: 1, floor: 1)
    let effects = share([3, 4])
    #expect(world.apply(world.engine.delivery(of: effects[0])).failureCode == nil)
    let open = world.engine.openEffects
    let tallies = world.core.tallies.rows
    try world.restart()
    #expect(world.core.tallies.rows == tallies)
    #expect(world.engine.openEffects == open)
    #expect(world.apply(world.engine.delivery(of: effects[0])).changes.isEmpty)
    #expect(world.add(5, key: 1, floor: 1).changes.isEmpty)
    #expect(world.add(6, key: 1, floor: 1).failureCode == .keyReused)
    #expect(world.apply(world.engine.delivery(of: effects[1])).failureCode == nil)
    #expect(world.total == 12)
    #expect(share([1])[0].key > effects[1].key, "numbers go on growing")
  }

  @Test func theFloorSurvivesARestart() throws {
    for key in 1...4 as ClosedRange<UInt64> { _ = world.add(1, key: key, floor: key) }
    try world.restart()
    #expect(world.add(1, key: 3, floor: 1).failureCode == .staleKey)
    #expect(world.add(1, key: 4, floor: 1).changes.isEmpty)
  }

  /// The same commands at the same times with the same seed give the same bytes.
  @Test func theEngineIsDeterministic() {
    func run() -> [[UInt8]] {
      let world = TinyWorld(seed: 42)
      var random = RandomSource.seeded(11)
      return (1...200).map { (step: UInt64) in
        world.clock += Int64.random(in: -5...20, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: return world.add(Int64(step), key: step, floor: step / 2).changes.bytes
        case 1:
          var share = Share()
          share.players = [.sample(step % 7), .sample(step % 5)]
          return world.call(share, .sample(step % 3), key: step).changes.bytes
        default:
          return world.remind(in: Int64(step % 9)) + world.runTimers().flatMap(\.changes.bytes)
        }
      }
    }
    #expect(run() == run())
  }
}
