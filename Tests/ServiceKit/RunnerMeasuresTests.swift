import Domain
import Storage
import Testing
import Wire

@testable import ServiceKit

/// What a runner measures of calls, batches, effects and timers.
@Suite struct RunnerMeasuresTests {
  private func series(_ metrics: Metrics, _ name: String) -> DistributionValues {
    guard case .distribution(let values)? = metrics.values.series[.init(name: name, labels: [])]
    else { return DistributionValues() }
    return values
  }

  @Test("a batch has its time and its size, and a call that was held how long")
  func commit() throws {
    let world = StillWorld()
    let metrics = Metrics(.service)
    let runner = EngineRunner(
      engine: world.engine, lastBatch: 0, world: world, log: Log(source: "test", level: .error),
      metrics: metrics)
    var envelope = ServiceEnvelope()
    envelope.principal.kind = .player
    envelope.routingKey = RoutingKey(high: 0, low: 7)
    let note = Request(opcode: AddNote.opcode, envelope: envelope, body: AddNote().encoded)
    runner.submit(note) { _ in }
    world.take(\.turns)
    world.microseconds = 2_000
    runner.submit(note) { _ in }
    world.microseconds = 7_000
    let batch = try #require(world.batches.first)
    runner.committed(batch.number)
    world.microseconds = 9_000
    world.take(\.turns)
    #expect(series(metrics, "commits.time").minute.maximum == 7_000)
    let size = series(metrics, "commits.size")
    #expect(size.count == 2 && size.sum > UInt64(batch.changes.bytes.count))
    #expect(series(metrics, "calls.held_time").minute.maximum == 7)
    #expect(series(metrics, "calls.held_time").count == 1)
  }

  @Test("a timer says how late it is served")
  func lateness() throws {
    let world = try ClockedWorld()
    world.note(1, in: 1_000)
    world.run(until: 500)
    world.wallOffset = 4_000
    world.clockChanged()
    world.run()
    #expect(world.core.numbered.count == 1)
    // The other one is of the engine's own, whose time began with the clock at 0.
    let lateness = series(world.metrics, "timers.lateness").minute
    #expect(lateness.count == 2)
    #expect((3_400...3_700).contains(lateness.quantile(0.5)), "\(lateness.quantile(0.5))")
  }

  @Test("the oldest open effect is told by its age, until it is confirmed")
  func effects() throws {
    let world = StillWorld()
    world.isAlone = false
    var forward = Forward()
    forward.count = 2
    world.call(forward) { _ in }
    try world.commit()
    world.microseconds = 30_000_000
    world.call(forward) { _ in }
    try world.commit()
    world.microseconds = 50_000_000
    #expect(world.engine.openEffectCount == 4)
    #expect(world.runner.oldestEffectMilliseconds == 50_000)
    let first = Array(world.calls.prefix(2))
    world.calls.removeFirst(2)
    for call in first { call.done(.reply([])) }
    #expect(world.runner.oldestEffectMilliseconds == 20_000)
    while !world.calls.isEmpty {
      world.answer { _ in .reply([]) }
      try world.commit()
    }
    #expect(world.engine.openEffectCount == 0 && world.runner.oldestEffectMilliseconds == 0)
  }

  /// A process that begins at a time with effects that an earlier life has made.
  private func begin(at time: Int64, with rows: [[UInt8]]) throws -> StillWorld {
    let world = StillWorld(lastTime: time)
    try world.engine.load { table, take in
      guard table.id == OutboxRow.tableID else { return }
      for row in rows { try unsafe take(row.span.bytes) }
    }
    world.isAlone = false
    world.clock = time
    world.microseconds = 5_000
    world.runner.start()
    return world
  }

  @Test("the age of an open effect goes on over restarts, of whichever slot it is")
  func agesOverRestarts() throws {
    let earlier = StillWorld()
    earlier.isAlone = false
    var forward = Forward()
    forward.count = 1
    let keys = ([7, 8] as [UInt64]).sorted {
      Slot.of(RoutingKey(high: 0, low: $0)) > Slot.of(RoutingKey(high: 0, low: $1))
    }
    for (time, key) in zip([1_000_000, 1_600_000] as [Int64], keys) {
      earlier.clock = time
      earlier.call(forward, key: key) { _ in }
      try earlier.commit()
    }
    let rows = earlier.engine.openEffects.map(\.encoded)
    #expect(rows.count == 2)
    for time in [1_900_000, 2_140_000] as [Int64] {
      let world = try begin(at: time, with: rows)
      #expect(world.runner.oldestEffectMilliseconds == UInt64(time - 1_000_000))
      world.microseconds += 10_000_000
      #expect(world.runner.oldestEffectMilliseconds == UInt64(time - 990_000))
      let sent = world.calls.min {
        ($0.request.envelope.source?.sequence ?? 0) < ($1.request.envelope.source?.sequence ?? 0)
      }
      let oldest = try #require(sent)
      oldest.done(.reply([]))
      #expect(world.runner.oldestEffectMilliseconds == UInt64(time - 1_590_000))
    }
    // Rows of an older version have no time.
    let world = try begin(at: 1_900_000, with: rows.map { Array($0.dropLast(8)) })
    world.microseconds += 10_000_000
    #expect(world.runner.oldestEffectMilliseconds == 10_000)
  }

  @Test("an effect that is sent again since a restore does not hide how long others are open")
  func agesOverRestore() throws {
    let earlier = StillWorld()
    earlier.isAlone = false
    earlier.clock = 1_000_000
    var forward = Forward()
    forward.count = 2
    earlier.call(forward) { _ in }
    try earlier.commit()
    var rows = earlier.engine.openEffects
    #expect(rows.count == 2 && rows[0].key.sequence < rows[1].key.sequence)
    rows[0].time = 1_800_000
    let world = try begin(at: 1_900_000, with: rows.map(\.encoded))
    #expect(world.runner.oldestEffectMilliseconds == 900_000)
  }
}

@Suite struct EffectAgesTests {
  @Test("ages are those of a plain list, to ten seconds and never less, in whatever order")
  func model() {
    var random = RandomSource.seeded(5)
    var ages = EffectAges()
    var open: [(number: UInt64, time: UInt64)] = []
    var (now, next) = (UInt64(1_000_000), UInt64(100))
    for _ in 0..<5_000 {
      now += .random(in: 0...4_000, using: &random)
      if open.count < 40 || Bool.random(using: &random) && open.count < 200 {
        next += 2
        // Some come after ones with greater numbers.
        let number = Bool.random(using: &random) ? next : next - 51
        if open.contains(where: { $0.number == number }) { continue }
        // Some are older than ones with lesser numbers.
        let age = next % 8 == 0 ? UInt64.random(in: 0...500_000, using: &random) : 0
        open.append((number, now - age))
        ages.add(number, at: now, age: age)
      } else {
        let place = open.indices.randomElement(using: &random) ?? 0
        ages.remove(open.remove(at: place).number)
      }
      #expect(ages.count == open.count)
      let exact = open.map(\.time).min().map { now - $0 } ?? 0
      #expect(ages.oldest(at: now) >= exact)
    }
    for entry in open { ages.remove(entry.number) }
    #expect(ages.oldest(at: now) == 0 && ages.count == 0)
  }

  @Test("an age is at most ten seconds more than it is, while the periods are few")
  func exact() {
    var ages = EffectAges()
    for second in UInt64(0)...300 { ages.add(second + 1, at: second * 1_000) }
    for second in UInt64(0)..<300 {
      ages.remove(second + 1)
      let exact = (300 - second - 1) * 1_000
      let told = ages.oldest(at: 300_000)
      #expect(told >= exact && told < exact + EffectAges.periodMilliseconds, "\(second)")
    }
  }

  @Test("however long effects are open, the periods are bounded, and the oldest is known")
  func bounded() {
    var ages = EffectAges()
    for number in UInt64(1)...5_000 { ages.add(number, at: number * 20_000) }
    #expect(ages.oldest(at: 100_000_000) == 100_000_000 - 20_000 && ages.count == 5_000)
    for number in UInt64(1)...5_000 { ages.remove(number) }
    #expect(ages.oldest(at: 100_000_000) == 0)
  }
}

@Suite struct BusyKeysTests {
  private func key(_ number: UInt64) -> RoutingKey { RoutingKey(high: 1, low: number) }

  @Test("the key that takes most is found among thousands, one command in sixteen being measured")
  func busiest() throws {
    var keys = BusyKeys()
    var random = RandomSource.seeded(7)
    var measured = 0
    for number in UInt64(0)..<160_000 {
      let isBusy = UInt64.random(in: 0..<3, using: &random) == 0
      guard keys.takesNext() else { continue }
      measured += 1
      keys.add(isBusy ? key(7) : key(1_000 + number), Opcode(.leaderboard, 1), 10)
    }
    #expect(measured == 10_000)
    let found = keys.takeBusiest()
    let busiest = try #require(found)
    #expect(busiest.key == key(7) && busiest.opcode == Opcode(.leaderboard, 1))
    // A third of 1.6 seconds, and never less than it was.
    #expect((500_000...650_000).contains(busiest.microseconds))
    let next = keys.takeBusiest()
    #expect(next == nil)
  }

  @Test("a key is a game's by the calls that are routed so, whatever timers it has besides")
  func games() throws {
    let world = StillWorld()
    let measures = world.runner.measures
    for _ in 0..<BusyKeys.sampledOneIn { world.call(CountNotes()) { _ in } }
    let players = measures.busyKeys.takeBusiest()
    #expect(try #require(players).isOfGame == false)
    for _ in 0..<2 * BusyKeys.sampledOneIn {
      world.call(OwnersNote(), as: .deploymentOperator, key: 9) { _ in }
      try world.commit()
    }
    let found = measures.busyKeys.takeBusiest()
    let games = try #require(found)
    #expect(games.isOfGame && games.key == RoutingKey(high: 0, low: 9))
    var keys = BusyKeys()
    keys.add(key(7), Opcode(.leaderboard, 1), 10, isOfGame: true)
    keys.add(key(7), Opcode(.leaderboard, 2), 10)
    let board = keys.takeBusiest()
    #expect(board?.isOfGame == true && board?.opcode == Opcode(.leaderboard, 2))
  }

  @Test("a key that may be a player's is told at debug alone, and a game's as SQLite has it")
  func told() async throws {
    let result = try #require(
      await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        defer { LineWriter.errors.flush() }
        let place = BusyKeys.Place(
          key: RoutingKey(high: 0xab, low: 0xcd), opcode: Opcode(.request, 1), microseconds: 9)
        var named = place
        named.isOfGame = true
        for level in [Log.Level.info, .debug] {
          for one in [place, named] {
            one.tell(Log(source: "test", level: level), operation: "Do", permille: 612)
          }
        }
      })
    let lines = String(decoding: result.standardErrorContent, as: UTF8.self)
      .split(separator: "\n").map { $0.drop { $0 != " " } }
    let key = RoutingKey(high: 0xab, low: 0xcd)
    let event = " warning test: one key takes most of the loop operation=Do "
    let players = event + "slot=\(Slot.of(key)) permille=612"
    let games = event + "key=00000000000000ab00000000000000cd permille=612"
    let debug = " debug test: the key that takes most of the loop key=\(key)"
    #expect(lines.map(String.init) == [players, games, players, debug, games])
  }
}
