package import Storage

extension StoreRound {
  /// Several lives of one store, each ended by a loss of power at a random call.
  package static func powerLoss(seed: UInt64, synchronous: SQLiteOptions.Synchronous = .full) throws
    -> (acknowledged: Int, folds: Int)
  {
    let round = StoreRound(seed: seed, synchronous: synchronous)
    do {
      for _ in 0..<4 { try round.liveUntilPowerLoss() }
    } catch {
      throw RoundFailure(description: "seed \(seed): \(error)")
    }
    return (round.acknowledged, round.folds)
  }

  private func liveUntilPowerLoss() throws {
    // Small numbers often, so that creation and the first steps are hit too.
    disk.arm(.power, at: random(1...(random(0...2) == 0 ? 80 : 1500)))
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
    disk.restorePower(seed: nextSeed())
    try openAndCheck()
    try commit()
    close()
  }

  private func randomStep() throws {
    switch random(0...19) {
    case 0...12: try commit()
    case 13...16: try fold()
    case 17...18: try read()
    default:
      close()
      try open()
    }
  }
}
