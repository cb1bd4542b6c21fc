import Locking
import Storage
import Testing
import Transport
import Wire

@testable import Domain
@testable import ServiceKit

private let second: Int64 = 1_000
private let minute = 60 * second
private let hour = 60 * minute
private let year = 365 * 24 * hour

/// A clock that is read every so often, by a wall clock that is wrong by what `wrong` says.
private struct Reading {
  var clock = SteadyClock(time: 0, microseconds: 0)
  var milliseconds: Int64 = 0
  var last: Int64 = 0
  var isSteady = true

  mutating func run(
    for time: Int64, every step: Int64 = second, wrong: (Int64) -> Int64 = { _ in 0 }
  ) {
    let end = milliseconds + time
    while milliseconds < end {
      milliseconds += step
      let now = clock.now(
        wall: milliseconds + wrong(milliseconds), microseconds: UInt64(milliseconds) * 1000)
      isSteady = isSteady && now >= last
      last = now
    }
  }
}

@Suite struct ClockTrustTests {
  @Test("a jump of a year is not followed, and time goes on by the monotonic clock")
  func forward() {
    var reading = Reading()
    reading.run(for: minute)
    reading.run(for: hour) { _ in year }
    #expect(reading.last == hour + minute && reading.isSteady)
    #expect(reading.clock.refusedMilliseconds == year)
    reading.run(for: second)
    #expect(reading.last == hour + minute + second && reading.isSteady)
    #expect(reading.clock.refusedMilliseconds == 0)
  }

  @Test("time does not go back where a clock that was not believed is put right a little behind")
  func putRight() {
    var reading = Reading()
    reading.run(for: hour) { _ in year }
    reading.run(for: minute) { _ in -4 * minute }
    #expect(reading.isSteady && reading.clock.refusedMilliseconds == 0)
    #expect(reading.last == hour + minute - minute / 8)
  }

  @Test("what is less than a millisecond is not lost while a clock is not believed")
  func fractions() {
    var clock = SteadyClock(time: 0, microseconds: 0)
    var last: Int64 = 0
    for number in 1...10_000 as ClosedRange<UInt64> {
      last = clock.now(wall: year, microseconds: number * 300)
    }
    #expect(last == 3_000)
  }

  @Test("a step within the bound is followed at once, and the next one when it is explained")
  func steps() {
    var reading = Reading()
    reading.run(for: second) { _ in 4 * minute }
    #expect(reading.last == second + 4 * minute)
    reading.run(for: second) { _ in 8 * minute }
    #expect(reading.clock.refusedMilliseconds > 0)
    reading.run(for: hour) { _ in 4 * minute }
    reading.run(for: second) { _ in 8 * minute }
    #expect(reading.clock.refusedMilliseconds == 0)
    #expect(reading.last == hour + 3 * second + 8 * minute && reading.isSteady)
  }

  @Test("many small steps in a row are no way around the bound")
  func creeping() {
    var reading = Reading()
    reading.run(for: minute) { $0 * 250 }
    #expect(reading.last <= minute + ClockTrust.gainMillisecondsMax + minute / 8 + second)
    #expect(reading.clock.refusedMilliseconds > 0 && reading.isSteady)
  }

  @Test("a clock that was set back for a while is believed when it is right again")
  func backward() {
    var reading = Reading()
    reading.run(for: minute)
    reading.run(for: 30 * minute) { _ in -hour }
    #expect(reading.clock.refusedMilliseconds == 0)
    let behind = reading.milliseconds - reading.last
    #expect((3 * minute...4 * minute).contains(behind), "it goes on at seven eighths")
    reading.run(for: second)
    #expect(reading.last == reading.milliseconds && reading.isSteady)
  }

  @Test(
    "a clock that was set back for long is believed at once when it is put right",
    arguments: [(10 * minute, hour), (2 * hour, 20 * hour)])
  func setBack(by behind: Int64, for time: Int64) {
    var reading = Reading()
    reading.run(for: minute)
    reading.run(for: time) { _ in -behind }
    let lead = min(time / 8, behind)
    #expect(reading.last == reading.milliseconds - lead, "it loses its lead, and no more")
    reading.run(for: second)
    #expect(reading.clock.refusedMilliseconds == 0)
    #expect(reading.last == reading.milliseconds && reading.isSteady)
    reading.run(for: second) { _ in 6 * minute }
    #expect(reading.clock.refusedMilliseconds == 6 * minute, "no more is explained by that")
  }

  @Test("time that is ahead does not leap where the clock is then not believed")
  func slowedThenAhead() {
    var reading = Reading()
    reading.run(for: 8 * minute) { _ in -hour }
    #expect(reading.last == 7 * minute)
    reading.run(for: second) { _ in year }
    #expect(reading.last == 7 * minute + second)
    #expect(reading.clock.refusedMilliseconds == year + minute)
    reading.run(for: 8 * second) { _ in -hour }
    #expect(reading.last == 7 * minute + 8 * second && reading.isSteady)
  }

  @Test("a clock that is slewed is followed for ever")
  func slewed() {
    var reading = Reading()
    reading.run(for: 30 * 24 * hour, every: minute) { $0 / 2_000 }
    #expect(reading.last == reading.milliseconds + reading.milliseconds / 2_000)
    #expect(reading.clock.refusedMilliseconds == 0 && reading.isSteady)
  }

  @Test("nothing expires and nothing is stored by a clock that jumped a year, in a service")
  func service() throws {
    let world = try ClockedWorld(gainMax: ClockTrust.gainMillisecondsMax)
    world.note(1, in: hour)
    world.run(until: 100)
    world.wallOffset = year
    world.clockChanged()
    world.note(2, in: second)
    world.run(until: 5_000)
    #expect(world.core.numbered.map(\.number) == [2])
    #expect(world.engine.time(clock: 0) <= 1_005_000)
    world.wallOffset = 0
    world.clockChanged()
    world.note(3, in: second)
    world.run(until: 10_000)
    #expect(world.core.numbered.map(\.number) == [2, 3], "it does not stand still")
    world.run()
    #expect(world.core.numbered.map(\.number) == [2, 3, 1])
    #expect((hour...hour + second).contains(Int64(world.milliseconds)))
  }
}

@Suite struct ClockNewsTests {
  @Test("the operator is told of each change once, and from time to time while a clock is wrong")
  func words() {
    var news = ClockNews()
    func word(_ ahead: Int64, _ behind: Int64, allowed: Int64 = 0, at second: UInt64)
      -> ClockNews.Word?
    {
      news.word(ahead: ahead, behind: behind, allowed: allowed, microseconds: second * 1_000_000)
    }
    #expect(word(0, 1_000, at: 1) == nil)
    #expect(word(year, 0, at: 2) == .ahead)
    #expect(word(year, 0, at: 3) == nil && word(year, 0, at: 601) == nil)
    #expect(word(year, 0, at: 602) == .ahead)
    #expect(word(0, 0, at: 603) == .right && word(0, 0, at: 9_000) == nil)
    #expect(word(0, 5 * minute, at: 9_001) == nil && word(0, hour, at: 9_002) == .behind)
    #expect(word(year, 0, at: 9_003) == .ahead)
    #expect(news.refusedCount == 2 && news.allowedCount == 0)
    #expect(word(0, 0, allowed: hour, at: 9_004) == .allowed(milliseconds: hour))
    #expect(word(0, 0, allowed: hour, at: 9_005) == nil)
    #expect(word(year, 0, allowed: hour, at: 9_006) == .ahead)
    #expect(news.refusedCount == 3 && news.allowedCount == 1)
  }
}

@Suite struct GuardedClockTests {
  /// Of a machine that was booted just now.
  private let clocks = Locked((wall: 5 * year, steady: UInt64(7)))
  private let clock: GuardedClock

  init() { clock = Self.clock(clocks) }

  private static func clock(
    _ clocks: Locked<(wall: Int64, steady: UInt64)>, level: Log.Level = .error
  ) -> GuardedClock {
    GuardedClock(
      log: Log(source: "test", level: level, format: .human),
      wall: { clocks.withLock { $0.wall } }, steady: { clocks.withLock { $0.steady } })
  }

  /// Reads the clock when so much time has passed, and so much by the machine's clock; milliseconds
  /// since the start.
  private func pass(_ time: Int64, wall: Int64) -> Int64 {
    clocks.withLock { clocks in
      clocks.steady += UInt64(time) * 1_000
      clocks.wall += wall
    }
    return clock.now() - 5 * year
  }

  private func figures(
    _ refused: UInt64, allowed: UInt64 = 0, ahead: Int64 = 0, lead: Int64 = 0
  ) -> GuardedClock.Figures {
    GuardedClock.Figures(
      refused: refused, allowed: allowed, aheadSeconds: UInt64(ahead / second),
      leadMilliseconds: UInt64(lead))
  }

  @Test("the gateway's time follows no jump, and never goes back")
  func guarded() {
    #expect(pass(10 * second, wall: 10 * second) == 10 * second)
    #expect(pass(10 * second, wall: year) == 20 * second)
    #expect(clock.figures == figures(1, ahead: year - 10 * second))
    #expect(pass(10 * second, wall: 20 * second - year) == 30 * second)
    #expect(pass(8 * second, wall: -hour) == 37 * second)
    // The machine's clock stands at 30 seconds less an hour.
    #expect(clock.figures == figures(1, lead: hour + 7 * second))
  }

  @Test("a gateway that started at boot with its clock behind believes the right one, once")
  func startedBehind() {
    #expect(pass(10 * minute, wall: 10 * minute) == 10 * minute)
    #expect(pass(minute, wall: minute + 4 * minute) == 15 * minute, "a step is not what is meant")
    #expect(pass(0, wall: 25 * hour) == 15 * minute, "more than a day")
    #expect(pass(0, wall: -25 * hour + 6 * hour) == 15 * minute + 6 * hour)
    #expect(clock.figures == figures(1, allowed: 1))
    #expect(pass(second, wall: second + hour) == 15 * minute + 6 * hour + second)
    #expect(clock.figures == figures(2, allowed: 1, ahead: hour), "that was once")
  }

  @Test("a jump long after the boot is no clock that is put right at last")
  func longAfter() {
    #expect(pass(hour, wall: hour) == hour)
    #expect(pass(0, wall: hour) == hour)
    #expect(clock.figures == figures(1, ahead: hour))
  }

  @Test("a jump within an hour after the boot is believed still")
  func anHourAfter() {
    #expect(pass(hour - 1, wall: 7 * hour) == 7 * hour)
    #expect(clock.figures == figures(0, allowed: 1))
  }

  @Test("a gateway that starts long after the boot believes no jump, however soon after its start")
  func startedLate() {
    clocks.withLock { $0.steady += UInt64(hour) * 1_000 }
    let late = Self.clock(clocks)
    clocks.withLock { clocks in
      clocks.steady += UInt64(minute) * 1_000
      clocks.wall += 7 * minute
    }
    #expect(late.now() == 5 * year + minute)
    #expect(late.figures == figures(1, ahead: 6 * minute))
  }

  @Test("the operator is warned of a jump that is believed, once")
  func warned() async throws {
    let result = try #require(
      await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        defer { LineWriter.errors.flush() }
        let clocks = Locked((wall: 5 * year, steady: UInt64(7)))
        let clock = GuardedClockTests.clock(clocks, level: .warning)
        clocks.withLock { $0.wall += hour }
        for _ in 1...3 { precondition(clock.now() == 5 * year + hour) }
      })
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    let lines = text.split(separator: "\n").filter { $0.contains(" warning test: ") }
    #expect(lines.count == 1, "\(text)")
    #expect(lines.first?.contains("jumped ahead and is believed this once") == true)
    #expect(lines.first?.hasSuffix(" clock=1974-12-31T01:00:00.000Z seconds=3600") == true)
  }
}

@Suite struct StartClockTests {
  private let last = 40 * year

  private func begin(_ wall: Int64) throws -> SteadyClock {
    try StartClock.begin(
      wall: wall, microseconds: 0, lastTime: last, SettingValues(StartClock.settings, [:]))
  }

  /// The clock was behind by ten hours, after the machine was off for six.
  @Test("a start with a clock that is behind believes it when it is put right, however late")
  func behind() throws {
    for wait in [minute, 3 * hour, 24 * hour] {
      var clock = try begin(last - 10 * hour)
      var time = clock.now(wall: last - 10 * hour, microseconds: 0)
      #expect(time == last)
      for minutes in 1...wait / minute {
        let passed = minutes * minute
        time = clock.now(wall: last - 10 * hour + passed, microseconds: UInt64(passed) * 1000)
      }
      #expect(time == last + wait - wait / 8)
      let (passed, right) = (wait + second, last + 6 * hour + wait + second)
      let micros = UInt64(passed) * 1000
      #expect(clock.now(wall: right + 31 * 24 * hour, microseconds: micros) < right)
      #expect(clock.refusedMilliseconds > 31 * 24 * hour, "it is no better than at a start")
      #expect(clock.now(wall: right, microseconds: micros) == right)
      #expect(clock.refusedMilliseconds == 0)
      #expect(clock.now(wall: right + hour, microseconds: micros) == right)
      #expect(clock.refusedMilliseconds == hour, "that was once")
      #expect(clock.allowedMilliseconds == 6 * hour, "it is said how far that went")
    }
  }

  /// The store's last change is ten minutes ahead of the right clock.
  @Test("a clock that time has waited for is believed no further than any other from then on")
  func caughtUp() throws {
    var clock = try begin(last - 10 * minute)
    var time: Int64 = 0
    func read(_ passed: Int64, ahead: Int64 = 0) -> Int64 {
      clock.now(wall: last - 10 * minute + passed + ahead, microseconds: UInt64(passed) * 1000)
    }
    for minutes in 0...Int64(79) { time = read(minutes * minute) }
    #expect(time == last + 79 * minute - 79 * minute / 8, "it is still ahead")
    for minutes in 80...Int64(90) { time = read(minutes * minute) }
    #expect(time == last + 80 * minute, "it has caught up")
    #expect(clock.allowedMilliseconds == 0, "that was no jump")
    let weeks = 21 * 24 * hour
    let right = last - 10 * minute + weeks
    #expect(read(weeks) == right)
    for jump in [20 * 24 * hour, 10 * minute] {
      #expect(read(weeks, ahead: jump) == right)
      #expect(clock.refusedMilliseconds == jump)
    }
    #expect(read(weeks, ahead: 4 * minute) == right + 4 * minute)
  }

  @Test("a step that leaves the clock of a start behind does not use up what is believed once")
  func stillBehind() throws {
    var clock = try begin(last - 10 * hour)
    #expect(clock.now(wall: last - minute, microseconds: 0) == last)
    #expect(clock.now(wall: last + 6 * hour, microseconds: 0) == last + 6 * hour)
    #expect(clock.now(wall: last + 7 * hour, microseconds: 0) == last + 6 * hour)
  }

  @Test("a start whose clock is right believes no jump after the reading that was checked")
  func begun() throws {
    for wall in [last - minute, last, last + hour] {
      var clock = try begin(wall)
      let right = wall + 10 * minute
      #expect(clock.now(wall: right + year, microseconds: 600_000_000) <= right + minute)
      #expect(clock.refusedMilliseconds >= year - minute)
    }
    #expect(throws: ProcessShell.Fatal.self) { try begin(last + year) }
  }

  @Test("a service goes on by the clock that was checked before its store was loaded")
  func node() async throws {
    let time: Int64 = 1_700_000_000_000
    let thread = LoopThread(name: "test")
    let shown = try await thread.run { loop in
      let store = MemoryStore(Engine.tables(of: SampleCore.self))
      let engine = Engine(
        core: SampleCore(), partition: .whole, store: store.storeID, lastBatch: 0, lastTime: 0,
        clock: time, random: .seeded(1))
      try engine.load(store.load)
      let committer = Committer(store: store, callbacks: .init(committed: { _, _ in }))
      let node = ServiceNode(
        loop: loop, engine: engine, store: store, committer: committer,
        peers: Peers(links: [:], here: (SampleCore.service, .whole)),
        log: Log(source: "test", level: .error), clock: { time + year },
        steadyClock: SteadyClock(time: time, microseconds: ProcessShell.steadyMicroseconds()))
      defer { committer.stop() }
      return node.clock
    }
    thread.stop()
    await thread.stopped()
    #expect((time..<time + hour).contains(shown))
  }

  private func fault(_ clock: Int64, _ settings: [NumberSetting: Int] = [:], last: Int64? = nil)
    -> ProcessShell.Fatal?
  {
    do throws(ProcessShell.Fatal) {
      try StartClock.check(
        clock, lastTime: last ?? self.last, SettingValues(StartClock.settings, settings))
      return nil
    } catch {
      return error
    }
  }

  @Test("a start far from the store's last change, ahead or behind, needs the operator's word")
  func start() {
    let day = 24 * hour
    #expect(fault(last) == nil && fault(last + 30 * day) == nil && fault(last - day) == nil)
    let ahead = fault(last + 30 * day + 1)
    #expect(ahead?.code == .unavailable)
    #expect(ahead?.description.contains("2009-12-22T00:00:00.000Z") == true)
    #expect(ahead?.description.contains("--clock-ahead-days 31") == true)
    #expect(fault(last + 30 * day + 1, [.clockAheadMax: 31]) == nil)
    let behind = fault(last - day - 1)
    #expect(behind?.description.contains("--clock-behind-hours 25") == true)
    #expect(fault(last - day - 1, [.clockBehindMax: 25]) == nil)
    #expect(fault(0, last: 0) == nil && fault(last, last: 0) == nil, "a store without a change")
  }
}
