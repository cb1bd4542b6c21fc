import CAllocations
import Transport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// `muster-allocations THRESHOLDS`: runs each hot path some thousand times, prints how often one
/// operation allocates, and fails where that is more often than the file allows.
///
/// Everything is in this process: a service, as it is deployed but for a store in memory, answers
/// one call after the other over a connection in memory, for some paths behind a gateway's session.
/// What the loop's thread allocates is counted, for all ends; the committer's thread is not.
@main
enum AllocationsMain {
  static func main() throws {
    guard muster_allocations_are_counted() else {
      return print("SKIPPED: allocations are counted with the GNU C library, without sanitizers")
    }
    guard CommandLine.arguments.count == 2 else {
      print("usage: muster-allocations THRESHOLDS")
      exit(64)
    }
    let thresholds = try Thresholds(file: CommandLine.arguments[1])
    LoopThread.runHere(name: "allocations") { loop in
      do {
        let trial = Trial(
          [
            try LeaderboardPaths(on: loop).submit, try LeaderboardPaths(on: loop).rank,
            EchoPath(on: loop).forward, try MatchDataPath(on: loop).relay,
            try GatewayPaths(on: loop).rank, try GatewayPaths(on: loop).longSubmit,
          ])
        loop.keep(trial)
        trial.run { found in exit(thresholds.report(found) ? 0 : 1) }
      } catch {
        print("cannot begin: \(error)")
        exit(70)
      }
    }
  }
}
