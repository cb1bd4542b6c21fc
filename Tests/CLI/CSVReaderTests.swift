import MusterKit
import Testing

@testable import muster

/// Files of values as PostgreSQL writes them.
@Suite struct CSVReaderTests {
  private func rows(_ text: String, _ columns: String...) throws -> [[String]] {
    var reader = try CSVReader(Array(text.utf8), required: columns)
    var rows: [[String]] = []
    while let row = try reader.next() { rows.append(columns.map { row[$0] }) }
    return rows
  }

  @Test(
    "quotes, commas and line ends within values, whatever ends the lines",
    arguments: [
      ("a,b\n1,2\n", [["1", "2"]]), ("a,b\r\n1,2\r\n3,4", [["1", "2"], ["3", "4"]]),
      ("b,x,a\n2,9,1\n", [["1", "2"]]), ("a,b\n", []),
      ("a,b\n\"\",\n", [["", ""]]),
      ("a,b\n\"x,\"\"y\"\"\",\"1\n2\r\n\"\n", [["x,\"y\"", "1\n2\r\n"]]),
      ("\u{FEFF}a,b\n\"a\",\"\"\"\"\n", [["a", "\""]]), ("a,b\n👩‍🚀,ü\n", [["👩‍🚀", "ü"]]),
    ])
  func values(_ text: String, _ expected: [[String]]) throws {
    #expect(try rows(text, "a", "b") == expected)
  }

  @Test(
    "what is wrong is told, with the line on which the row begins",
    arguments: [
      ("a\n1\n", 1, "no column b"), ("a,b\n1\n", 2, "2 values are expected, not 1"),
      ("a,b\n\"1\n\n\",2\n3,4,5\n", 5, "not 3"), ("a,b\n1,\"2\n", 2, "never closed"),
      ("a,b\n1,\"2\"3\n", 2, "behind the quote"), ("a,b\n1,2\"\n", 2, "a quote within"),
      ("", 1, "no column a"),
    ])
  func faults(_ text: String, _ line: Int, _ reason: String) {
    let fault = #expect(throws: CSVReader.Fault.self) { try rows(text, "a", "b") }
    #expect(fault?.line == line)
    #expect(fault?.text.contains(reason) == true, "\(fault as Any)")
  }

  @Test("bytes that are no text are told")
  func bytes() {
    #expect(throws: CSVReader.Fault(line: 1, text: "a value is not UTF-8")) {
      _ = try CSVReader([0x61, 0xFF, 0x0A], required: [])
    }
  }

  @Test("what is written is read again", arguments: ["", "a", "a,b", "\"", "a\"b\r\nc", "\n"])
  func written(_ value: String) throws {
    #expect(try rows("a,b\n\(CSVText.of(value)),\n", "a", "b") == [[value, ""]])
  }

  @Test(
    "a name of another system is made to fit",
    arguments: [
      (["Ada", "ada99"], "Ada"), (["", "ada99"], "ada99"), (["  ", "ada99"], "ada99"),
      (["Ada\nthe\t\"First\"", "x"], "Ada the \"First\""), (["\u{202E}evil", "x"], "evil"),
      (["\u{200B}\u{7}", "ada99"], "ada99"), (["", ""], "Player"),
      ([String(repeating: "ä", count: 99), "x"], String(repeating: "ä", count: 40)),
      (["👩‍🚀👩‍🚀", "x"], "👩‍🚀👩‍🚀"),
    ])
  func names(_ names: [String], _ expected: String) {
    let kept = ImportedName.kept(of: names)
    #expect(kept == expected)
    #expect(ProfileRules.failure(displayName: kept) == nil)
  }

  @Test("a name of many bytes is cut to what is kept")
  func longName() {
    let kept = ImportedName.kept(of: [String(repeating: "👨‍👩‍👧‍👦", count: 40)])
    #expect(ProfileRules.failure(displayName: kept) == nil && !kept.isEmpty)
  }
}
