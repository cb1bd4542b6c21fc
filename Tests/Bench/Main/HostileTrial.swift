import BenchStack
import Foundation
import Stack

/// One round of one attack on a stack of its own: the same players read ranks all the time, and
/// first the C server is attacked beside them, then the gateway.
struct HostileTrial {
  /// The players' figures without the attack, and from so long after its begin on.
  struct Side {
    var alone: FrameLoadReport
    var beside: FrameLoadReport
    var grown: [(name: String, bytes: Double)]
    /// What the gateway took of the processors beside the attack, and the C server if that was
    /// attacked.
    var serverCores: Double
  }

  static let (players, pace, ranked) = (64, 100, 100_000)
  private static let pauseSeconds = 2
  /// The gateway defends itself as it does unless an operator says otherwise; only the attack's
  /// players must be able to sign up and in.
  private static let gatewayFlags = [
    "--connections-per-host", "1000", "--calls-per-second", "400",
    "--sign-ins-per-minute", "100000",
  ]

  private let attack: HostileAttack
  private let programs: URL
  private let seconds: Int
  private let stack: Stack
  private let load: ScriptedLoad
  /// The attack's own players.
  private let accounts: ScriptedLoad?

  static func run(_ attack: HostileAttack, _ filled: FilledStack, seconds: Int) async throws
    -> (control: Side, ours: Side)
  {
    let stack = try filled.stack(flags: ["gateway": gatewayFlags])
    do {
      try await stack.start()
      let trial = try await HostileTrial(attack, stack, filled.folder, seconds: seconds)
      let control = try await trial.control()
      let ours = try await trial.ours()
      await stack.stop()
      return (control, ours)
    } catch {
      await stack.stop()
      throw error
    }
  }

  private init(_ attack: HostileAttack, _ stack: Stack, _ programs: URL, seconds: Int) async throws
  {
    (self.attack, self.stack, self.programs, self.seconds) = (attack, stack, programs, seconds)
    var ranks = Load()
    ranks.connections = Self.players
    ranks.players = Self.ranked
    load = try await ScriptedLoad(ranks, on: stack, programs: programs)
    accounts = try await attack.accounts(on: stack, programs: programs)
  }

  /// The attack takes from this machine what it takes, but not from our processes.
  private func control() async throws -> Side {
    let (server, port) = try await CServer.start(programs, on: stack)
    defer { server.signal(SIGKILL) }
    let side = try await beside("the C server", server, port: port)
    if let status = server.status {
      throw BenchFailure("The C server has ended with \(status): \(server.errors)")
    }
    return side
  }

  private func ours() async throws -> Side {
    do {
      let side = try await beside("us", nil, port: stack.gatewayPort)
      try await expectAlive()
      return side
    } catch {
      // Players whose gateway has ended say no more than that.
      try await expectAlive()
      throw error
    }
  }

  private func expectAlive() async throws {
    for name in stack.names {
      let process = try await stack.process(name)
      guard let status = process.status else { continue }
      throw BenchFailure("The attack has ended \(name) with \(status): \(process.errors)")
    }
  }

  private func beside(_ victim: String, _ server: ServerProcess?, port: UInt16) async throws
    -> Side
  {
    let players = try await load.start(
      on: stack, pace: Self.pace, seconds: seconds, pause: Self.pauseSeconds)
    defer { players.signal(SIGKILL) }
    var memory = try await StackMemory(stack)
    if let server { try memory.watch("C server", server) }
    let processors = try await StackProcessors(stack)
    let began = ContinuousClock.now
    let attacker = try attack.start(programs, port: port, accounts)
    defer { attacker.signal(SIGKILL) }
    let reports = try await Commands.jsons(FrameLoadReport.self, of: players)
    let elapsed = (ContinuousClock.now - began) / .seconds(1)
    guard reports.count == 2 else { throw BenchFailure("The players told \(reports.count) times.") }
    var used = processors.used()
    if let server { used.append(("C server", ProcessorTime.seconds(of: server.identifier))) }
    let servers = used.filter { ["gateway", "C server"].contains($0.name) }
    used.append(("attack", ProcessorTime.seconds(of: attacker.identifier)))
    let side = Side(
      alone: reports[0], beside: reports[1], grown: try memory.grown(),
      serverCores: servers.reduce(0) { $0 + $1.seconds } / elapsed)
    attacker.signal(SIGTERM)
    let did = try await Commands.json(HostileAttack.Report.self, of: attacker)
    try attack.expectDone(did, attacker)
    tell(victim, side, did, StackProcessors.text(used, over: elapsed, load: side.beside.loadCores))
    return side
  }

  private func tell(
    _ victim: String, _ side: Side, _ did: HostileAttack.Report, _ cores: String
  ) {
    Progress.say(
      String(
        format: "  %@ on %@: %.0f ranks/s, p99 %.0f us, at the most %.0f us, %.0f refused; "
          + "alone %.0f/s, p99 %.0f us, at the most %.0f us",
        attack.name, victim, side.beside.ops_per_second, side.beside.p99_us, side.beside.longest,
        side.beside.refusedCount, side.alone.ops_per_second, side.alone.p99_us, side.alone.longest))
    Progress.say(String(format: "    in %.1f s: ", did.seconds) + did.text)
    Progress.say("    cores: \(cores)")
    Progress.say("    memory at its most: " + StackMemory.text(side.grown))
  }
}
