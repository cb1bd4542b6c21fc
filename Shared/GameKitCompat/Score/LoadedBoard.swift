internal import Foundation
internal import MusterKit

/// What the server has said of a board.
struct LoadedBoard {
  var definition: LeaderboardDefinition
  /// The occurrence that was open or, in a gap, was open last when the server was asked; nil on a
  /// board that does not recur.
  var current: Occurrence?
  var previous: Occurrence?

  init(_ reply: DescribeLeaderboard.Reply) {
    definition = reply.definition
    (current, previous) = (reply.current, reply.previous)
  }

  /// The occurrences that can still be read before the one with this number, the latest first.
  func readable(before number: Int64) -> [Occurrence] {
    guard let current, let recurrence = definition.recurrence else { return [] }
    let first = max(0, current.number - 1 - Int64(definition.olderOccurrencesKept))
    return stride(from: number - 1, through: first, by: -1).compactMap { number in
      number == previous?.number ? previous : recurrence.occurrence(number)
    }
  }
}

extension Recurrence {
  /// Returns an occurrence by this device's rules of time zones; nil where it does not know the
  /// zone.
  func occurrence(_ number: Int64) -> Occurrence? {
    let units = number * interval
    guard let start = time(afterUnits: units), let end = time(afterUnits: units + duration)
    else { return nil }
    var occurrence = Occurrence()
    (occurrence.number, occurrence.start, occurrence.end) = (number, start, end)
    return occurrence
  }

  /// Returns the time so many units after the start, in milliseconds since 1970.
  private func time(afterUnits units: Int64) -> Int64? {
    guard unit != .seconds else { return (start + units) * 1000 }
    guard let zone = TimeZone(identifier: zone) else { return nil }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    let component: Calendar.Component = unit == .months ? .month : .day
    let count = Int(clamping: unit == .weeks ? units * 7 : units)
    let date = calendar.date(
      byAdding: component, value: count, to: Date(timeIntervalSince1970: Double(start)))
    return date.map { Int64(($0.timeIntervalSince1970 * 1000).rounded()) }
  }
}
