import Foundation
import KillRounds
import Stack

// muster-soak [--rounds N] [--power-loss-rounds N] [--seconds-per-round N] [--players N]
//             [--partitions N] [--seed N] [--simulation-seeds N]

var options = SoakOptions()
var powerLossRounds = 50
var simulationSeeds = 1000
var rest = CommandLine.arguments.dropFirst()
while let flag = rest.popFirst() {
  guard let value = rest.popFirst().flatMap({ UInt64($0) }) else {
    print("muster-soak: \(flag) takes a number")
    exit(64)
  }
  switch flag {
  case "--rounds": options.rounds = max(1, Int(value))
  case "--power-loss-rounds": powerLossRounds = Int(value)
  case "--seconds-per-round": options.secondsPerRound = max(1, Int(value))
  case "--players": options.players = min(100, max(8, Int(value)))
  case "--partitions": options.partitions = max(1, Int(value))
  case "--seed": options.seed = value
  case "--simulation-seeds": simulationSeeds = Int(value)
  default:
    print("muster-soak: there is no option \(flag)")
    exit(64)
  }
}

/// Tells at once, also through a pipe.
@Sendable func tell(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }

/// Runs a tool that was built with this one and shows what it says; true when it succeeded.
func run(_ tool: String, _ arguments: [String]) async throws -> Bool {
  guard FileManager.default.isExecutableFile(atPath: Binaries.url(tool).path) else {
    tell("\(tool) was not built: skipped")
    return true
  }
  let process = try ServerProcess(
    name: tool, executable: Binaries.url(tool), arguments: arguments)
  let status = await process.ended()
  tell(process.output + process.errors)
  return status == 0
}

tell("soak: \(options.rounds) rounds of kills")
let report = try await Soak.run(options) { tell($0) }
for violation in report.violations.prefix(20) { tell("  violation: \(violation)") }
tell("soak: \(powerLossRounds) rounds of power loss")
let isDurable =
  powerLossRounds == 0
  ? true
  : try await run("powerloss", ["\(powerLossRounds)", "\(options.seed % 1_000_000_000 + 1)"])
tell("soak: \(simulationSeeds) seeds of the simulation")
let isSimulated =
  simulationSeeds == 0
  ? true : try await run("muster-simulate", ["--seeds", "\(simulationSeeds)"])
tell(
  "soak: \(report.rounds) rounds, \(report.kills) kills, \(report.counts); "
    + "\(report.violations.count) violations; power loss \(isDurable ? "passed" : "failed"); "
    + "simulation \(isSimulated ? "passed" : "failed")")
exit(report.violations.isEmpty && isDurable && isSimulated ? 0 : 1)
