import Domain
import Storage
import Transport
import Wire

extension CounterMetric {
  static let droppedEffects = CounterMetric(
    "effects.dropped",
    help: "Parked effects that made room for others or were kept for long enough.")
  static let droppedRetained = CounterMetric(
    "effects.retained_dropped",
    help: "Retained effects that made room for others before their time was over.")
  static let droppedHints = CounterMetric(
    "hints.dropped", help: "Hints that did not arrive, or that a slow client got none of.")
  static let refusedTimers = CounterMetric(
    "timers.refused", help: "Timers whose operations refused them for good.")
  static let retriedTimers = CounterMetric(
    "timers.retried", help: "Failures of timers that passed, or may pass: they are tried again.")
  public static let replacedLiveData = CounterMetric(
    "live.replaced", help: "Pieces of live data that newer ones replaced, or that found no room.")
  static let clockSteps = CounterMetric(
    "clock.steps", help: "Times that the wall clock was seen to have jumped forward.")
  public static let refusedClock = CounterMetric(
    "clock.refused",
    help: "Times that the wall clock went further ahead than the monotonic clock explains, and was "
      + "not believed.")
  public static let allowedClock = CounterMetric(
    "clock.allowed",
    help: "Times that the wall clock jumped ahead and was believed, since it was behind at the "
      + "start, or may have been: one at most.")
}

extension GaugeMetric {
  static let answerRows = GaugeMetric("answers.rows", help: "Answers that are remembered.")
  static let answerBytes = GaugeMetric(
    "answers.bytes", .bytes, help: "Bytes of the answers that are remembered.")
  static let answerInstances = GaugeMetric(
    "answers.instances", help: "Client instances whose answers are remembered.")
  static let heldCalls = GaugeMetric(
    "calls.held", help: "Calls that wait until the batch before them is on the disk.")
  static let heldBytes = GaugeMetric(
    "calls.held_bytes", .bytes, help: "Memory that these calls take.")
  static let openEffects = GaugeMetric(
    "effects.open", help: "Effects that their receivers have not confirmed yet.")
  static let oldestEffect = GaugeMetric(
    "effects.oldest_open", .milliseconds,
    help: "How long the oldest open effect is open, over restarts of the process too.")
  static let parkedEffects = GaugeMetric(
    "effects.parked", help: "Effects that their receivers refused for good.")
  static let oldestParked = GaugeMetric(
    "effects.oldest_parked", .milliseconds, help: "How long the oldest of them is parked.")
  static let upgradeLanes = GaugeMetric(
    "effects.waiting_for_upgrade",
    help: "Lanes of effects that wait for a newer version of their receiver.")
  static let openErasures = GaugeMetric(
    "erasures.open", help: "Erased players of whom something may be left.")
  static let unlistedErasures = GaugeMetric(
    "erasures.unlisted",
    help: "Players whom the store has erased and the list of erased players lacks.")
  static let untoldErasures = GaugeMetric(
    "erasures.untold", help: "Erased players of whom a service that is left out was not told.")
  static let pendingTimers = GaugeMetric("timers.pending", help: "Timers that are to come.")
  static let lateTimer = GaugeMetric(
    "timers.late", .milliseconds, help: "How long the first of the pending timers is due.")
  static let storageFull = GaugeMetric(
    "storage.full", help: "1 while the disk is full and changes are refused.")
  static let journalBytes = GaugeMetric(
    "journal.bytes", .bytes, help: "Row changes in the journal that are not in the tables yet.")
  static let journalBatches = GaugeMetric(
    "journal.batches", help: "Batches in the journal that are not in the tables yet.")
  static let journalAge = GaugeMetric(
    "journal.age", .milliseconds, help: "How old the oldest of these batches is.")
  public static let clockLead = GaugeMetric(
    "clock.lead", .milliseconds,
    help: "How far the process's time is ahead of the wall clock, which was set back.")
  public static let clockAhead = GaugeMetric(
    "clock.ahead", .seconds,
    help: "How far the wall clock is ahead of the time that the process uses, while it is not "
      + "believed.")
  static let retainedEffects = GaugeMetric(
    "effects.retained",
    help: "Confirmed effects that are kept for a receiver whose store was put back from a backup.")
  static let retainedBytes = GaugeMetric(
    "effects.retained_bytes", .bytes,
    help: "About how many bytes the rows of retained effects have.")
  static let oldestRetained = GaugeMetric(
    "effects.oldest_retained", .milliseconds,
    help: "How long ago the oldest retained effect was confirmed since which none was dropped: a "
      + "backup may be as old.")
  static let resentEffects = GaugeMetric(
    "effects.resending",
    help: "Retained effects on their way to a receiver whose store was put back from a backup.")
  static let waitingCommit = GaugeMetric(
    "commits.waiting", .milliseconds, help: "How long the batch that is under way is under way.")
  static let freeDisk = GaugeMetric(
    "disk.free", .bytes, help: "Room on the disk of the store that the process may use.")
  static let wholeDisk = GaugeMetric("disk.total", .bytes, help: "Size of the disk of the store.")
  static let busiestKey = GaugeMetric(
    "loop.busiest_key", .permille,
    help: "Share of the last minute that the busiest key took of the loop's time.")
  static let loadedRows = GaugeMetric(
    "tables.loaded_rows", by: MetricLabel("table", nil),
    help: "Rows that were read of a table at the start.")
  static let loadedBytes = GaugeMetric(
    "tables.loaded_bytes", .bytes, by: MetricLabel("table", nil),
    help: "Encoded bytes of the rows that were read of a table at the start.")
}

extension DistributionMetric {
  static let callTime = DistributionMetric(
    "calls.time", .microseconds, by: MetricLabel("operation", nil),
    help: "From the arrival of a call at the service to its answer.")
  static let flushTime = DistributionMetric(
    "commits.flush_time", .microseconds,
    help: "How long the store took to write a batch and to have it synced.")
}

extension MetricList {
  /// Those of a service's process.
  public static let service =
    process
    + MetricList(
      counters: [
        .failures, .lateCalls, .droppedEffects, .droppedRetained, .droppedHints, .refusedTimers,
        .retriedTimers, .replacedLiveData, .clockSteps, .refusedClock, .allowedClock,
        .readFailures,
      ],
      gauges: [
        .answerRows, .answerBytes, .answerInstances, .heldCalls, .heldBytes, .openEffects,
        .oldestEffect, .parkedEffects, .oldestParked, .upgradeLanes, .openErasures,
        .unlistedErasures, .untoldErasures, .pendingTimers, .lateTimer, .storageFull, .journalBytes,
        .journalBatches, .journalAge, .clockLead, .clockAhead, .retainedEffects, .retainedBytes,
        .oldestRetained, .resentEffects, .waitingCommit, .freeDisk, .wholeDisk, .busiestKey,
        .loadedRows, .loadedBytes, .unreadableStore,
      ],
      distributions: [
        .callTime, .flushTime, .heldTime, .commitTime, .commitSize, .timerLateness,
      ])
}

extension ServiceNode {
  /// Shares of the loop's time from which on the log says which key takes it.
  static let busyShareMin: UInt64 = 500

  /// Ends a slice of the windows, and looks at what is not counted as it happens.
  func turnMetrics() {
    metrics.turn()
    backpressureWords.look(
      runner.measures.refusedCounts, at: loop.monotonicMilliseconds, log)
    slicesInMinute += 1
    if slicesInMinute == WindowedHistogram.slicesPerMinute {
      slicesInMinute = 0
      lookAtBusiestKey()
    }
  }

  private func lookAtBusiestKey() {
    let now = loop.monotonicMicroseconds
    let passed = max(1, now - busyLookedAt)
    busyLookedAt = now
    guard let busiest = runner.measures.busyKeys.takeBusiest() else {
      return metrics.gauge(.busiestKey).set(0)
    }
    let share = min(1000, busiest.microseconds * 1000 / passed)
    metrics.gauge(.busiestKey).set(share)
    if share < Self.busyShareMin { return }
    let operation = engine.router[busiest.opcode]?.name ?? "\(busiest.opcode)"
    busiest.tell(log, operation: operation, permille: share)
  }

  /// Takes over what others count, and looks at what is.
  func measure() {
    measureEngine()
    measureStore()
    metrics.set(figures.latest)
    metrics.measure(log)
    let isUnreadable = runner.measures.isUnreadable(at: loop.monotonicMilliseconds)
    metrics.gauge(.unreadableStore).set(isUnreadable ? 1 : 0)
    let now = clock
    metrics.gauge(.clockLead).set(Int(max(0, now - wallTime)))
    metrics.gauge(.oldestParked).set(Int(engine.oldestParkedTime.map { max(0, now - $0) } ?? 0))
    metrics.gauge(.oldestRetained).set(
      Int(engine.oldestRetainedTime.map { max(0, now - $0) } ?? 0))
    metrics.gauge(.lateTimer).set(Int(engine.nextTimerDue.map { max(0, now - $0) } ?? 0))
    network.measure(peers)
    measureListener?()
    measureCore?(metrics)
  }

  private func measureEngine() {
    let answers = engine.answerCounts
    metrics.gauge(.answerRows).set(answers.rows)
    metrics.gauge(.answerBytes).set(answers.bytes)
    metrics.gauge(.answerInstances).set(answers.instances)
    metrics.gauge(.openEffects).set(engine.openEffectCount)
    metrics.gauge(.parkedEffects).set(engine.parkedEffectCount)
    metrics.gauge(.retainedEffects).set(engine.retainedEffectCount)
    metrics.gauge(.retainedBytes).set(engine.retainedEffectBytes)
    metrics.gauge(.resentEffects).set(engine.resendingCount)
    metrics.gauge(.openErasures).set(engine.openErasureCount)
    metrics.gauge(.untoldErasures).set(engine.untoldErasureCount)
    metrics.gauge(.pendingTimers).set(engine.pendingTimerCount)
    metrics.counter(.droppedEffects).reach(engine.droppedEffectCount)
    metrics.counter(.droppedRetained).reach(engine.droppedRetainedCount)
    metrics.counter(.refusedTimers).reach(engine.refusedTimerCount)
    metrics.counter(.retriedTimers).reach(engine.retriedTimerCount)
    measure(runner)
  }

  private func measure(_ runner: EngineRunner<ServiceNode>) {
    metrics.gauge(.heldCalls).set(runner.heldCount)
    metrics.gauge(.heldBytes).set(runner.heldBytes)
    metrics.gauge(.upgradeLanes).set(runner.upgradeLaneCount)
    metrics.gauge(.oldestEffect).set(runner.oldestEffectMilliseconds)
    metrics.gauge(.storageFull).set(runner.isStorageFull ? 1 : 0)
    metrics.counter(.droppedHints).reach(runner.droppedHintCount)
  }

  private func measureStore() {
    metrics.gauge(.journalBytes).set(store.journalBytes)
    let last = store.lastBatch
    metrics.gauge(.journalBatches).set(last - min(last, store.foldedTo))
    metrics.gauge(.journalAge).set(Int(store.unfoldedSince.map { max(0, clock - $0) } ?? 0))
    metrics.gauge(.waitingCommit).set(commitWatch.waiting(at: loop.monotonicMilliseconds))
    guard let disk, let room = disk.latest else { return }
    metrics.gauge(.freeDisk).set(room.freeBytes)
    metrics.gauge(.wholeDisk).set(room.totalBytes)
  }

  /// Notes what the engine has read at the start.
  func measureLoaded() {
    for table in engine.loadedTables {
      metrics.gauge(.loadedRows, table.name).set(table.rowCount)
      metrics.gauge(.loadedBytes, table.name).set(table.byteCount)
    }
  }
}
