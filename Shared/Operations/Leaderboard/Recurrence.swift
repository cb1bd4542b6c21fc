public import Wire

/// When a board starts anew: a sequence of occurrences, each with a ranking of its own.
///
/// Occurrence n (from 0) begins at `start + n * interval` and lasts for `duration`. A score that
/// comes in the gap before the next one is refused. With a unit of the calendar, start, interval
/// and duration are counted as a clock in the zone shows them, so a day may have 23 or 25 hours.
public struct Recurrence: Message, Hashable {
  public var unit = RecurrenceUnit()
  /// When occurrence 0 begins, in seconds since 1970 (UTC).
  public var start: Int64 = 0
  /// How long an occurrence lasts, in units; at least 1.
  public var duration: Int64 = 0
  /// The units from one start to the next; at least the duration.
  public var interval: Int64 = 0
  /// For units of the calendar, the IANA name of the zone, such as `Europe/Lisbon`; empty for
  /// seconds.
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

/// The unit in which a recurrence counts.
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
  /// The first rule that the recurrence breaks, as far as it alone shows it; nil when there is
  /// none. Only the server knows whether the zone exists.
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
  /// The occurrence's number, from 0.
  public var number: Int64 = 0
  /// The first millisecond since 1970 at which scores are taken.
  public var start: Int64 = 0
  /// The first millisecond since 1970 at which scores are not taken any more.
  public var end: Int64 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("number", &number)
    visit.field("start", &start)
    visit.field("end", &end)
  }
}
