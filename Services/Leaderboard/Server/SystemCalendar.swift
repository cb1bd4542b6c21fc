import Foundation
import LeaderboardCore
import Operations

/// The calendar that the system knows, with the zones' data of today.
struct SystemCalendar: RecurrenceCalendar {
  func knows(zone: String) -> Bool { TimeZone(identifier: zone) != nil }

  func time(_ start: Int64, plus count: Int64, _ unit: RecurrenceUnit, zone: String) -> Int64 {
    var calendar = Calendar(identifier: .gregorian)
    // A zone that is not known any more counts as UTC: the board goes on.
    calendar.timeZone = TimeZone(identifier: zone) ?? .gmt
    let component: Calendar.Component
    let step: Int
    switch unit {
    case .months: (component, step) = (.month, 1)
    case .weeks: (component, step) = (.day, 7)
    case .days: (component, step) = (.day, 1)
    default: return start + count
    }
    let date = calendar.date(
      byAdding: component, value: Int(count) * step,
      to: Date(timeIntervalSince1970: Double(start)))
    return date.map { Int64($0.timeIntervalSince1970) } ?? start + count
  }
}
