import Testing
import Wire

@Suite struct TrimmedTests {
  @Test("white space around a text goes, and what is inside stays")
  func trimmed() {
    #expect("".trimmed == "" && " \t\n".trimmed == "")
    #expect("  a b\r\n".trimmed == "a b" && "a".trimmed == "a")
    #expect("name = value".split(separator: "=").map(\.trimmed) == ["name", "value"])
  }
}
