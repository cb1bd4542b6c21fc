import Testing

@testable import TerminalDialogs

@Suite struct KeyParserTests {
  private static let typed: [(String, [Key])] = [
    ("a", [.character("a")]), ("é", [.character("é")]), ("松", [.character("松")]),
    ("\u{1b}[A", [.up]), ("\u{1b}OB", [.down]), ("\u{1b}[1;5B", [.down]), ("\u{1b}[5~", [.pageUp]),
    ("\u{1b}[6~", [.pageDown]), ("\u{1b}[H", [.home]), ("\u{1b}[4~", [.end]), ("\r", [.enter]),
    ("\t", [.tab]), ("\u{7f}", [.backspace]), ("\u{3}", [.interrupt]),
    ("\u{1}x", [.character("x")]), ("\u{1b}[99~y", [.character("y")]),
    ("\u{1b}xy", [.escape, .character("x"), .character("y")]),
  ]

  @Test("keys are told apart, whole and byte by byte", arguments: typed)
  func keys(text: String, keys: [Key]) {
    var parser = KeyParser()
    #expect(parser.take(text.utf8) == keys)
    #expect(!parser.isUndecided)
    #expect(text.utf8.flatMap { parser.take([$0]) } == keys)
  }

  @Test("an escape that stays alone is the escape key; a torn character is nothing")
  func escape() {
    var parser = KeyParser()
    #expect(parser.take([0x1B]).isEmpty)
    #expect(parser.isUndecided)
    #expect(parser.flush() == [.escape])
    #expect(!parser.isUndecided)
    #expect(parser.take([0xE6]).isEmpty)
    #expect(parser.flush().isEmpty)
    #expect(parser.take([0xFF, 0x61]) == [.character("a")])
  }
}
