import Domain
import Operations
import RequestCore
import Wire

/// A whole deployment and its players, from one seed. The players work while there is trouble; then
/// there is peace until nothing is left to do; then everything is compared with the models.
package final class Simulation {
  /// A time longer than any deadline, back-off or budget.
  private static let settleMillisecondsMax: Int64 = 30 * 60 * 1000

  /// How many times the players work, each time followed by peace and a check of everything.
  private static let rounds = 3
  /// A time that no clock of the leaderboard service reaches, in milliseconds since 1970.
  static let lastTime: Int64 = 1_700_000_000_000 + 300 * 24 * 3_600_000

  let deployment: Deployment
  let workload: Workload
  var happenings = Happenings()
  /// As of the last check of the boards.
  var contexts = ContextModels()
  let options: SimulationOptions
  var schedule: Schedule { deployment.schedule }

  package init(_ options: SimulationOptions) {
    self.options = options
    deployment = Deployment(options)
    workload = Workload(deployment)
  }

  /// Runs one seed. Throws the first broken promise.
  package static func run(_ options: SimulationOptions) throws(Violation) -> SimulationReport {
    let simulation = Simulation(options)
    do throws(Violation) {
      try simulation.play()
    } catch {
      let text =
        "seed \(options.seed), \(options.partitions) partitions, \(options.steps) steps, after "
        + "\(simulation.schedule.eventCount) events: \(error)"
      throw Violation(description: text)
    }
    return simulation.report
  }

  private func play() throws(Violation) {
    deployment.start()
    workload.start()
    for round in 1...Self.rounds {
      workload.work(until: options.steps * (Self.rounds - round) / Self.rounds)
      deployment.beginTrouble()
      troubleLater()
      try run(until: "its work is done") { [workload] in workload.isAtRest }
      deployment.network.isTroubled = false
      workload.liftAll()
      try leap(0)
      try checkParked()
      try checkMatches()
      try checkBoards()
      if options.isSociety {
        try checkSociety()
        try rest(schedule.pick(SimulationOptions.societyLeaps) ?? 0)
      }
      // Windows slide and occurrences roll over while nobody does anything.
      try leap(schedule.pick(Self.leaps) ?? 0)
      if round < Self.rounds { try checkBoards() }
    }
    // No ticket waits for longer than this.
    if options.isGathering {
      try pass(Self.queueMilliseconds)
      try settle()
    }
    for device in workload.devices { workload.recall(device) }
    try settle()
    try check()
    // Every request that waits for an answer grows too old, and its sender is told.
    let lifetime = options.promises(of: RequestCore.self)[.requestLifetime]
    deployment.age(lifetime + 24 * 3_600_000)
    try leap(0)
    try acknowledgeAll()
    try check()
    if options.isSociety { try checkSignUps() }
  }

  /// Lets time pass for the request service, and looks at what has expired.
  private func rest(_ milliseconds: Int64) throws(Violation) {
    deployment.age(milliseconds)
    try settle()
    try checkSociety()
  }

  /// From hours to more than a month.
  private static let leaps: [Int64] = [5, 17, 30, 24 * 4, 24 * 8, 24 * 33].map { $0 * 3_600_000 }

  private func leap(_ milliseconds: Int64) throws(Violation) {
    deployment.leap(milliseconds)
    deployment.ageTokens()
    try settle()
    // None may expire while it is looked at.
    while let left = try timeLeft(), left < Self.lookMillisecondsMax {
      try require(left > -Self.lookMillisecondsMax, "a challenge outlives its date by \(-left) ms")
      deployment.leap(2 * Self.lookMillisecondsMax)
      try settle()
    }
    // One may have expired at the last moment: the news of it is on its way to the players.
    try settle()
  }

  /// Milliseconds until the next challenge expires, by the clock of its owner.
  private func timeLeft() throws(Violation) -> Int64? {
    let model = try playModel(ContextModels(deployment.ledger.done))
    return model.books.flatMap(\.all.values).filter(\.state.isOpen).compactMap { challenge in
      let key =
        challenge.board.isEmpty
        ? RoutingKey(reinterpreting: challenge.receiver)
        : RoutingKey(game: Deployment.game, name: challenge.board)
      return challenge.expiryDate.map { $0 - deployment.time(of: key) }
    }.min()
  }

  /// A time longer than a check of everything takes.
  private static let lookMillisecondsMax: Int64 = 60_000

  /// Waits until nothing is left to do, and then a little longer: for pushes, and until lost
  /// connections are noticed.
  func settle() throws(Violation) {
    for _ in 0..<2 {
      try pass(3_000)
      try run(until: "all is quiet") { [workload, deployment] in
        workload.isDone && deployment.isQuiet
      }
    }
  }

  private func pass(_ milliseconds: Int64) throws(Violation) {
    let later = schedule.now + milliseconds
    // The next thing that happens by itself may be a timer of next month.
    schedule.at(later) {}
    try run(until: "time has passed") { [schedule] in schedule.now >= later }
  }

  /// A time longer than tickets wait, after invitations to matches and after players who do not
  /// join, one after the other.
  static let queueMilliseconds: Int64 = 120_000

  /// Makes a call directly at its owner, without the network, and returns its answer. When the
  /// owner asks who is in a context, the call is made again with that.
  func inspect<O: Operation>(
    _ operation: O, as player: PlayerID, key: RoutingKey? = nil, friends: [PlayerID] = []
  ) throws(Violation) -> Result<O.Reply, Failure> {
    var envelope = ServiceEnvelope()
    envelope.principal = Principal(
      kind: O.access.contains(.player) ? .player : .service, game: Deployment.game,
      player: player, device: DeviceID())
    envelope.routingKey = key ?? RoutingKey(reinterpreting: player)
    var reply = FetchFriends.Reply()
    reply.friends = friends
    envelope.facts.all = [
      Fact(
        FetchFriends.opcode, at: RoutingKey(reinterpreting: player), reply: reply.encoded)
    ]
    let result = try ask(operation, envelope)
    guard case .failure(let failure) = result, failure.code == .factRequired,
      let demand = try? FactDemand(decoding: failure.detail.array),
      demand.opcode == FetchParticipants.opcode.rawValue
    else { return result }
    let question = FetchParticipants(of: ContextID(reinterpreting: demand.key))
    switch try inspect(question, as: player, key: demand.key) {
    case .failure(let failure): return .failure(failure)
    case .success(let reply):
      envelope.facts.all.append(
        Fact(FetchParticipants.opcode, at: demand.key, reply: reply.encoded))
      return try ask(operation, envelope)
    }
  }

  private func ask<O: Operation>(_ operation: O, _ envelope: ServiceEnvelope) throws(Violation)
    -> Result<O.Reply, Failure>
  {
    guard let service = O.opcode.service,
      let server = deployment.network.servers[deployment.address(service, key: envelope.routingKey)]
    else { throw Violation(description: "nobody answers \(O.name)") }
    var told: Answer?
    server.receive(Request(opcode: O.opcode, envelope: envelope, body: operation.encoded)) {
      told = $0
    }
    try run(until: "\(O.name) is answered") { told != nil }
    guard case .reply(let body) = told, let reply = try? O.Reply(decoding: body) else {
      if case .failure(let failure) = told { return .failure(failure) }
      throw Violation(description: "the reply to \(O.name) cannot be read")
    }
    return .success(reply)
  }

  /// Runs events until the condition is true.
  func run(until what: String, _ isDone: () -> Bool) throws(Violation) {
    let end = schedule.now + Self.settleMillisecondsMax
    while !isDone() {
      guard schedule.now < end, schedule.runNext() else {
        throw Violation(description: "waited in vain until \(what); \(whoIsBusy)")
      }
      if let violation = deployment.ledger.violation { throw violation }
    }
  }

  private var whoIsBusy: String {
    let clients = workload.everybody.filter { !$0.isIdle }.map { "client of \($0.state)" }
    let processes = deployment.processes.filter { !$0.isUp || !$0.isIdle }
      .map { "\($0.address) with \($0.openEffectCount) effects" }
    return "busy: " + (clients + processes).joined(separator: ", ")
  }

  private func troubleLater() {
    schedule.after(schedule.number(10...200)) { [self] in
      guard deployment.network.isTroubled else { return }
      switch schedule.number(0...9) {
      case 0...2: deployment.crashOne()
      case 3...5: deployment.network.cutOne()
      case 6: schedule.pick(workload.everybody)?.disconnect()
      case 7:
        let client = schedule.pick(workload.everybody)
        schedule.isChance(oneIn: 4) ? client?.restart() : client?.disconnect()
      case 8: schedule.isChance(oneIn: 2) ? deployment.jumpOne() : deployment.leapALittle()
      default: loseGateway(Int(schedule.number(0...Int64(Deployment.gatewayCount - 1))))
      }
      troubleLater()
    }
  }

  private func loseGateway(_ gateway: Int) {
    deployment.gateways[gateway].restart()
    deployment.network.cutAll(of: .gateway(gateway))
  }

  private var report: SimulationReport {
    var report = SimulationReport()
    report.seed = options.seed
    report.events = schedule.eventCount
    report.calls = deployment.ledger.done.count
    report.refusals = workload.everybody.map(\.refusals).reduce(0, +)
    report.repeats = deployment.ledger.repeats
    report.sessions = deployment.sessions
    report.renewals = deployment.renewals
    report.clientDeaths = deployment.clientDeaths
    report.effects = deployment.ledger.effects
    report.crashes = deployment.crashes
    report.cuts = deployment.network.cuts
    report.jumps = deployment.jumps
    report.streamEvents = workload.clients.map(\.feed.events.count).reduce(0, +)
    let completed = workload.clients.flatMap { $0.feed.all(ChallengeCompleted.self) }
      .filter(\.isLocal)
    report.completedChallenges = completed.count
    report.earnedChallenges = completed.count { !$0.challenge.achievement.isEmpty }
    report.lateEffects = deployment.ledger.lateEffects
    report.digest = deployment.ledger.digest
    report.happenings = happenings
    return report
  }
}
