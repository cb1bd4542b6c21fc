import Domain
import Foundation
import LeaderboardCore
import Operations
import TestKit
import Testing
import Wire

@testable import muster_leaderboard

/// What the system knows of zones, held against dates that are known.
struct SystemCalendarTests {
  private let calendar = SystemCalendar()

  private func time(_ start: Int64, _ count: Int64, _ unit: RecurrenceUnit, _ zone: String) -> Int64
  {
    calendar.time(start, plus: count, unit, zone: zone)
  }

  @Test("4.2 zones are those that the system has data of")
  func zones() {
    for zone in ["UTC", "Europe/Lisbon", "America/New_York", "Australia/Lord_Howe"] {
      #expect(calendar.knows(zone: zone), "\(zone)")
    }
    for zone in [
      "", "Nowhere", "Europe/Atlantis", "Europe", "/Europe/Paris", "../zoneinfo/UTC", "localtime",
      "right/UTC", "zone.tab", "tzdata.zi", "Europe/Paris\0",
    ] {
      #expect(!calendar.knows(zone: zone), "\(zone)")
    }
  }

  @Test("4.2 days and weeks show the same on the clock when it is put forward or back")
  func daylightSaving() {
    // Noon in Lisbon on 2024-03-30; the clock goes forward in the night.
    #expect(time(1_711_800_000, 0, .days, "Europe/Lisbon") == 1_711_800_000)
    #expect(time(1_711_800_000, 1, .days, "Europe/Lisbon") == 1_711_800_000 + 23 * 3600)
    #expect(time(1_711_800_000, 2, .days, "Europe/Lisbon") == 1_711_800_000 + 47 * 3600)
    #expect(time(1_711_800_000, 1, .weeks, "Europe/Lisbon") == 1_711_800_000 + 167 * 3600)
    // Midnight in New York on 2024-11-02; 2024-11-03 has 25 hours.
    #expect(time(1_730_520_000, 1, .days, "America/New_York") == 1_730_606_400)
    #expect(time(1_730_520_000, 2, .days, "America/New_York") == 1_730_606_400 + 25 * 3600)
    // Nine o'clock on Lord Howe on 2024-04-06, where the clock goes back by half an hour.
    #expect(time(1_712_354_400, 1, .days, "Australia/Lord_Howe") == 1_712_442_600)
    #expect(time(1_712_354_400, 2, .days, "Australia/Lord_Howe") == 1_712_529_000)
    // Where it is never changed a day has 24 hours.
    #expect(time(1_711_800_000, 2, .days, "Asia/Kolkata") == 1_711_800_000 + 48 * 3600)
  }

  @Test("4.2 a time that is left out when the clock goes forward comes within the hour, in order")
  func missingHour() {
    // Half past two in New York on 2024-03-09; on the next day there is no such time.
    let start: Int64 = 1_709_969_400
    let missing = time(start, 1, .days, "America/New_York")
    #expect(missing >= 1_710_054_000 && missing <= 1_710_057_600, "\(missing)")
    #expect(time(start, 2, .days, "America/New_York") == 1_710_138_600)
  }

  @Test("4.2 months end on their last day where they are too short, counted from the start")
  func months() {
    // Six in the evening in Kolkata on the last days of January, February and March 2024.
    #expect(time(1_706_704_200, 1, .months, "Asia/Kolkata") == 1_709_209_800)
    #expect(time(1_706_704_200, 2, .months, "Asia/Kolkata") == 1_711_888_200)
    // Eight in the evening in New York on 2024-01-31, which is the next day in UTC; in March and
    // not in February the clock has gone forward; November has 30 days.
    #expect(time(1_706_749_200, 1, .months, "America/New_York") == 1_709_254_800)
    #expect(time(1_706_749_200, 2, .months, "America/New_York") == 1_711_929_600)
    #expect(time(1_706_749_200, 10, .months, "America/New_York") == 1_733_014_800)
  }

  @Test("4.2 a leap day comes back in leap years, and not in 2100")
  func leapDays() {
    // Midnight of 2024-02-29 and 2096-02-29.
    #expect(time(1_709_164_800, 12, .months, "UTC") == 1_740_700_800)
    #expect(time(1_709_164_800, 48, .months, "UTC") == 1_835_395_200)
    #expect(time(3_981_312_000, 48, .months, "UTC") == 4_107_456_000)
    #expect(time(3_981_312_000, 49, .months, "UTC") == 4_109_961_600)
    // Days and weeks count the leap day: 2023-12-31 plus 60 days, and 2024-02-28 plus a week.
    #expect(time(1_703_980_800, 60, .days, "UTC") == 1_709_164_800)
    #expect(time(1_709_164_800 - 86400, 1, .weeks, "UTC") == 1_709_164_800 + 6 * 86400)
  }

  @Test("4.2 in UTC it agrees with the core's own calendar; a zone that is gone counts as UTC")
  func agrees() {
    var random = RandomSource.seeded(11)
    for _ in 0..<2000 {
      let start = Int64.random(in: 0...7_258_118_400, using: &random)
      let count = Int64.random(in: 0...1000, using: &random)
      for unit in [RecurrenceUnit.seconds, .days, .weeks, .months] {
        let wanted = UTCCalendar().time(start, plus: count, unit, zone: "UTC")
        #expect(time(start, count, unit, "UTC") == wanted, "\(start) \(count) \(unit)")
        #expect(time(start, count, unit, "Nowhere") == wanted, "\(start) \(count) \(unit)")
      }
    }
  }

  @Test(
    "4.2 in zones of all kinds it agrees with Foundation's calendar, before and after the last change",
    arguments: [
      "Europe/Lisbon", "Europe/Dublin", "America/New_York", "America/Sao_Paulo", "Asia/Kolkata",
      "Asia/Tokyo", "Australia/Lord_Howe", "Pacific/Auckland", "Pacific/Chatham", "Etc/GMT+12",
      "EST",
    ])
  func agreesWithFoundation(zone: String) throws {
    var foundation = Calendar(identifier: .gregorian)
    foundation.timeZone = try #require(TimeZone(identifier: zone))
    var random = RandomSource.seeded(12)
    for _ in 0..<300 {
      // Up to 2069, well after the moments that files of zones have one by one.
      let start = Int64.random(in: 0...3_124_224_000, using: &random)
      let count = Int.random(in: 1...400, using: &random)
      let date = Date(timeIntervalSince1970: Double(start))
      for (unit, component) in [(RecurrenceUnit.days, Calendar.Component.day), (.months, .month)] {
        let wanted = try #require(foundation.date(byAdding: component, value: count, to: date))
        let found = time(start, Int64(count), unit, zone)
        #expect(found == Int64(wanted.timeIntervalSince1970), "\(start) \(count) \(unit)")
      }
    }
  }

  @Test(
    "4.2 bytes that are no zone are none, wherever they are cut or wrong",
    arguments: ["Europe/Dublin", "America/New_York"])
  func wrongBytes(zone: String) throws {
    let whole = try [UInt8](Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/\(zone)")))
    #expect(ZoneFile(whole) != nil)
    for length in stride(from: 0, to: whole.count, by: 7) {
      #expect(ZoneFile(Array(whole[..<length])) == nil, "\(length)")
    }
    var random = RandomSource.seeded(13)
    for _ in 0..<500 {
      var bytes = whole
      let place = Int.random(in: 0..<bytes.count, using: &random)
      bytes[place] = .random(in: 0...255, using: &random)
      // It may be another zone; what it says must not trap.
      if let file = ZoneFile(bytes) { _ = file.time(local: Int64.random(in: 0...1 << 33)) }
    }
  }

  @Test("4.2 the rule of a zone's last line")
  func rules() throws {
    let eastern = try #require(ZoneRule("EST5EDT,M3.2.0,M11.1.0"))
    #expect(eastern.offset(at: 1_710_053_999) == -5 * 3600)
    #expect(eastern.offset(at: 1_710_054_000) == -4 * 3600)
    #expect(eastern.offset(at: 1_730_613_599) == -4 * 3600)
    #expect(eastern.offset(at: 1_730_613_600) == -5 * 3600)
    // January 1 of 2024, the last second before its March 1, and that day: counted with and without
    // the leap day.
    let counted = try #require(ZoneRule("<+01>-1<+02>,0/0,59/0"))
    #expect(counted.offset(at: 1_704_063_600) == 2 * 3600)
    #expect(counted.offset(at: 1_709_164_800) == 3600)
    let common = try #require(ZoneRule("AAA-1BBB,J1/0,J60/0"))
    #expect(common.offset(at: 1_709_164_800) == 2 * 3600)
    #expect(common.offset(at: 1_709_251_200) == 3600)
    for text in ["", "E", "EST", "EST5EDT,", "EST5EDT,M3.2.0", "EST5EDT,M13.1.0,M11.1.0", "<+01-1"]
    {
      #expect(ZoneRule(text) == nil, "\(text)")
    }
  }

  @Test("4.2 a daily board in a zone begins anew at midnight there, also where a day has 25 hours")
  func board() throws {
    let world = World()
    world.driver.core.calendar = calendar
    try world.define { definition in
      definition.recurrence = Recurrence(.days, 1_730_520_000, 1, every: 1, "America/New_York")
    }
    world.driver.clock = 1_730_606_400_000
    try world.submit(1, as: Players.ada)
    world.driver.clock += 25 * 3_600_000 - 1
    #expect(try world.submit(2, as: Players.ada).entry.value == 2)
    world.driver.clock += 1
    #expect(try world.top().total == 0)
    #expect(try world.top(in: .back(1)).entries.map(\.value) == [2])
    expectRefusal(.invalidArgument, "zone") {
      try world.define("other") { $0.recurrence = Recurrence(.days, 0, 1, every: 1, "Nowhere") }
    }
  }
}
