import Catalog
import Domain
import Operations
import ServiceKit
import Storage
import Wire

/// A service's process with a disk that outlives it.
final class SimulatedProcess: Server {
  private let core: any ServiceCore.Type
  let address: Peers.Address
  private(set) var life = 0
  let deployment: Deployment
  private let partition: Partition
  private let disk: MemoryDisk
  /// By how many milliseconds the machine's clock differs from the true time.
  private var clockOffset: Int64 = 0
  /// Beside the disk; it outlives crashes, too.
  var erased = ErasedListOfProcess()
  private var current: ProcessLife?

  init(
    _ core: any ServiceCore.Type, _ address: Peers.Address, partition: Partition,
    deployment: Deployment
  ) {
    self.core = core
    self.address = address
    self.partition = partition
    self.deployment = deployment
    disk = MemoryDisk(
      storeID: StoreID(high: UInt64(address.service.rawValue), low: UInt64(address.partition) + 1))
  }

  var isUp: Bool { current != nil }
  var isIdle: Bool {
    current?.runner.isIdle == true && openEffectCount == 0 && openErasureCount == 0
  }
  var openErasureCount: Int { current?.runner.engine.openErasureCount ?? 0 }
  var openEffectCount: Int { current?.runner.engine.openEffectCount ?? 0 }
  var parkedEffectCount: Int { current?.runner.engine.parkedEffectCount ?? 0 }

  func start() {
    life += 1
    let store = MemoryStore(tables, on: disk)
    let engine = Engine(
      core: core.init(settings: deployment.settings(of: core)), partition: partition,
      store: store.storeID, lastBatch: store.lastBatch, lastTime: store.lastTime,
      clock: wallClock, random: .seeded(deployment.schedule.random.next()),
      answers: deployment.options.answers)
    erased.tell(engine)
    engine.willErase = { [unowned self] in willErase($0) }
    do {
      try engine.load(store.load)
    } catch {
      deployment.fail("\(address) cannot read its own rows: \(error)")
    }
    let life = ProcessLife(self, engine: engine, store: store, deployment: deployment)
    current = life
    life.start()
  }

  /// The process dies: everything in its memory is gone.
  func crash() {
    if deployment.options.canary == .forgottenList { erased.lose() }
    current?.isAlive = false
    current = nil
    deployment.network.cutAll(of: .process(address))
  }

  /// Somebody sets the machine's clock. The process notices when it looks next.
  func jump(_ milliseconds: Int64) { clockOffset += milliseconds }

  /// Milliseconds since 1970 by the machine's clock.
  var wallClock: Int64 { 1_700_000_000_000 + deployment.schedule.now + clockOffset }

  /// Milliseconds since 1970 as a command would see them now.
  var time: Int64 { current.map { $0.runner.engine.time(clock: $0.clock) } ?? 0 }

  /// Calls with each row of the store, and the name of its table.
  func eachRow(_ body: (String, [UInt8]) -> Void) { current?.eachRow(of: tables, body) }

  private var tables: [TableDescription] { Self.tables[address.service] ?? [] }

  /// Those of each service: an engine would be made each time that they are asked for.
  private static let tables = Dictionary(
    ServiceCores.all.map { ($0.service, Engine.tables(of: $0)) },
    uniquingKeysWith: { one, _ in one })

  func receive(_ request: Request, _ done: @escaping (Answer) -> Void) {
    current?.receive(request, done)
  }

  func linkClosed(_ link: UInt64) { current?.linkClosed(link) }

  func closeChannel(_ channel: Channel, ending instance: UInt64) {
    current?.closeChannel(channel, ending: instance)
  }
}

/// One life of a process: what `EngineRunner` sees as its world.
final class ProcessLife: World {
  /// After how many milliseconds the canary `doubleTicket` puts tickets in again.
  private static let secondPlacing: Int64 = 3_000

  var isAlive = true
  private unowned let process: SimulatedProcess
  let deployment: Deployment
  private let schedule: Schedule
  private let store: MemoryStore
  let engine: Engine
  /// As those of a `ServiceNode`.
  var cleanings: [(through: UInt64, erasures: [RoutingKey])] = []
  private(set) lazy var runner = EngineRunner(
    engine: engine, lastBatch: store.lastBatch, world: self,
    log: Log(source: "\(process.address)", level: .error))
  private var sessions: [UInt64: Set<UInt64>] = [:]
  /// By call: which version it was made to say.
  private var blindMoves: [UInt64: UInt64] = [:]
  private var turnVersions: [ContextID: UInt64] = [:]
  /// Who was the first to claim each invite token.
  private var claimants: [InviteTokenID: PlayerID] = [:]
  private var lastWrite: Int64 = 0
  private var arrivals: UInt64 = 0
  private var steadyClock: SteadyClock
  private var clockWatch: WallClockWatch

  init(
    _ process: SimulatedProcess, engine: Engine, store: MemoryStore,
    deployment: Deployment
  ) {
    self.process = process
    self.engine = engine
    self.store = store
    self.deployment = deployment
    schedule = deployment.schedule
    OwnEffectMark.makeAll(of: engine)
    // Every jump is believed: they stand for time that has passed.
    steadyClock = SteadyClock(
      time: max(store.lastTime, process.wallClock),
      microseconds: UInt64(deployment.schedule.now) * 1000, gainMillisecondsMax: .max)
    clockWatch = WallClockWatch(
      wall: process.wallClock, microseconds: UInt64(deployment.schedule.now) * 1000)
  }

  func start() {
    cleanFiles(through: store.lastBatch)
    clean(through: store.lastBatch)
    runner.start()
    lookAtClockLater()
    eraseMissing()
  }

  func eachRow(of tables: [TableDescription], _ body: (String, [UInt8]) -> Void) {
    for table in tables {
      do {
        try store.load(table) { body(table.name, [UInt8](copying: $0)) }
      } catch {
        deployment.fail("\(process.address) cannot read its own rows: \(error)")
      }
    }
  }

  /// As a `ServiceNode` does.
  private func lookAtClockLater() {
    after(ServiceNode.clockLookMilliseconds) { [unowned self] in
      if clockWatch.hasGained(wall: process.wallClock, microseconds: microseconds) {
        steadyClock.wallClockChanged()
        runner.clockChanged()
      }
      lookAtClockLater()
    }
  }

  // MARK: What comes in

  func receive(_ request: Request, _ done: @escaping (Answer) -> Void) {
    let sent = request.body
    var request = request
    if request.envelope.session != 0 {
      sessions[request.link, default: []].insert(request.envelope.session)
    }
    let milliseconds = UInt64(request.envelope.deadlineMilliseconds)
    if milliseconds > 0 { request.deadline = microseconds + milliseconds * 1000 }
    spoil(&request)
    placeAgain(request)
    let ledger = deployment.ledger
    let wasDone = ledger.isDone(request)
    runner.submit(request) { [weak self] answer in
      ledger.released(request, answer, wasDone: wasDone)
      self?.note(request.opcode, answer)
      self?.moveAgain(request, answer)
      let told = self?.spoiled(answer, request.opcode) ?? answer
      done(request.body == sent ? told : Self.answer(told, to: sent))
      self?.closeIfGone(request)
    }
  }

  /// Changes a snapshot as the canary says.
  private func spoiled(_ answer: Answer, _ opcode: Opcode) -> Answer? {
    guard deployment.options.canary == .wrongSnapshot, opcode == ReadSnapshot.opcode,
      case .reply(let body) = answer, var reply = try? ReadSnapshot.Reply(decoding: body)
    else { return nil }
    reply.requests += 1
    return .reply(reply.encoded)
  }

  /// A call that is given back is the one that was sent, and not what a canary has made of it.
  private static func answer(_ answer: Answer, to sent: [UInt8]) -> Answer {
    guard case .failure(let failure) = answer, failure.code == .factRequired,
      var demand = try? FactDemand(decoding: failure.detail.array)
    else { return answer }
    demand.operation = Bytes(sent)
    return .failure(Failure(demand))
  }

  /// Ends what a waiting call subscribes, because its client has gone, as on a real connection.
  private func closeIfGone(_ request: Request) {
    let (link, session) = (request.link, request.envelope.session)
    if session == 0 || sessions[link]?.contains(session) == true { return }
    runner.closeChannel(Channel(link: link, session: session))
  }

  func closeChannel(_ channel: Channel, ending instance: UInt64) {
    sessions[channel.link]?.remove(channel.session)
    runner.closeChannel(channel, ending: instance)
  }

  /// Changes a request as the canary says.
  private func spoil(_ request: inout Request) {
    switch deployment.options.canary {
    case .forgetfulInbox?:
      arrivals += 1
      request.envelope.source?.store.low &+= arrivals << 8
      request.envelope.source?.after = 0
    case .lostOrder?: request.envelope.source?.after = 0
    case .blindMoves?: makeBlind(&request)
    case .doubleClaim?: claimAgain(&request)
    case .shortBan?: shorten(&request)
    case let canary?: canary.spoil(&request)
    default: break
    }
  }

  /// Puts a party's ticket in once more when it may have been matched, as the canary says.
  private func placeAgain(_ request: Request) {
    guard deployment.options.canary == .doubleTicket, request.opcode == PlaceTicket.opcode else {
      return
    }
    var again = request
    arrivals += 1
    again.envelope.source?.store.low &+= arrivals << 8
    again.envelope.source?.after = 0
    live(Self.secondPlacing) { [unowned self, again] in runner.submit(again) { _ in } }
  }

  /// Makes a move once more whose player has the turn after it, as the canary says.
  private func moveAgain(_ request: Request, _ answer: Answer) {
    guard deployment.options.canary == .doubleMove, request.opcode == MakeMove.opcode,
      request.envelope.idempotency.isPresent, case .reply(let body) = answer,
      let info = try? TurnGameInfo(decoding: body),
      var move = try? MakeMove(decoding: request.body),
      move.next.first == request.envelope.principal.player
    else { return }
    move.version = info.version
    var again = request
    again.envelope.idempotency = IdempotencyKey()
    again.body = move.encoded
    live(0) { [unowned self, again] in runner.submit(again) { _ in } }
  }

  /// Makes a ban of a moment, as the canary says.
  private func shorten(_ request: inout Request) {
    guard request.opcode == BanPlayer.opcode, var ban = try? BanPlayer(decoding: request.body)
    else { return }
    ban.until = clock + 50
    request.body = ban.encoded
  }

  /// Lets whoever claims a token be the one who has claimed it first.
  private func claimAgain(_ request: inout Request) {
    guard request.opcode == ClaimInviteToken.opcode,
      let claim = try? ClaimInviteToken(decoding: request.body)
    else { return }
    let player = request.envelope.principal.player
    guard let first = claimants[claim.token] else {
      return claimants[claim.token] = player
    }
    request.envelope.principal.player = first
    let key = RoutingKey(reinterpreting: first)
    request.envelope.facts.all = request.envelope.facts.all.map {
      Fact(Opcode(rawValue: $0.opcode), at: key, reply: $0.reply.array)
    }
  }

  /// Says of a move that its player has seen the newest version that anybody was told of.
  private func makeBlind(_ request: inout Request) {
    guard request.opcode == MakeMove.opcode, var move = try? MakeMove(decoding: request.body)
    else { return }
    let key = request.envelope.idempotency
    let known = blindMoves[key.counter ^ key.instance]
    move.version = known ?? max(move.version, turnVersions[move.context] ?? 0)
    blindMoves[key.counter ^ key.instance] = move.version
    request.body = move.encoded
  }

  /// Notes the versions of turn-based games for the canary.
  private func note(_ opcode: Opcode, _ answer: Answer) {
    guard deployment.options.canary == .blindMoves, opcode == MakeMove.opcode,
      case .reply(let body) = answer, let info = try? TurnGameInfo(decoding: body)
    else { return }
    turnVersions[info.context] = info.version
  }

  func linkClosed(_ link: UInt64) {
    for session in (sessions.removeValue(forKey: link) ?? []).sorted() {
      runner.closeChannel(Channel(link: link, session: session))
    }
  }

  // MARK: World

  var clock: Int64 {
    steadyClock.now(
      inTurn: UInt64(schedule.now), wall: process.wallClock, microseconds: microseconds)
  }
  var microseconds: UInt64 { UInt64(schedule.now) * 1000 }

  func atEndOfTurn(_ body: @escaping () -> Void) { live(schedule.number(0...2), body) }

  func after(_ milliseconds: UInt64, _ body: @escaping () -> Void) {
    live(Int64(milliseconds), body)
  }

  private func live(_ milliseconds: Int64, _ body: @escaping () -> Void) {
    schedule.after(milliseconds) { [weak self] in
      if self?.isAlive == true { body() }
    }
  }

  func submit(_ batch: Batch, time: Int64) {
    let isEarly = deployment.options.canary == .earlyRelease
    lastWrite = max(lastWrite + 1, schedule.now + schedule.wait())
    if isEarly { live(0) { [unowned self] in runner.committed(batch.number) } }
    schedule.at(lastWrite) { [weak self] in
      guard let self, isAlive else { return }
      write(batch, time: time)
      if isEarly { return }
      // Durable, but nobody knows yet: the best of moments to die.
      if deployment.network.isTroubled && schedule.isChance(oneIn: 400) {
        deployment.crash(process.address)
        return
      }
      live(schedule.wait() / 4) { [unowned self] in runner.committed(batch.number) }
      clean(through: batch.number)
    }
    cleanFiles(through: batch.number)
  }

  private func write(_ batch: Batch, time: Int64) {
    let ledger = deployment.ledger
    let before = ledger.steps.count
    do {
      try store.commit(batch, time: time)
      try ledger.committed(batch, time: time, by: store.storeID, now: schedule.now)
      deployment.matchLog.took(ledger.steps[before...], now: schedule.now)
    } catch {
      deployment.fail("\(process.address) cannot write batch \(batch.number): \(error)")
    }
  }

  func read(
    _ ranges: [ColdRange],
    _ done: @escaping (Result<[ColdRange: [[UInt8]]], StoreError>) -> Void
  ) {
    live(schedule.wait()) { [self] in
      var rows: [ColdRange: [[UInt8]]] = [:]
      do throws(StoreError) {
        for range in ranges { rows[range] = try store.read(range) }
      } catch {
        deployment.fail("\(process.address) cannot read cold rows: \(error)")
      }
      let read = rows
      live(schedule.wait()) { done(.success(read)) }
    }
  }

  func address(_ service: Service, slot: Int) -> Peers.Address? {
    deployment.address(service, slot: slot)
  }

  func isHere(_ address: Peers.Address) -> Bool { address == process.address }

  func call(
    _ address: Peers.Address, _ request: Request, deadlineMilliseconds: UInt64,
    _ done: @escaping (Answer) -> Void
  ) {
    deployment.network.call(
      from: .process(process.address), to: address, request,
      deadlineMilliseconds: Int64(deadlineMilliseconds)
    ) { [weak self] answer in
      if self?.isAlive == true { done(answer) }
    }
  }

  func push(_ push: Push) { for push in push.single { deployment.network.push(push) } }
}
