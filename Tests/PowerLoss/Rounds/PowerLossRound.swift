import Storage

extension StoreRound {
  /// The lives of one store in a round.
  package static var livesPerRound: Int { 4 }

  /// Several lives of one store. Each ends at a random call: the power is lost, or only the process
  /// dies, and what it had not synced may be lost with the power later.
  package static func powerLoss(seed: UInt64, _ care: Care = .whole) throws
    -> (acknowledged: Int, folds: Int)
  {
    let round = StoreRound(seed: seed, care)
    do {
      for _ in 0..<livesPerRound { try round.liveUntilCrash() }
    } catch {
      throw RoundFailure(description: "seed \(seed): \(error)")
    }
    return (round.acknowledged, round.folds)
  }

  /// The process dies at a call of the store's creation. The next one completes the store, and then
  /// the power is lost.
  ///
  /// - Returns: whether the creation has made that many calls.
  package static func killInCreation(at call: Int) throws -> Bool {
    var hasFired = false
    for seed in 1...4 as ClosedRange<UInt64> {
      let round = StoreRound(seed: seed)
      round.disk.arm(.power, at: call)
      do {
        try round.open()
      } catch {
        if !round.disk.hasFired { throw error }
      }
      hasFired = round.disk.hasFired
      round.close()
      round.disk.restart()
      do {
        try round.openAndCheck()
        try round.commit()
        round.disk.cutPower()
        round.close()
        round.disk.restorePower(seed: round.nextSeed())
        try round.openAndCheck()
        round.close()
      } catch {
        throw RoundFailure(description: "killed at call \(call), seed \(seed): \(error)")
      }
    }
    return hasFired
  }

  private func liveUntilCrash() throws {
    // Small numbers often, so that creation and the first steps are hit too.
    disk.arm(.power, at: random(1...[12, 80, 1500, 1500][random(0...3)]))
    do {
      try open()
      for _ in 0..<random(10...120) { try randomStep() }
    } catch let failure as RoundFailure {
      throw failure
    } catch {
      if !disk.hasFired { throw error }
    }
    disk.cutPower()
    close()
    if random(0...3) == 0 { disk.restart() } else { disk.restorePower(seed: nextSeed()) }
    try openAndCheck()
    try commit()
    close()
  }

  private func randomStep() throws {
    switch random(0...39) {
    case 0...25: try commit()
    case 26...33: try fold()
    case 34...37: try read()
    case 38: try clean()
    default:
      close()
      try open()
    }
  }
}
