import Domain
import Testing
import Wire

@Suite("Page cursors")
struct PageCursorTests {
  @Test("A cursor survives its text, also at the ends of both numbers")
  func text() {
    for time in [Int64.min, -1, 0, 1, 1_795_236_453_812, .max] {
      for id in [PlayerID(), PlayerID(high: .max, low: .max), PlayerID(high: 1, low: 2)] {
        let cursor = PageCursor(time: time, id: id)
        #expect(PageCursor<PlayerKind>(cursor.text) == cursor)
      }
    }
  }

  @Test("Texts that are no cursors give none")
  func strangers() {
    let text = PageCursor(time: 7, id: PlayerID(high: 1, low: 2)).text
    let odd = String(text.dropLast()) + "\u{e9}"
    for text in ["", "x", String(text.dropLast()), text + "0", odd, text.uppercased() + "!"] {
      #expect(PageCursor<PlayerKind>(text) == nil)
    }
    #expect(PageCursor<PlayerKind>(String(repeating: "7", count: 52)) == nil)
  }
}
