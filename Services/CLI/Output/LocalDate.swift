#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A date as people read it: in the time zone of whoever runs the command, and in an order that
/// means the same everywhere.
enum LocalDate {
  enum Precision: String {
    case minute = "%Y-%m-%d %H:%M"
    case second = "%Y-%m-%d %H:%M:%S"
    /// The time of a day.
    case day = "%H:%M:%S"
  }

  /// The names of fields whose number is a time in milliseconds since 1970.
  static let names: Set<String> = [
    "time", "date", "sent", "createdAt", "lastActiveAt", "issueDate", "completionDate",
    "expiryDate", "lastReportedDate", "expiresAt", "dueAt", "startedAt", "turnStartedAt",
    "endedAt", "created", "expires", "linkedAt", "addedAt", "lastSignIn", "began", "lastUsed",
    "since", "startDate", "endDate", "until",
  ]

  /// Returns the number itself where no calendar has such a date.
  static func text(_ milliseconds: Int64, _ precision: Precision) -> String {
    var seconds = time_t(milliseconds / 1000)
    var parts = unsafe tm()
    var bytes = [UInt8](repeating: 0, count: 64)
    guard unsafe localtime_r(&seconds, &parts) != nil else { return "\(milliseconds)" }
    let count = unsafe bytes.withUnsafeMutableBytes { buffer in
      unsafe strftime(
        buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count, precision.rawValue,
        &parts)
    }
    return count == 0 ? "\(milliseconds)" : String(decoding: bytes[..<count], as: UTF8.self)
  }

  /// Returns the time alone of what happened on the day of `now`.
  static func text(_ milliseconds: Int64, seenAt now: Int64) -> String {
    let (date, today) = (text(milliseconds, .second), text(now, .second))
    return date.prefix(10) == today.prefix(10) ? text(milliseconds, .day) : date
  }

  static var now: Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}
