import Foundation
import MusterKit
import Testing

@testable import muster

@Suite struct RecordTextTests {
  @Test("a player's id has the name beside it, a date is the local one, a list is a table")
  func record() {
    let ben = PlayerID(high: 1, low: 2)
    let tree = Tree.object([
      .init(name: "inviter", value: .text(ben.description)),
      .init(name: "createdAt", value: .integer(1_795_783_669_784)),
      .init(
        name: "boards",
        value: .list([
          .object([.init(name: "board", value: .text("laps"))]),
          .object([.init(name: "board", value: .text("a\u{1b}[2J"))]),
        ])),
    ])
    let text = RecordText(reading: Reading(namesAskedFor: [ben: "Ben"]))
    #expect(
      text.lines(tree) == [
        "inviter: \(ben) (Ben)",
        "createdAt: \(LocalDate.text(1_795_783_669_784, .second))",
        "boards:", "  board", "  laps", "  a\u{fffd}[2J",
      ])
  }

  @Test("dates are those of the time zone of whoever reads")
  func dates() {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.dateFormat = "yyyy-MM-dd HH:mm:ss"
    for milliseconds in [1_795_783_669_784, 1_700_000_000_000, 1] as [Int64] {
      let expected = formatter.string(
        from: Date(timeIntervalSince1970: Double(milliseconds / 1000)))
      #expect(LocalDate.text(milliseconds, .second) == expected)
    }
  }

  @Test("what happened today is told by its time alone")
  func today() {
    let now: Int64 = 1_795_783_669_784
    #expect(LocalDate.text(now, seenAt: now) == LocalDate.text(now, .day))
    let before = now - 3 * 86_400_000
    #expect(LocalDate.text(before, seenAt: now) == LocalDate.text(before, .second))
  }
}
