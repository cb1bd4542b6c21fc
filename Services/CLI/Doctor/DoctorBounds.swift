/// From when on something is worth a look (yellow), or somebody has to get up (red).
enum DoctorBounds {
  /// Authorities that renew by themselves do so weeks before the end: less is left only where the
  /// renewal has failed.
  static let certificateDaysYellow: UInt64 = 14
  /// A weekend.
  static let certificateDaysRed: UInt64 = 3

  /// NTP keeps clocks within milliseconds; what is off by more than a second is not kept.
  static let clockMillisecondsYellow: Int64 = 1_000
  /// Past it players notice: what is due comes late, and a token seems to be from the future.
  static let clockMillisecondsRed: Int64 = 30_000
  /// What a process's own time may be ahead of the clock. Past it what is due comes late for hours;
  /// where the clock was set back, putting it right ends that at once.
  static let clockLeadMillisecondsMax: UInt64 = 300_000

  /// What a file system keeps for itself, and what an erasure needs, may be as much as this.
  static let diskPercentYellow: UInt64 = 10
  static let diskBytesYellow: UInt64 = 1 << 30
  /// Four times what the journal holds at most: minutes of changes.
  static let diskBytesRed: UInt64 = 256 << 20

  /// An effect is confirmed after milliseconds; a process that is started again is back by then.
  static let effectMillisecondsYellow: UInt64 = 60_000
  /// Whoever was to be told has noticed by now.
  static let effectMillisecondsRed: UInt64 = 600_000

  /// Batches are folded after seconds; an erasure's cleaning takes up to minutes.
  static let journalMillisecondsYellow: UInt64 = 300_000

  /// A batch is on a disk after milliseconds, on a slow and busy one after some hundred.
  static let commitMillisecondsRed: UInt64 = 5_000

  /// Of a minute of the loop's time, in thousandths. The others share what is left.
  static let busyPermilleYellow: UInt64 = 500
}
