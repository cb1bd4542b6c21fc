import Foundation

/// Seeds of random tests.
enum Seed {
  /// The one that `MUSTER_SEED` names, or a new one; printed, so that a run can be made again.
  static func drawn() -> UInt64 {
    let wanted = ProcessInfo.processInfo.environment["MUSTER_SEED"].flatMap { UInt64($0) }
    let seed = wanted ?? .random(in: 1 ... .max)
    print("MUSTER_SEED=\(seed)")
    return seed
  }
}
