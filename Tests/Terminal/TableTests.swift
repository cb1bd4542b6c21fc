import Terminal
import Testing

@Suite struct TableTests {
  private let scores = Table(
    columns: [.init("rank", .right), .init("name", isFlexible: true), .init("value", .right)],
    rows: [["1", "Zoe\u{308}", "1100"], ["2", "日本語", "42"], ["10", "Ada", ""]])

  @Test("columns are aligned by what a terminal shows, and no line ends in spaces")
  func aligned() {
    #expect(
      scores.lines() == [
        "rank  name    value", "   1  Zoe\u{308}      1100", "   2  日本語     42",
        "  10  Ada",
      ])
    let names = Table(
      columns: [.init("name"), .init("note")], rows: [["Ada", ""], ["Ben", "away"]])
    #expect(names.lines() == ["name  note", "Ada", "Ben   away"])
  }

  @Test("what is too wide for the terminal is shortened in the columns that may be")
  func shortened() {
    let requests = Table(
      columns: [.init("from"), .init("message", isFlexible: true), .init("request")],
      rows: [["Ada", "Come and play with us tonight", "abcdefgh"], ["Ben", "日本語日本語", "ijkl"]])
    let lines = requests.lines(width: 24)
    #expect(
      lines == [
        "from  message   request", "Ada   Come an…  abcdefgh", "Ben   日本語…   ijkl",
      ])
    #expect(lines.allSatisfy { TextWidth.of($0) <= 24 })
  }

  @Test("a table that cannot be shortened enough is shown row by row, and an id stays whole")
  func blocks() {
    let lines = scores.lines(width: 12)
    #expect(
      lines == [
        "rank   1", "name   Zoe\u{308}", "value  1100", "", "rank   2", "name   日本語",
        "value  42", "", "rank   10", "name   Ada",
      ])
  }

  @Test("an empty table is its header")
  func empty() {
    #expect(Table(columns: [.init("name")], rows: []).lines() == ["name"])
  }

  @Test("no cell controls the terminal")
  func printable() {
    let table = Table(
      columns: [.init("name")], rows: [["\u{1b}[2J"], ["a\nb"], ["\u{202e}abc"], ["\u{9b}1m"]])
    #expect(
      table.lines() == ["name", "\u{fffd}[2J", "a\u{fffd}b", "\u{fffd}abc", "\u{fffd}1m"])
  }

  @Test("colours do not count as width")
  func painted() {
    let table = Table(
      columns: [.init("id", tone: .dim), .init("name")], rows: [["7", "Ada"]])
    #expect(
      table.lines(paint: Paint(isOn: true)) == [
        "\u{1b}[1mid\u{1b}[0m  \u{1b}[1mname\u{1b}[0m", "\u{1b}[2m7\u{1b}[0m   Ada",
      ])
  }
}
