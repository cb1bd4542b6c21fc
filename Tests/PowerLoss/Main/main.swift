import Foundation
import Storage
import StoreRounds

let usage = """
  usage: powerloss [ROUNDS] [FIRST-SEED]
         powerloss measure [DIRECTORY]
  The first makes many rounds (200) of crashes, for `make soak`, and ends with 1 when something was lost
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

func run(_ count: UInt64, _ care: StoreRound.Care) -> [String] {
  var failures: [String] = []
  var (acknowledged, folds) = (0, 0)
  for seed in firstSeed..<firstSeed + count {
    do {
      let round = try StoreRound.powerLoss(seed: seed, care)
      acknowledged += round.acknowledged
      folds += round.folds
    } catch {
      failures.append("\(error)")
    }
  }
  print(
    "powerloss, synced: \(care.name): \(count) rounds from seed \(firstSeed), "
      + "\(count * UInt64(StoreRound.livesPerRound)) crash points, \(acknowledged) batches "
      + "acknowledged, \(folds) folds, \(failures.count) rounds with a loss")
  return failures
}

let failures = run(rounds, .whole)
for failure in failures.prefix(10) { print("  \(failure)") }
var isProof = true
for care in StoreRound.Care.lacking {
  let losses = run(min(rounds, 40), care)
  for loss in losses.prefix(2) { print("  as it should: \(loss)") }
  if losses.isEmpty {
    isProof = false
    print("  without these syncs nothing was lost: the rounds prove nothing")
  }
}
exit(failures.isEmpty && isProof ? 0 : 1)
