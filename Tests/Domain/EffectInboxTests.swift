import TestKit
import Testing
import Wire

@testable import Domain

/// What is kept of the stores whose effects are applied is bounded, whoever names them, and what is
/// needed of it is kept.
@Suite struct EffectInboxTests {
  private func source(
    _ store: UInt64, of service: Service = .context, slot: UInt16 = 1, sequence: UInt64 = 1
  ) -> EffectSource {
    EffectSource(
      service: service, slot: slot, store: StoreID(high: 1, low: store), sequence: sequence,
      after: 0)
  }

  private func row(_ source: EffectSource, at time: Int64, to slot: Int = 0) -> InboxRow {
    var row = InboxRow()
    row.key = InboxKey(source: source, slot: slot)
    row.sequence = source.sequence
    row.time = time
    return row
  }

  private func sequence(_ inbox: EffectInbox, _ source: EffectSource, to slot: Int = 0) -> UInt64 {
    inbox.reached(InboxKey(source: source, slot: slot)).number.sequence
  }

  /// The numbers of the stores that are forgotten when rows are taken one after the other.
  private func forgotten(_ inbox: inout EffectInbox, by rows: [InboxRow]) -> [UInt64] {
    rows.flatMap { inbox.take($0) }.map(\.store.low)
  }

  @Test("a lane remembers a bounded number of stores, and forgets that which was silent longest")
  func bounded() {
    var inbox = EffectInbox()
    let first = (1...4).map { row(source($0, sequence: 10 + $0), at: Int64($0)) }
    #expect(forgotten(&inbox, by: first) == [])
    // The oldest speaks again, so that the second one is the oldest.
    #expect(forgotten(&inbox, by: [row(source(1, sequence: 20), at: 5)]) == [])
    #expect(forgotten(&inbox, by: [row(source(5), at: 6), row(source(6), at: 7)]) == [2, 3])
    #expect([1, 2, 3, 4, 5, 6].map { sequence(inbox, source($0)) } == [20, 0, 0, 14, 1, 1])
    for number in 7...100 as ClosedRange<UInt64> {
      #expect(inbox.take(row(source(number), at: 8)).count == 1)
    }
    #expect(inbox.rowCount == 4)
  }

  @Test("lanes of other slots and services are counted apart")
  func lanes() {
    var inbox = EffectInbox()
    for store in 1...3 as ClosedRange<UInt64> {
      for rows in [
        row(source(store), at: 1), row(source(store), at: 1, to: 7),
        row(source(store, slot: 2), at: 1), row(source(store, of: .request), at: 1),
      ] {
        #expect(inbox.take(rows).isEmpty)
      }
    }
    #expect(inbox.rowCount == 12)
    #expect(sequence(inbox, source(1), to: 7) == 1 && sequence(inbox, source(1), to: 8) == 0)
  }

  @Test("a store that another one has followed goes when it was not heard of for long")
  func superseded() {
    let kept = EffectLimits.supersededKeptMilliseconds
    var inbox = EffectInbox()
    #expect(forgotten(&inbox, by: [row(source(1), at: 0), row(source(2), at: 5)]) == [])
    // A store that nobody has followed is known however long it is silent.
    #expect(forgotten(&inbox, by: [row(source(9, slot: 3), at: 0)]) == [])
    #expect(forgotten(&inbox, by: [row(source(2, sequence: 2), at: kept)]) == [])
    #expect(forgotten(&inbox, by: [row(source(2, sequence: 3), at: kept + 1)]) == [1])
    #expect(sequence(inbox, source(1)) == 0 && sequence(inbox, source(2)) == 3)
    #expect(forgotten(&inbox, by: [row(source(3), at: 3 * kept)]) == [2])
    #expect(inbox.rowCount == 2 && sequence(inbox, source(9, slot: 3)) == 1)
  }

  @Test("what is forgotten is older than all that a sender retains or a backup is put back for")
  func relations() {
    let keptMax = Int64(NumberSetting.effectRetained.bounds.upperBound) * 3_600_000
    #expect(EffectLimits.supersededKeptMilliseconds >= 2 * keptMax)
  }

  @Test("stored rows come back in any order, and those without a time count as heard now")
  func loaded() {
    let kept = EffectLimits.supersededKeptMilliseconds
    let rows = [1, 2, 3, 4].map { row(source($0), at: Int64($0)) }
    for first in 0..<4 {
      var inbox = EffectInbox()
      for place in 0..<4 { inbox.load(rows[(first + place) % 4], now: 9) }
      #expect(inbox.rowCount == 4)
      #expect(forgotten(&inbox, by: [row(source(5), at: 5), row(source(5), at: 6)]) == [1])
    }
    var inbox = EffectInbox()
    inbox.load(row(source(1), at: 0), now: kept)
    inbox.load(row(source(2), at: kept - 1), now: kept)
    #expect(forgotten(&inbox, by: [row(source(2), at: 2 * kept)]) == [])
    #expect(forgotten(&inbox, by: [row(source(2), at: 2 * kept + 1)]) == [1])
  }

  @Test("a lane with very many stores, as older versions kept them, is emptied in steps")
  func steps() {
    var inbox = EffectInbox()
    for store in 1...200 as ClosedRange<UInt64> { inbox.load(row(source(store), at: 1), now: 1) }
    var counts: [Int] = []
    for time in 2...6 as ClosedRange<Int64> {
      counts.append(inbox.take(row(source(200), at: time)).count)
    }
    #expect(counts.max() == EffectLimits.forgottenPerStep && inbox.rowCount == 4)
  }

  @Test("no effect comes from a slot that there is not")
  func slots() {
    #expect(source(1, slot: UInt16(Slot.count) - 1).refusal == nil)
    #expect(source(1, slot: UInt16(Slot.count)).refusal?.code == .malformed)
  }

  // MARK: In the engine

  /// The effect of a call, as if one of several stores had sent it.
  private func delivery(_ world: TinyWorld, from store: UInt64) -> Request {
    var share = Share()
    (share.players, share.amount) = ([.sample(1)], 1)
    let effect = world.call(share, .sample(2)).effects[0]
    var delivery = world.engine.delivery(of: effect)
    delivery.envelope.source?.store = StoreID(high: 1, low: store)
    return delivery
  }

  private func inboxCount(_ world: TinyWorld) -> Int? { world.rows[InboxRow.tableID]?.count }

  @Test("whoever names new stores leaves no more rows, and what is remembered is not applied twice")
  func engine() throws {
    let world = TinyWorld()
    let first = delivery(world, from: 1)
    #expect(world.apply(first).failureCode == nil)
    for store in 2...9 as ClosedRange<UInt64> {
      world.clock += 1
      #expect(world.apply(delivery(world, from: store)).failureCode == nil)
    }
    #expect(world.total == 9 && inboxCount(world) == 4)
    let last = delivery(world, from: 9)
    #expect(world.apply(last).failureCode == nil && world.total == 10)
    try world.restart()
    #expect(world.apply(last).changes.isEmpty && world.total == 10)
    #expect(world.apply(first).failureCode == nil && world.total == 11, "nobody knows its store")
    #expect(inboxCount(world) == 4)
  }

  @Test("a store that was put back in its turn is known after its successor has spoken")
  func successor() throws {
    let world = TinyWorld()
    let first = delivery(world, from: 1)
    #expect(world.apply(first).failureCode == nil)
    world.clock += EffectLimits.supersededKeptMilliseconds
    #expect(world.apply(delivery(world, from: 2)).failureCode == nil)
    try world.restart()
    #expect(world.apply(first).changes.isEmpty)
    world.clock += 1
    #expect(world.apply(delivery(world, from: 2)).failureCode == nil && inboxCount(world) == 1)
    #expect(world.total == 3)
  }

  @Test("rows of an older version get the time of the first start, so that they go in the end")
  func undated() throws {
    let kept = EffectLimits.supersededKeptMilliseconds
    let world = TinyWorld()
    for store in [1, 2] as [UInt64] {
      #expect(world.apply(delivery(world, from: store)).failureCode == nil)
    }
    for (key, row) in world.rows[InboxRow.tableID] ?? [:] {
      world.store(encoded: Array(row.dropLast(8)), key: key, table: InboxRow.tableID)
    }
    // More than one step dates.
    for slot in 100..<300 as Range<UInt16> {
      world.store(row(source(1, of: .request, slot: slot), at: 0))
    }
    let first = world.clock
    for _ in 1...2 {
      try world.restart()
      let steps = world.runTimers().map { $0.summary.filter { $0 == "put 4" }.count }
      #expect(steps.reduce(0, +) == (world.clock == first ? 202 : 0))
      #expect(steps.allSatisfy { $0 <= EffectLimits.forgottenPerStep })
      let times = try #require(world.rows[InboxRow.tableID]).values.map {
        try InboxRow(decoding: $0).time
      }
      #expect(times.count == 202 && times.allSatisfy { $0 == first })
      world.clock = first + kept
      _ = world.add(1)
    }
    #expect(world.apply(delivery(world, from: 2)).failureCode == nil && inboxCount(world) == 202)
    world.clock += 1
    #expect(world.apply(delivery(world, from: 2)).failureCode == nil && inboxCount(world) == 201)
  }

  @Test("a row that was written again before it was dated stays as it is")
  func datedByAnEffect() throws {
    let world = TinyWorld()
    #expect(world.apply(delivery(world, from: 1)).failureCode == nil)
    for (key, row) in world.rows[InboxRow.tableID] ?? [:] {
      world.store(encoded: Array(row.dropLast(8)), key: key, table: InboxRow.tableID)
    }
    try world.restart()
    world.clock += 5
    let last = delivery(world, from: 1)
    #expect(world.apply(last).failureCode == nil)
    world.runTimers()
    try world.restart()
    #expect(world.apply(last).changes.isEmpty && world.total == 2)
  }

  @Test func aSlotThatThereIsNotIsRefused() {
    let world = TinyWorld()
    var wrong = delivery(world, from: 1)
    wrong.envelope.source?.slot = UInt16(Slot.count)
    #expect(world.apply(wrong).failureCode == .malformed && inboxCount(world) == nil)
  }
}
