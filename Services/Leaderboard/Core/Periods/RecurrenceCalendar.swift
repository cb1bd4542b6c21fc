public import Operations

/// Counts units of a calendar for recurring boards. A protocol, because rules need no files and no
/// zones' data: a server gives them the system's.
public protocol RecurrenceCalendar: Sendable {
  func knows(zone: String) -> Bool
  /// Returns the time, in seconds since 1970, when clocks in the zone show the time of day of
  /// `start` so many units later; in a month that is too short, on its last day.
  func time(_ start: Int64, plus count: Int64, _ unit: RecurrenceUnit, zone: String) -> Int64
}

/// The calendar of UTC, where every day has 24 hours: all that a core has by itself.
public struct UTCCalendar: RecurrenceCalendar {
  public init() {}

  public func knows(zone: String) -> Bool { zone == "UTC" }

  public func time(_ start: Int64, plus count: Int64, _ unit: RecurrenceUnit, zone: String)
    -> Int64
  {
    switch unit {
    case .days: return start + count * 86400
    case .weeks: return start + count * 7 * 86400
    case .months: return Self.time(start, plusMonths: count)
    default: return start + count
    }
  }

  /// The year of a time in seconds since 1970.
  public static func year(_ time: Int64) -> Int64 { civil(day(time)).year }

  private static func day(_ time: Int64) -> Int64 { time / 86400 - (time % 86400 < 0 ? 1 : 0) }

  private static func time(_ start: Int64, plusMonths count: Int64) -> Int64 {
    let day = day(start)
    var (year, month, dayOfMonth) = civil(day)
    let months = year * 12 + month - 1 + count
    (year, month) = (months / 12, months % 12 + 1)
    let following = days(months / 12 + (month == 12 ? 1 : 0), month == 12 ? 1 : month + 1, 1)
    dayOfMonth = min(dayOfMonth, following - days(year, month, 1))
    return days(year, month, dayOfMonth) * 86400 + (start - day * 86400)
  }

  // Days since 1970 and dates of the Gregorian calendar: Howard Hinnant, "chrono-Compatible
  // Low-Level Date Algorithms", for years from 0 on.

  /// Days from 1970-01-01 to a date; months and days count from 1.
  public static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let year = month <= 2 ? year - 1 : year
    let era = year / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = days + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth + (shiftedMonth < 10 ? 3 : -9)
    return (
      yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month,
      dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    )
  }
}

extension Occurrence {
  init(_ number: Int64, start: Int64 = 0, end: Int64 = 0) {
    self.init()
    self.number = number
    self.start = start
    self.end = end
  }
}

extension Recurrence {
  /// Occurrence `number` as the calendar has it today.
  func occurrence(_ number: Int64, _ calendar: any RecurrenceCalendar) -> Occurrence {
    Occurrence(
      number, start: time(number * interval, calendar) * 1000,
      end: time(number * interval + duration, calendar) * 1000)
  }

  private func time(_ count: Int64, _ calendar: any RecurrenceCalendar) -> Int64 {
    unit == .seconds ? start + count : calendar.time(start, plus: count, unit, zone: zone)
  }

  /// The number of the last occurrence that began at a time or before; nil before the first one.
  ///
  /// Guessed by the mean length of a unit, which no calendar leaves by more than a few days.
  func number(at milliseconds: Int64, _ calendar: any RecurrenceCalendar) -> Int64? {
    let seconds: Int64
    switch unit {
    case .days: seconds = 86400
    case .weeks: seconds = 7 * 86400
    case .months: seconds = 2_629_746
    default: seconds = 1
    }
    guard milliseconds >= start * 1000 else { return nil }
    var number = (milliseconds / 1000 - start) / (interval * seconds)
    while number > 0 && time(number * interval, calendar) * 1000 > milliseconds { number -= 1 }
    while time((number + 1) * interval, calendar) * 1000 <= milliseconds { number += 1 }
    return number
  }
}
