package import Domain
import Operations
package import Storage
package import Transport
package import Wire

/// A service's process on its loop: the real world around an `EngineRunner`.
package final class ServiceNode: World {
  package let loop: Loop
  let engine: Engine
  package let log: Log
  let calls: CallLog
  package let metrics: Metrics
  /// Pieces of live data that newer ones replaced, or that found no room.
  let liveLoss: Metrics.Counter
  let failures: FailureCounters
  let network: NetworkMeasures
  private let flushTime: Metrics.Distribution
  private let clockSteps: Metrics.Counter
  let store: any Store
  private let committer: Committer
  let peers: Peers
  private let wallClock: () -> Int64
  private var steadyClock: SteadyClock
  private var clockWatch: WallClockWatch
  private var clockNews = ClockNews()
  private var clockLook: LoopTimer?
  private(set) var commitWatch = CommitWatch()
  /// The room on the disk of the store; nil where the store is on none.
  var disk: RepeatedLook<DiskRoom?>?
  let figures: RepeatedLook<ProcessFigures>
  private(set) lazy var runner = EngineRunner(
    engine: engine, lastBatch: store.lastBatch, world: self, log: log, metrics: metrics)
  private var connections: [UInt64: NodeConnection] = [:]
  /// By the opcode's number within the service.
  private var callTimes = [Metrics.Distribution?](repeating: nil, count: 256)
  /// Those of what no operation is known for.
  private let otherCallTime: Metrics.Distribution
  private var metricsTimer: LoopTimer?
  var backpressureWords = BackpressureWords()
  var slicesInMinute = 0
  /// When it was last looked which key is busiest, in microseconds.
  var busyLookedAt: UInt64
  /// Measures what accepts connections.
  var measureListener: (() -> Void)?
  /// Takes over what the core counts.
  var measureCore: ((Metrics) -> Void)?
  private let startedAt: UInt64
  private var isQuiet = false
  private var hasEnded = false
  /// Erasures after which the files are cleaned, and the batch that has to be in the tables before.
  private var cleanings: [(through: UInt64, erasures: [RoutingKey])] = []

  /// How late a step of the wall clock is noticed at most.
  package static var clockLookMilliseconds: UInt64 { 1000 }

  /// - Parameters:
  ///   - clock: the wall clock, in milliseconds since 1970.
  ///   - steadyClock: says how far that is believed, since before the store was loaded.
  package init(
    loop: Loop, engine: Engine, store: any Store, committer: Committer, peers: Peers,
    log: Log, clock: @escaping () -> Int64, steadyClock: SteadyClock,
    metrics: Metrics = Metrics(.service)
  ) {
    self.metrics = metrics
    self.loop = loop
    self.engine = engine
    self.log = log
    calls = CallLog(log)
    self.store = store
    self.committer = committer
    self.peers = peers
    liveLoss = metrics.counter(.replacedLiveData)
    failures = FailureCounters(metrics)
    network = NetworkMeasures(metrics, loop)
    flushTime = metrics.distribution(.flushTime)
    clockSteps = metrics.counter(.clockSteps)
    otherCallTime = metrics.distribution(.callTime, "unknown")
    figures = RepeatedLook(on: loop) { ProcessFigures.read() }
    busyLookedAt = loop.monotonicMicroseconds
    wallClock = clock
    startedAt = loop.monotonicMilliseconds
    self.steadyClock = steadyClock
    clockWatch = WallClockWatch(wall: clock(), microseconds: loop.monotonicMicroseconds)
  }

  /// Begins to send what an earlier life left in the outbox, and to apply the timers that are due.
  package func start() {
    cleanFiles(through: store.lastBatch)
    engine.tellErasures { [peers] service in peers.address(service, slot: 0) != nil }
    runner.start()
    clockLook = loop.every(Self.clockLookMilliseconds) { [unowned self] in lookAtClock() }
    measureLoaded()
    metricsTimer = loop.every(Metrics.turnMilliseconds) { [unowned self] in turnMetrics() }
  }

  private func lookAtClock() {
    let microseconds = loop.monotonicMicroseconds
    if clockWatch.hasGained(wall: wallClock(), microseconds: microseconds) {
      clockSteps.add()
      steadyClock.wallClockChanged()
      runner.clockChanged()
    }
    tellOfClock()
    lookAtStore()
  }

  private func tellOfClock() {
    let (time, wall) = (clock, wallClock())
    let ahead = steadyClock.refusedMilliseconds
    let word = clockNews.word(
      ahead: ahead, behind: time - wall, allowed: steadyClock.allowedMilliseconds,
      microseconds: ProcessShell.steadyMicroseconds())
    if let word { log.tell(word, wall: wall, used: time) }
    metrics.counter(.refusedClock).reach(clockNews.refusedCount)
    metrics.counter(.allowedClock).reach(clockNews.allowedCount)
    metrics.gauge(.clockAhead).set(Int(ahead / 1000))
  }

  /// While the disk is full the store goes on trying, and the log has said so.
  private func lookAtStore() {
    if isStorageFull { return }
    guard let waiting = commitWatch.look(at: loop.monotonicMilliseconds) else { return }
    log.error("store does not answer", ["seconds": "\(waiting / 1000)"])
  }

  /// No more timers, and channels that close change nothing; what is open may still finish.
  func quiesce() {
    isQuiet = true
    clockLook?.cancel()
    metricsTimer?.cancel()
    runner.quiesce()
  }
  /// The committer is about to end: what still happens, such as an effect that is tried again, is
  /// left to the next start.
  func end() { hasEnded = true }
  var isIdle: Bool { runner.isIdle }

  package func committed(_ number: UInt64) {
    if let waited = commitWatch.committed(at: loop.monotonicMilliseconds) {
      log.info("store answers again", ["seconds": "\(waited / 1000)"])
    }
    flushTime.record(committer.flushMicroseconds)
    runner.committed(number)
  }

  /// The files have nothing any more of what the batches through this one replaced or removed.
  package func cleaned(_ number: UInt64) {
    let done = cleanings.filter { $0.through <= number }
    cleanings.removeAll { $0.through <= number }
    runner.erasuresAreCleaned(done.flatMap(\.erasures))
  }

  private func cleanFiles(through number: UInt64) {
    let erasures = engine.beginCleaning()
    if erasures.isEmpty { return }
    cleanings.append((number, erasures))
    committer.clean(through: number)
  }

  /// Measures the calls of an opcode.
  func callTime(_ opcode: Opcode) -> Metrics.Distribution {
    let number = Int(opcode.rawValue & 0xff)
    if opcode.service == engine.service, let known = callTimes[number] { return known }
    guard let route = engine.router[opcode] else { return otherCallTime }
    let made = metrics.distribution(.callTime, route.name)
    callTimes[number] = made
    return made
  }

  var isStorageFull: Bool {
    get { runner.isStorageFull }
    set { runner.isStorageFull = newValue }
  }

  /// Runs a request; `done` gets the answer when everything it rests on is durable.
  func submit(_ request: Request, body: RawSpan, _ done: @escaping (Answer) -> Void) {
    runner.submit(request, body: body, done)
  }

  /// Applies a request of this process's own.
  func apply(_ request: Request, _ done: @escaping (Answer) -> Void) {
    runner.submit(request, done)
  }

  func readWhenDurable(
    _ range: ColdRange, _ done: @escaping (Result<[[UInt8]], StoreError>) -> Void
  ) {
    runner.readWhenDurable(range, done)
  }

  /// Runs a call with live data at once; nil for any other call.
  func relay(_ request: borrowing Request, body: RawSpan) -> Answer? {
    runner.relay(request, body: body)
  }

  // MARK: World

  package var clock: Int64 {
    steadyClock.now(
      inTurn: loop.monotonicMilliseconds, wall: wallClock(),
      microseconds: ProcessShell.steadyMicroseconds())
  }
  package var microseconds: UInt64 { loop.monotonicMicroseconds }
  package var milliseconds: UInt64 { loop.monotonicMilliseconds }
  /// The system's clock, which may have been set back.
  var wallTime: Int64 { wallClock() }
  package func atEndOfTurn(_ body: @escaping () -> Void) { loop.atEndOfTurn(body) }
  package func after(_ milliseconds: UInt64, _ body: @escaping () -> Void) {
    loop.after(milliseconds, body)
  }
  package func submit(_ batch: Batch, time: Int64) {
    if hasEnded { return }
    commitWatch.submitted(at: loop.monotonicMilliseconds)
    committer.submit(batch, time: time)
    cleanFiles(through: batch.number)
  }

  /// Off the loop, on the pool.
  package func read(
    _ ranges: [ColdRange],
    _ done: @escaping (Result<[ColdRange: [[UInt8]]], StoreError>) -> Void
  ) {
    let store = store
    loop.work {
      var rows: [ColdRange: [[UInt8]]] = [:]
      do throws(StoreError) {
        for range in ranges { rows[range] = try store.read(range) }
        return Result<[ColdRange: [[UInt8]]], StoreError>.success(rows)
      } catch {
        return .failure(error)
      }
    } then: { result in
      done(result)
    }
  }

  package func address(_ service: Service, slot: Int) -> Peers.Address? {
    peers.address(service, slot: slot)
  }
  package func isHere(_ address: Peers.Address) -> Bool { peers.isHere(address) }
  package func call(
    _ address: Peers.Address, _ request: Request, deadlineMilliseconds: UInt64,
    _ done: @escaping (Answer) -> Void
  ) {
    peers.call(address, request, deadlineMilliseconds: deadlineMilliseconds, done)
  }

  /// One frame for each link that leads to one of the clients.
  package func push(_ push: Push) {
    var last: UInt64?
    for (index, channel) in push.channels.enumerated() where channel.link != last {
      last = channel.link
      // A gateway has few loops, and so a push few links.
      if push.channels[..<index].contains(where: { $0.link == channel.link }) { continue }
      connections[channel.link]?.push(push)
    }
  }

  // MARK: Connections

  /// Takes a connection whose peer has shown a certificate of ours.
  package func accept(_ connection: Connection) -> (any ConnectionDelegate)? {
    guard let role = PeerRole(certificateName: connection.peerName) else { return nil }
    let accepted = NodeConnection(node: self, connection: connection, role: role)
    connections[connection.number] = accepted
    return accepted
  }

  func closed(_ connection: NodeConnection, reason: CloseReason) {
    connections[connection.number] = nil
    network.closed(reason)
    log[.peers].info("peer closed", ["peer": connection.peerName, "reason": "\(reason)"])
    // With the process all channels end, and its next start takes them for closed.
    if isQuiet { return }
    close(Array(connection.sessions)[...], of: connection.number)
  }

  /// Ends the channels of a lost gateway a few at a time, so that others are served in between.
  private func close(_ sessions: ArraySlice<UInt64>, of link: UInt64) {
    let step = 128
    for session in sessions.prefix(step) { closeChannel(Channel(link: link, session: session)) }
    let rest = sessions.dropFirst(step)
    if !rest.isEmpty { _ = loop.after(0) { [weak self] in self?.close(rest, of: link) } }
  }

  func closeChannel(_ channel: Channel, ending instance: UInt64 = 0) {
    runner.closeChannel(channel, ending: instance)
  }

  // MARK: What the process says of itself

  var description: ServiceDescription {
    ServiceDescription(engine.service, engine.partition, engine.router)
  }

  var status: ServiceStatus {
    var status = ServiceStatus(of: "muster-\(engine.service.name)", engine.partition)
    status.isReady = true
    status.uptimeSeconds = (loop.monotonicMilliseconds - startedAt) / 1000
    status.time = wallClock()
    measure()
    status.metrics = metrics.values.status
    return status
  }
}
