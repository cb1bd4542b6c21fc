import CAllocations
import Foundation
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
  static func main() {
    let words = CommandLine.arguments.dropFirst()
    if words.contains("--help") || words.contains("-h") {
      return print(
        """
        usage: muster-allocations THRESHOLDS
        Runs each hot path, and fails where an operation allocates more often than the file allows.
        """)
    }
    guard let file = words.first, words.count == 1 else {
      end("usage: muster-allocations THRESHOLDS")
    }
    if file.hasPrefix("-") { end("there is no option \(file)") }
    guard let thresholds = try? Thresholds(file: file) else { end("\(file) cannot be read") }
    guard muster_allocations_are_counted() else {
      return print("SKIPPED: allocations are counted with the GNU C library, without sanitizers")
    }
    LoopThread.runHere(name: "allocations") { loop in
      do {
        let trial = Trial(
          [
            try LeaderboardPaths(on: loop).submit, try LeaderboardPaths(on: loop).rank,
            EchoPath(on: loop).forward, try MatchDataPath(on: loop).relay,
            try MatchDataPath(on: loop).fanOut, try MatchDataPath(on: loop).relayToSixteen,
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

  private static func end(_ fault: String) -> Never {
    FileHandle.standardError.write(Data("\(fault); see --help\n".utf8))
    exit(64)
  }
}
