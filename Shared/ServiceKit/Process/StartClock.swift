public import Domain

extension NumberSetting {
  /// Nobody misses a service for longer without knowing why; a clock that is wrong is mostly wrong
  /// by years.
  public static let clockAheadMax = NumberSetting(
    "clock-ahead-days", .days, default: 30, 1...36_500,
    "How much later than the store's last change the machine's clock may be at a start. Past it "
      + "the clock counts as wrong, since a wrong time that was written down cannot be taken back.")
  public static let clockBehindMax = NumberSetting(
    "clock-behind-hours", .hours, default: 24, 1...876_000,
    "How much earlier than the store's last change the machine's clock may be at a start. Time "
      + "goes on more slowly then, until the clock has caught up.")
}

/// Compares the machine's clock with the store's last change, before anything is dated by it.
enum StartClock {
  static let settings: [NumberSetting] = [.clockAheadMax, .clockBehindMax]

  /// Returns the clock by which a process goes on from a reading that was checked, however long
  /// the process loads after it.
  ///
  /// - Parameters:
  ///   - wall: the machine's clock, in milliseconds since 1970.
  ///   - microseconds: of the monotonic clock, read with it.
  static func begin(
    wall: Int64, microseconds: UInt64, lastTime: Int64, _ settings: SettingValues
  ) throws(ProcessShell.Fatal) -> SteadyClock {
    try check(wall, lastTime: lastTime, settings)
    let isBehind = lastTime - wall > ClockTrust.gainMillisecondsMax
    return SteadyClock(
      time: max(lastTime, wall), microseconds: microseconds,
      allowance: isBehind ? .behind(millisecondsMax: settings[.clockAheadMax]) : nil)
  }

  /// - Parameter lastTime: 0 for a store without a change, which every clock fits.
  static func check(_ clock: Int64, lastTime: Int64, _ settings: SettingValues)
    throws(ProcessShell.Fatal)
  {
    if lastTime == 0 { return }
    let ahead = clock - lastTime
    let times = (clock: Log.time(clock), store: Log.time(lastTime))
    if ahead > settings[.clockAheadMax] {
      let days = ahead / (24 * 3_600_000) + 1
      throw ProcessShell.Fatal(
        .unavailable,
        "The machine's clock says \(times.clock), and the last change of the store is of "
          + "\(times.store). Put the clock right; or, if it is right, run it once with "
          + "--clock-ahead-days \(days).")
    }
    if -ahead > settings[.clockBehindMax] {
      let hours = -ahead / 3_600_000 + 1
      throw ProcessShell.Fatal(
        .unavailable,
        "The machine's clock says \(times.clock), and the last change of the store is of "
          + "\(times.store), which is later. Put the clock right; or, if it is right, restore a "
          + "backup from before the wrong time, or run it once with --clock-behind-hours "
          + "\(hours): time then goes on from the store's.")
    }
  }
}
