import TestKit
import Testing
import Wire

@testable import Domain

/// At this time this operation at this key: once, in order, in one batch with what it changes.
struct EngineTimerTests {
  private let world = TinyWorld()

  @discardableResult
  private func remind(
    in milliseconds: Int64, _ amount: Int64 = 1, item: UInt64 = 0,
    _ change: (inout Remind) -> Void = { _ in }
  ) -> [String] {
    var operation = Remind()
    operation.due = world.clock + milliseconds
    operation.item = RoutingKey(high: 0, low: item)
    operation.reminder.item = operation.item
    operation.reminder.amount = amount
    change(&operation)
    return world.call(operation).summary
  }

  private func forget(item: UInt64 = 0) -> [String] {
    var operation = Forget()
    operation.item = RoutingKey(high: 0, low: item)
    return world.call(operation).summary
  }

  /// What the timers changed that are due now.
  private func run() -> [[String]] { world.runTimers().map(\.summary).filter { !$0.isEmpty } }

  @Test func itFiresOnceAtItsTimeAndGoesWithWhatItChanged() throws {
    #expect(remind(in: 100) == ["put 7"])
    world.clock += 99
    #expect(run() == [])
    world.clock += 1
    #expect(run() == [["put 16", "remove 7"]])
    #expect(world.total == 1 && world.rows[TimerRow.tableID]?.isEmpty == true)
    world.clock += 1000
    try world.restart()
    #expect(run() == [] && world.total == 1)
  }

  @Test(
    "what each start looks at is due from the start on, however old the store is",
    arguments: [0, 86_400_000] as [Int64], [false, true])
  func dueFromTheStartOn(_ lastTime: Int64, isTold: Bool) throws {
    let now: Int64 = 1_795_875_550_487
    let erasure = Erasure(of: .sample(1), as: .sample(2))
    var row = ErasureRow()
    row.key = erasure.digest
    let encoded = row.encoded
    let engine = Engine(
      core: TinyCore(), partition: .whole, store: TinyWorld.store, lastBatch: 0,
      lastTime: lastTime, clock: now, random: .seeded(1))
    engine.haveErased([erasure])
    try engine.load { table, take in
      if table.id == ErasureRow.tableID { try unsafe take(encoded.span.bytes) }
    }
    if isTold { engine.tellErasures { _ in true } }
    var dues: [Int64] = []
    while let due = engine.nextTimerDue, engine.takeTimer(clock: now) != nil { dues.append(due) }
    #expect(dues == [now, now], "the engine's maintenance, and what is left of an erasure")
  }

  @Test func aTimeThatIsPastIsNow() {
    remind(in: -5)
    #expect(run() == [["put 16", "remove 7"]])
  }

  @Test func settingItAgainReplacesIt() {
    remind(in: 100, 1)
    remind(in: 200, 10)
    remind(in: 150, 100, item: 1)
    world.clock += 199
    #expect(run() == [["put 16", "remove 7"]] && world.total == 100)
    world.clock += 1
    #expect(run() == [["put 16", "remove 7"]] && world.total == 110)
  }

  @Test func aCancelledOneDoesNothing() throws {
    remind(in: 100)
    remind(in: 100, item: 1)
    #expect(forget() == ["remove 7"] && forget() == [] && forget(item: 7) == [])
    try world.restart()
    world.clock += 100
    #expect(run().count == 1)
  }

  /// It was taken, and waits behind a call that cancels it or sets it anew.
  @Test func whatHappensBetweenTakingAndServingCounts() throws {
    remind(in: 0)
    let taken = try #require(world.takeOwnTimer())
    _ = forget()
    #expect(world.apply(taken).changes.isEmpty)
    remind(in: 0, 1)
    let late = try #require(world.takeOwnTimer())
    remind(in: 50, 10)
    #expect(world.apply(late).changes.isEmpty)
    world.clock += 50
    #expect(run().count == 1 && world.total == 10)
  }

  /// The earlier take knows what it applied, and that is not meant any more.
  @Test func oneThatWasTakenAgainFiresAsItWasSetLast() throws {
    for isKept in [true, false] {
      let before = world.total
      remind(in: 0, 1) { $0.isKept = isKept }
      let early = try #require(world.takeOwnTimer())
      remind(in: 0, 10) { $0.isKept = isKept }
      let late = try #require(world.takeOwnTimer())
      #expect(world.apply(early).changes.isEmpty)
      world.engine.postponeTimer(early, milliseconds: 0, clock: world.clock)
      #expect(world.engine.countTimerFailure(early) == nil && world.takeOwnTimer() == nil)
      #expect(!world.apply(late).changes.isEmpty && world.total == before + 10)
    }
  }

  @Test func oneWithoutItsRowIsRemovedAndCounted() throws {
    // The engine's own.
    _ = run()
    remind(in: 0)
    let taken = try #require(world.engine.takeTimer(clock: world.clock))
    #expect(taken.timer?.unreadRow != nil)
    #expect(world.apply(taken).failureCode == .notFound)
    #expect(world.engine.refusedTimerCount == 1 && run() == [] && world.total == 0)
  }

  @Test func failuresAreCountedUntilItIsServedOrSetAnew() throws {
    func fail() throws -> Int? {
      let taken = try #require(world.takeOwnTimer())
      defer { world.engine.postponeTimer(taken, milliseconds: 0, clock: world.clock) }
      return world.engine.countTimerFailure(taken)
    }
    remind(in: 0)
    #expect(try (1...3).map { _ in try fail() } == [1, 2, 3])
    remind(in: 0)
    #expect(try fail() == 1)
    _ = run()
    remind(in: 0)
    #expect(try fail() == 1)
    _ = forget()
    remind(in: 0)
    #expect(try fail() == 1 && world.engine.retriedTimerCount == 6)
  }

  @Test func itMaySetItselfAgain() {
    remind(in: 10) { $0.reminder.again = 10 }
    for _ in 0..<5 {
      world.clock += 10
      #expect(run() == [["put 16", "put 7"]])
    }
    #expect(world.total == 5 && forget() == ["remove 7"])
  }

  @Test func aRefusedOneIsRemovedAndCounted() {
    remind(in: 0, -1)
    #expect(run() == [["remove 7"]])
    #expect(world.engine.refusedTimerCount == 1 && world.engine.pendingTimerCount == 0)
  }

  @Test("7.3 an erased player's timers end, and none counts as refused", arguments: [true, false])
  func oneOfAnErasedPlayerEnds(isKept: Bool) {
    remind(in: 10) { $0.isKept = isKept }
    world.engine.haveErased([Erasure(of: .sample(1), as: .sample(2))])
    world.clock += 10
    _ = run()
    #expect(world.engine.refusedTimerCount == 0 && world.engine.pendingTimerCount == 0)
    #expect(world.total == 0)
  }

  @Test func oneWhoseOperationIsGoneIsRemovedAndCounted() throws {
    var row = TimerRow()
    row.key = TimerKey(Opcode(.context, 0x70), on: RoutingKey(high: 0, low: 1))
    var changes = RowChanges()
    changes.put(row)
    world.keep(changes)
    try world.restart()
    #expect(run() == [["remove 7"]] && world.engine.refusedTimerCount == 1)
  }

  @Test func oneThatIsRefusedForNowFiresAgain() throws {
    remind(in: 0)
    world.core.isBusy = true
    let taken = try #require(world.takeOwnTimer())
    #expect(world.apply(taken).failureCode == .backpressure)
    #expect(world.rows[TimerRow.tableID]?.count == 1 && run() == [])
    world.engine.postponeTimer(taken, milliseconds: 10, clock: world.clock)
    world.core.isBusy = false
    world.clock += 9
    #expect(run() == [])
    world.clock += 1
    #expect(run() == [["put 16", "remove 7"]])
  }

  @Test func aRestartLosesNoneOfThem() throws {
    for number in 0..<50 as Range<UInt64> { remind(in: Int64(number), item: number) }
    world.clock += 20
    _ = run()
    let taken = world.takeOwnTimer()
    #expect(taken == nil)
    try world.restart()
    world.clock += 100
    #expect(run().count == 29 && world.total == 50)
  }

  /// It had been taken when the process died.
  @Test func oneUnderWayFiresAfterARestart() throws {
    remind(in: 0)
    #expect(world.takeOwnTimer() != nil)
    try world.restart()
    #expect(run().count == 1 && world.total == 1)
  }

  @Test(
    "a core that is loaded sets the timers that its rows ask for, unless they come early enough",
    arguments: [nil, 5, 20] as [Int64?])
  func setAtTheStart(pending: Int64?) throws {
    _ = world.add(TinyCore.remindedTotal)
    if let pending { remind(in: pending) }
    for _ in 0..<2 { try world.restart() }
    let due = min(pending ?? 10, 10)
    world.clock += due - 1
    #expect(run() == [])
    world.clock += 1
    // What the start sets has no row; that of the timer before goes all the same.
    #expect(run() == [["put 16"] + (pending == nil ? [] : ["remove 7"])])
    #expect(world.total == TinyCore.remindedTotal + (due == pending ? 1 : 100))
    world.clock += 100
    #expect(run() == [])
  }

  @Test func whatIsNotKeptEndsWithTheProcess() throws {
    #expect(remind(in: 5) { $0.isKept = false } == [])
    world.clock += 5
    #expect(run() == [["put 16"]])
    remind(in: 5) { $0.isKept = false }
    try world.restart()
    world.clock += 5
    #expect(run() == [] && world.total == 1)
  }

  @Test func oneMayReadColdRows() {
    remind(in: 0) { $0.reminder.note = 3 }
    #expect(run() == [["put 16", "remove 7"]])
  }

  @Test func nobodyCallsWhatTimersAlonApply() {
    #expect(world.call(Reminder()).failureCode == .notAllowed)
    var envelope = world.envelope(.sample(1))
    envelope.principal.kind = .service
    let request = Request(opcode: Reminder.opcode, envelope: envelope, body: Reminder().encoded)
    #expect(world.apply(request).failureCode == .notAllowed)
  }

  @Test func aTimerOfAnotherKeyTraps() async {
    await #expect(processExitsWith: .failure) {
      var router = Router()
      router.on(Add.self) { _, _, transaction in
        transaction.setTimer(Reminder(), on: PlayerID.sample(9), at: 0)
        return Total()
      }
      let engine = Engine(
        core: StrayCore(router), partition: .whole, store: StoreID(), lastBatch: 0, lastTime: 0,
        clock: 0, random: .seeded(1))
      var envelope = ServiceEnvelope()
      envelope.principal.kind = .player
      _ = engine.apply(
        Request(opcode: Add.opcode, envelope: envelope, body: Add().encoded), clock: 1)
    }
  }
}

private final class StrayCore: ServiceCore {
  static let service = Service.context
  var router = Router()
  let settings: SettingValues
  init(settings: SettingValues) { self.settings = settings }
  convenience init(_ router: Router) {
    self.init()
    self.router = router
  }
  func register(_ tables: inout Tables) {}
}

extension TinyWorld {
  /// The next timer that is due and not the engine's own.
  func takeOwnTimer() -> Request? {
    while let request = takeTimer() {
      if request.opcode == Reminder.opcode { return request }
      _ = apply(request)
    }
    return nil
  }

  /// Sets a timer; its changes.
  func remind(in milliseconds: Int64) -> [UInt8] {
    var operation = Remind()
    operation.due = clock + milliseconds
    return call(operation).changes.bytes
  }
}
