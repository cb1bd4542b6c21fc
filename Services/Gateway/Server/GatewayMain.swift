import GatewayCore
import ServiceKit
import Transport
import Wire

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@main
enum GatewayMain {
  static let program = "muster-gateway"

  static func main() async {
    let (configuration, task, faults) = ProcessShell.request(
      program: program, summary: "the one door of Muster, the social backend for games",
      settings: GatewaySettings.all)
    if task == StartCheck.task { GatewayCheck.run(configuration, faults) }
    let log = ProcessShell.log(configuration, source: program)
    do {
      var plan = try GatewayPlan(configuration)
      ProcessShell.logStart(log)
      let places = Descriptors.connections(plan.connectionsMax, of: Descriptors.raiseLimit())
      if places < plan.connectionsMax {
        log.warning(
          "fewer connections than wanted: raise the limit of open files",
          ["wanted": "\(plan.connectionsMax)", "places": "\(places)"])
        plan.connectionsMax = places
      }
      let threads = (1...plan.loops).map { LoopThread(name: "gateway/\($0)") }
      let (ended, end) = AsyncStream.makeStream(of: ProcessShell.ExitCode.self)
      try await start(threads, plan, configuration, log) { end.yield($0) }
      for await code in ended { exit(code.rawValue) }
      // A loop runs for as long as somebody holds its thread.
      withExtendedLifetime(threads) {}
    } catch {
      ProcessShell.end(program, error)
    }
  }

  private static func watches(on threads: [LoopThread], _ plan: GatewayPlan, _ log: Log) async
    -> ServiceWatches
  {
    let counts = plan.services.mapValues(\.count)
    return await threads[0].run { loop in
      let watches = ServiceWatches(
        counts, loops: threads.count, log: log, now: loop.monotonicMilliseconds)
      watches.start(on: loop)
      return watches
    }
  }

  static func proofDesk(_ plan: IdentityPlan) throws -> SharedProofDesk? {
    plan.providers.isEmpty ? nil : try SharedProofDesk(plan)
  }

  /// Takes the port first and connects to services last: a gateway that cannot start bothers
  /// nobody.
  private static func start(
    _ threads: [LoopThread], _ plan: GatewayPlan, _ configuration: Configuration, _ log: Log,
    end: @escaping @Sendable (ProcessShell.ExitCode) -> Void
  ) async throws {
    let tls = try GatewayTLS(plan)
    do {
      _ = try tls.checkOwnCertificates()
    } catch { log.error("others will not take a certificate", ["reason": error.text]) }
    let limits = SharedLimits(plan)
    let clock = GuardedClock(log: log)
    let life = try await threads[0].run { loop in
      let life = try GatewayLife(
        loop: loop, plan: plan, configuration, hosts: limits, terms: tls.terms, log: log, end: end)
      loop.keep(life)
      return life.news
    }
    let proofs = try proofDesk(plan.identities)
    let watches = await watches(on: threads, plan, log)
    var mailboxes: [Mailbox<GatewayLoop.Message>] = []
    for (index, thread) in threads.enumerated() {
      let tls = tls.loops[index]
      mailboxes.append(
        await thread.run { loop in
          let own = GatewayLoop(
            loop: loop, number: index + 1, plan: plan, tls, limits, proofs: proofs, clock: clock,
            watches: watches, life: life, log: log)
          loop.keep(own)
          return own.mailbox
        })
    }
    await threads[0].run { [mailboxes] loop in
      loop.keptObject(GatewayLife.self)?.serve(with: mailboxes)
    }
  }
}
