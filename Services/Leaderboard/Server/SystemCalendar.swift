import LeaderboardCore
import Locking
import Operations
import ServiceKit

/// The calendar that the system knows: its tz database, as it was when a zone was first asked for.
///
/// Read here rather than asked of Foundation, whose own copy of the world's calendars is four times
/// as large as the rest of the program; and a zone's new rules come with the system's updates.
struct SystemCalendar: RecurrenceCalendar {
  private static let folder = "/usr/share/zoneinfo"

  private let zones = Locked<[String: ZoneFile?]>([:])

  func knows(zone: String) -> Bool { file(zone) != nil }

  func time(_ start: Int64, plus count: Int64, _ unit: RecurrenceUnit, zone: String) -> Int64 {
    guard unit != .seconds, let file = file(zone) else {
      // A zone that is not known any more counts as UTC: the board goes on.
      return UTCCalendar().time(start, plus: count, unit, zone: zone)
    }
    if count == 0 { return start }
    let local = start + file.offset(at: start)
    return file.time(local: UTCCalendar().time(local, plus: count, unit, zone: zone))
  }

  private func file(_ zone: String) -> ZoneFile? {
    zones.withLock { zones in
      if let known = zones[zone] { return known }
      let file = Self.isName(zone) ? SystemFile.bytes(of: "\(Self.folder)/\(zone)") : nil
      let read = file.flatMap { ZoneFile($0) }
      // Names come from games' declarations: only those of zones are kept, so that the list is
      // short.
      if let read { zones[zone] = read }
      return read
    }
  }

  /// The database's names begin with a capital letter, which what else lies in its folder does not,
  /// and have letters, digits, `_`, `+`, `-` and slashes, so that none leads out of the folder.
  private static func isName(_ zone: String) -> Bool {
    guard let first = zone.first, ("A"..."Z").contains(first) else { return false }
    return zone.allSatisfy { character in
      character.isASCII && (character.isLetter || character.isNumber || "_+-/".contains(character))
    }
  }
}
