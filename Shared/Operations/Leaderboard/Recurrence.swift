public import Wire

/// How a board starts anew: a sequence of occurrences, each with a ranking of its own.
///
/// Occurrence n (from 0) lasts from `start + n * interval` for `duration`; scores that come in the
/// gap until the next one are refused. With a unit of the calendar, start, interval and duration are
/// counted as a clock in the zone shows them, so that a day may have 23 or 25 hours.
public struct Recurrence: Message, Hashable {
  public var unit = RecurrenceUnit()
  /// Seconds since 1970, UTC, at which occurrence 0 begins.
  public var start: Int64 = 0
  /// In units, at least 1.
  public var duration: Int64 = 0
  /// In units, from one start to the next; at least the duration.
  public var interval: Int64 = 0
  /// An IANA name, such as `Europe/Lisbon`, for units of the calendar; empty for seconds.
  public var zone = ""
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("unit", &unit)
    visit.field("start", &start)
    visit.field("duration", &duration)
    visit.field("interval", &interval)
    visit.field("zone", &zone)
  }
}

/// What a recurrence counts in.
public struct RecurrenceUnit: OpenEnum {
  public var rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let seconds = Self(rawValue: 0)
  public static let days = Self(rawValue: 1)
  public static let weeks = Self(rawValue: 2)
  public static let months = Self(rawValue: 3)

  public static let names = ["seconds", "days", "weeks", "months"]
}

extension Recurrence {
  /// The first rule that the recurrence breaks by itself. Whether the zone exists, the server knows.
  public var fault: Failure? {
    func fault(_ argument: String, _ text: String) -> Failure {
      Failure(.invalidArgument, argument: argument, text)
    }
    guard unit.isKnown else { return .unknownTerm("unit", unit) }
    guard start >= 0, start <= LeaderboardLimits.secondsMax else {
      return fault("start", "A recurrence starts between 1970 and 9999.")
    }
    let lengthMax =
      unit == .seconds ? LeaderboardLimits.secondsMax : LeaderboardLimits.recurrenceUnitsMax
    guard duration >= 1 else { return fault("duration", "An occurrence lasts at least one unit.") }
    guard interval >= duration, interval <= lengthMax else {
      return fault("interval", "The interval is at least the duration and at most \(lengthMax).")
    }
    guard zone.utf8.count <= LeaderboardLimits.zoneBytesMax, zone.isEmpty == (unit == .seconds)
    else { return fault("zone", "A zone goes with units of the calendar, and they need one.") }
    return nil
  }
}

/// One occurrence of a board.
public struct Occurrence: Message, Hashable {
  /// From 0.
  public var number: Int64 = 0
  /// Milliseconds since 1970: the first at which scores are taken, and the first at which they are
  /// not any more.
  public var start: Int64 = 0
  public var end: Int64 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("number", &number)
    visit.field("start", &start)
    visit.field("end", &end)
  }
}
