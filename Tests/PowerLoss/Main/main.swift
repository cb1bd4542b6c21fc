import Foundation
import Storage
import StoreRounds

let usage = """
  usage: powerloss [ROUNDS] [FIRST-SEED]
         powerloss measure [DIRECTORY]
  The first makes many losses of power (200), for `make soak`, and ends with 1 when something was lost
  that was promised. The second measures the store on the disk of a directory.
  """

if CommandLine.arguments.contains("--help") {
  print(usage)
  exit(0)
}

if CommandLine.arguments.dropFirst().first == "measure" {
  let directory = CommandLine.arguments.dropFirst(2).first ?? NSTemporaryDirectory()
  try Measurement().run(in: directory) { print($0) }
  exit(0)
}

let arguments = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
let rounds = arguments.first ?? 200
let firstSeed = arguments.dropFirst().first ?? .random(in: 1...1_000_000_000)

func run(_ count: UInt64, _ synchronous: SQLiteOptions.Synchronous) -> [String] {
  var failures: [String] = []
  var (acknowledged, folds) = (0, 0)
  for seed in firstSeed..<firstSeed + count {
    do {
      let round = try StoreRound.powerLoss(seed: seed, synchronous: synchronous)
      acknowledged += round.acknowledged
      folds += round.folds
    } catch {
      failures.append("\(error)")
    }
  }
  print(
    "powerloss synchronous=\(synchronous.rawValue): \(count) rounds from seed \(firstSeed), "
      + "\(acknowledged) batches acknowledged, \(folds) folds, \(failures.count) failures")
  return failures
}

let failures = run(rounds, .full)
for failure in failures.prefix(10) { print("  \(failure)") }
var isProof = true
for synchronous in [SQLiteOptions.Synchronous.normal, .off] {
  let losses = run(min(rounds, 40), synchronous)
  for loss in losses.prefix(2) { print("  as it should: \(loss)") }
  if losses.isEmpty {
    isProof = false
    print("  without the syncs nothing was lost: the rounds prove nothing")
  }
}
exit(failures.isEmpty && isProof ? 0 : 1)
