import LeaderboardCore

/// The rule by which a zone's clocks go on for ever, as the variable TZ of POSIX has it:
/// `CET-1CEST,M3.5.0,M10.5.0/3` says one hour east of UTC, two from the last Sunday of March at two
/// o'clock to the last Sunday of October at three.
struct ZoneRule: Sendable {
  /// A day of the year, and a time in seconds after its midnight, by the clock that is put.
  private struct Change: Sendable {
    var day: Day
    var seconds: Int64
  }

  private enum Day: Sendable {
    /// A month, which week of it (5 is the last one), and a day of the week from Sunday on.
    case weekday(month: Int64, week: Int64, day: Int64)
    /// Days after January 1; February 29 counts.
    case ofYear(Int64)
    /// From 1 on; February 29 never counts.
    case ofCommonYear(Int64)
  }

  private var standard: Int64
  /// The offset in summer, when it begins and when it ends.
  private var summer: (offset: Int64, start: Change, end: Change)?

  /// Nil when the text is no rule.
  init?(_ text: String) {
    var parser = RuleParser(text)
    guard parser.skipName(), let west = parser.time() else { return nil }
    standard = -west
    if parser.isAtEnd { return }
    guard parser.skipName() else { return nil }
    let offset = parser.isAt(",") ? standard + 3600 : parser.time().map { -$0 }
    guard let offset, let start = Self.change(&parser), let end = Self.change(&parser),
      parser.isAtEnd
    else { return nil }
    summer = (offset, start, end)
  }

  private static func change(_ parser: inout RuleParser) -> Change? {
    guard parser.take(",") else { return nil }
    let day: Day
    if parser.take("M") {
      guard let month = parser.number(), parser.take("."), let week = parser.number(),
        parser.take("."), let weekday = parser.number(), (1...12).contains(month)
      else { return nil }
      day = .weekday(month: month, week: week, day: weekday)
    } else if parser.take("J") {
      guard let number = parser.number() else { return nil }
      day = .ofCommonYear(number)
    } else {
      guard let number = parser.number() else { return nil }
      day = .ofYear(number)
    }
    guard parser.take("/") else { return Change(day: day, seconds: 2 * 3600) }
    return parser.time().map { Change(day: day, seconds: $0) }
  }

  /// Seconds east of UTC at a time in seconds since 1970.
  func offset(at time: Int64) -> Int64 {
    guard let summer else { return standard }
    // The year that the zone's clocks show; its changes are days away from where years meet.
    let year = UTCCalendar.year(time + standard)
    let start = moment(summer.start, year) - standard
    let end = moment(summer.end, year) - summer.offset
    // South of the equator summer lasts over the end of the year.
    let isSummer = start < end ? time >= start && time < end : time >= start || time < end
    return isSummer ? summer.offset : standard
  }

  /// A change in a year, as if clocks were those of UTC.
  private func moment(_ change: Change, _ year: Int64) -> Int64 {
    let day: Int64
    switch change.day {
    case .ofYear(let number): day = UTCCalendar.days(year, 1, 1) + number
    case .ofCommonYear(let number):
      let isLeap = UTCCalendar.days(year, 3, 1) - UTCCalendar.days(year, 2, 1) == 29
      day = UTCCalendar.days(year, 1, 1) + number - (isLeap && number >= 60 ? 0 : 1)
    case .weekday(let month, let week, let weekday):
      let first = UTCCalendar.days(year, month, 1)
      // 1970 began on a Thursday.
      var found = first + ((weekday - first - 4) % 7 + 7) % 7 + (week - 1) * 7
      let following = UTCCalendar.days(month == 12 ? year + 1 : year, month % 12 + 1, 1)
      if found >= following { found -= 7 }
      day = found
    }
    return day * 86400 + change.seconds
  }
}

/// Takes the parts of a rule from its text, one after the other.
private struct RuleParser {
  private var rest: Substring.UTF8View

  init(_ text: String) { rest = text[...].utf8 }

  var isAtEnd: Bool { rest.isEmpty }

  func isAt(_ character: Unicode.Scalar) -> Bool { rest.first == UInt8(ascii: character) }

  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard isAt(character) else { return false }
    rest.removeFirst()
    return true
  }

  /// Letters, or anything between angle brackets.
  mutating func skipName() -> Bool {
    if take("<") {
      rest = rest.drop { $0 != UInt8(ascii: ">") }
      return take(">")
    }
    let length = rest.prefix { $0 | 0x20 >= UInt8(ascii: "a") && $0 | 0x20 <= UInt8(ascii: "z") }
      .count
    rest = rest.dropFirst(length)
    return length >= 3
  }

  mutating func number() -> Int64? {
    let digits = rest.prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
    guard !digits.isEmpty, digits.count <= 4 else { return nil }
    rest = rest.dropFirst(digits.count)
    return digits.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
  }

  /// Hours, with minutes and seconds where they are said, in seconds.
  mutating func time() -> Int64? {
    let isNegative = take("-")
    if !isNegative { _ = take("+") }
    guard var seconds = number().map({ $0 * 3600 }) else { return nil }
    for unit: Int64 in [60, 1] where take(":") {
      guard let count = number() else { return nil }
      seconds += count * unit
    }
    return isNegative ? -seconds : seconds
  }
}
