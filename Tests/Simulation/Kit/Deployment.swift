import Catalog
import ContextCore
import Domain
import GatewayCore
import Operations
import RequestCore
import ServiceKit
import Wire

/// A deployment without its clients: the services' processes, the gateways and the network.
final class Deployment {
  static let game = "game"
  static let operatorSecret = Array("the operator".utf8)
  static let gatewayCount = 2

  let options: SimulationOptions
  let schedule: Schedule
  let network: Network
  let ledger: Ledger
  private(set) lazy var matchLog = MatchLog(
    grace: settings(of: ContextCore.self)[.matchGrace], isOfGroups: options.isGathering,
    fail: { [unowned self] in fail($0) })
  let secrets = SecretLog()
  let keyring: Keyring
  /// The routes that gateways learn from the services.
  let routes: RouteTable
  private(set) var gateways: [SimulatedGateway] = []
  /// Milliseconds by which the gateways' clocks have leapt.
  private(set) var gatewayLeaps: Int64 = 0
  /// Who is surely banned: the ban was acknowledged, and nobody has begun to lift it.
  var bans: Set<PlayerID> = []
  /// Whose erasure somebody has begun to ask for.
  var doomed: Set<PlayerID> = []
  /// Milliseconds by which the request service's clocks have leapt, all of them.
  private(set) var requestLeaps: Int64 = 0
  /// How many sessions were begun or resumed.
  var sessions = 0
  var renewals = 0
  var clientDeaths = 0
  private(set) var crashes = 0
  private(set) var jumps = 0
  /// What came about that no ledger or log shows.
  private(set) var counts: [Happening: Int] = [:]
  /// The keys of the calls to linked boards that were passed on so far.
  private var passedOn: Set<IdempotencyKey> = []
  /// Milliseconds of leaps since trouble began.
  private var leapt: Int64 = 0
  /// The services' processes, sorted by service, then by partition.
  private(set) var processes: [SimulatedProcess] = []

  init(_ options: SimulationOptions) {
    self.options = options
    ledger = Ledger(StreamModel(options.promises(of: RequestCore.self)))
    schedule = Schedule(seed: options.seed)
    network = Network(schedule: schedule)
    keyring = Keyring(secret: [1]) { Deployment.hash($0 + $1) }
    routes = Deployment.routes
    ledger.owns = { [unowned self] store, player in
      let own = address(.request, key: RoutingKey(reinterpreting: player))
      return store.high == UInt64(Service.request.rawValue)
        && store.low == UInt64(own.partition) + 1
    }
    network.onCut = { [unowned self] from, to in lost(from, to) }
    network.onPush = { [unowned self] from, push in
      if case .gateway(let index) = from { gateways[index].pushed(push) }
    }
    gateways = (0..<Self.gatewayCount).map { SimulatedGateway($0, self) }
  }

  /// A gateway lost its connection to a process.
  private func lost(_ from: Endpoint, _ to: Peers.Address) {
    if case .gateway(let index) = from { gateways[index].lost(to) }
  }

  /// The wall clock of the gateways, in milliseconds since 1970.
  var gatewayTime: Int64 { 1_700_000_000_000 + schedule.now + gatewayLeaps }

  /// The wall clock of the request service, but for what is wrong with each process's.
  var requestClock: Int64 { 1_700_000_000_000 + schedule.now + requestLeaps }

  /// How far a device may be behind and still find all events.
  private(set) lazy var deviceLag = UInt64(
    options.promises(of: RequestCore.self)[.streamDeviceLag])

  /// Moves the gateways' clocks forward until tokens have to be renewed.
  func ageTokens() {
    gatewayLeaps += Int64(NumberSetting.sessionTokenLifetime.fallback / 2 + 60) * 1000
    for gateway in gateways { gateway.renewTokens() }
  }

  /// Thirty-two bytes that stand for a keyed hash: four generators, each begun by all of the input.
  private static func hash(_ bytes: [UInt8]) -> [UInt8] {
    var writer = Writer(capacity: 32)
    for lane in UInt64(1)...4 {
      var state = RandomSource.seeded(lane)
      for byte in bytes { state = .seeded(state.next() ^ UInt64(byte)) }
      writer.integer(state.next())
    }
    return writer.bytes
  }

  private static var routes: RouteTable {
    var routes = RouteTable()
    for core in ServiceCores.all {
      routes.learn(ServiceDescription(core.service, .whole, core.init().router))
    }
    return routes
  }

  func start() {
    for index in 0..<options.partitions {
      for core in ServiceCores.all { add(core, index) }
    }
    processes.sort {
      ($0.address.service.rawValue, $0.address.partition)
        < ($1.address.service.rawValue, $1.address.partition)
    }
  }

  private func add(_ core: any ServiceCore.Type, _ index: Int) {
    let process = SimulatedProcess(
      core, Peers.Address(service: core.service, partition: index),
      partition: Partition(index: index, count: options.partitions), deployment: self)
    network.servers[process.address] = process
    process.start()
    processes.append(process)
  }

  private func processes(of service: Service) -> [SimulatedProcess] {
    processes.filter { $0.address.service == service }
  }

  /// The settings of a service's processes: those that the options change, the others by default.
  func settings(of core: any ServiceCore.Type) -> SettingValues { options.settings(of: core) }

  func fail(_ text: String) { ledger.fail(text) }

  func count(_ happening: Happening) { counts[happening, default: 0] += 1 }

  /// Whether a service answers a call only with a fact for which it gives the call back: a player's
  /// on a board that is linked to a context. One that was passed on before may be answered from
  /// memory.
  func needsDetour(_ opcode: Opcode, _ envelope: ServiceEnvelope) -> Bool {
    guard opcode.service == .leaderboard, envelope.principal.kind == .player,
      Workload.linkedBoardKeys.contains(envelope.routingKey)
    else { return false }
    var key = envelope.idempotency
    if !key.isPresent { return true }
    key.floor = 0
    return passedOn.insert(key).inserted
  }

  func address(_ service: Service, slot: Int) -> Peers.Address {
    Peers.Address(
      service: service, partition: Partition.owner(of: slot, count: options.partitions))
  }

  func address(_ service: Service, key: RoutingKey) -> Peers.Address {
    address(service, slot: Slot.of(key))
  }

  var isQuiet: Bool { processes.allSatisfy { $0.isUp && $0.isIdle } }

  // MARK: Trouble

  func beginTrouble() {
    network.isTroubled = true
    leapt = 0
  }

  /// Moves the leaderboard service's clocks some hours forward while calls are under way and
  /// repeated. All such leaps together are shorter than the time for which stored replies are kept.
  func leapALittle() {
    let distance = schedule.number(1...20) * 3_600_000
    guard leapt + distance < 5 * 24 * 3_600_000 else { return }
    jumps += 1
    leapt += distance
    leap(distance)
  }

  func crash(_ address: Peers.Address) {
    guard let process = processes.first(where: { $0.address == address }), process.isUp else {
      return
    }
    crashes += 1
    process.crash()
    schedule.after(schedule.number(5...250)) { process.start() }
  }

  func crashOne() {
    if let victim = schedule.pick(processes) { crash(victim.address) }
  }

  func jumpOne() {
    jumps += 1
    let distance: Int64 = schedule.isChance(oneIn: 3) ? 3_600_000 : 5_000
    guard let process = schedule.pick(processes) else { return }
    process.jump(schedule.number(-distance...distance))
    if process.address.service == .context { matchLog.clockChanged(now: schedule.now) }
  }

  /// Moves the clocks of the leaderboard service alone: windows slide, occurrences begin and end,
  /// challenges expire.
  func leap(_ milliseconds: Int64) {
    for process in processes(of: .leaderboard) { process.jump(milliseconds) }
  }

  /// Milliseconds since 1970 as the owner of a key in the leaderboard service sees them.
  func time(of key: RoutingKey) -> Int64 {
    time(of: key, at: .leaderboard)
  }

  /// As the owner of a key in the request service sees them.
  func requestTime(of key: RoutingKey) -> Int64 { time(of: key, at: .request) }

  private func time(of key: RoutingKey, at service: Service) -> Int64 {
    processes.first { $0.address == address(service, key: key) }?.time ?? 0
  }

  /// Moves the clocks of the request service far forward, so that requests and sessions expire.
  func age(_ milliseconds: Int64) {
    requestLeaps += milliseconds
    for process in processes(of: .request) { process.jump(milliseconds) }
  }
}
