import Storage

extension StoreRound {
  /// Runs a fixed course of a store's life in which one call of the file system fails.
  ///
  /// - Returns: whether the course has made that many calls.
  public static func failNth(_ call: Int, _ fault: FaultyDisk.Fault) throws -> Bool {
    let round = StoreRound(seed: 7)
    round.disk.arm(fault, at: call)
    do {
      do {
        try round.fixedCourse()
      } catch let error as StoreError where round.disk.hasFired {
        // A write that finds no room must be reported as `full`, and never as damage.
        if fault == .full && error != .full {
          throw RoundFailure(description: "a full disk was reported as \(error)")
        }
      }
      let hasFired = round.disk.hasFired
      round.close()
      round.disk.disarm()
      try round.openAndCheck()
      try round.commit()
      try round.fold()
      round.close()
      try round.openAndCheck()
      round.close()
      return hasFired
    } catch {
      throw RoundFailure(description: "\(fault) at call \(call): \(error)")
    }
  }

  private func fixedCourse() throws {
    try retryWhenFull { try open() }
    for step in 1...10 {
      try retryWhenFull { try commit() }
      if step % 3 == 0 { try retryWhenFull { try fold() } }
      if step % 4 == 0 { try read() }
      if step == 5 || step == 9 { try retryWhenFull { try clean() } }
      if step == 6 {
        close()
        try retryWhenFull { try open() }
      }
    }
  }

  /// Runs a step, and runs it again if the disk is full: the fault comes once, so the step must
  /// then work in the same process.
  private func retryWhenFull(_ step: () throws -> Void) throws {
    do {
      try step()
    } catch StoreError.full {
      try step()
    }
  }
}
