import Terminal
import Testing

@Suite struct TextWrapTests {
  @Test("lines are broken between words, by what a terminal shows")
  func lines() {
    #expect(
      TextWrap.lines("Ada asks you to be friends", columns: 12) == [
        "Ada asks you", "to be", "friends",
      ])
    #expect(TextWrap.lines("日本 語語 a", columns: 7) == ["日本", "語語 a"])
    #expect(TextWrap.lines("", columns: 5).isEmpty)
  }

  @Test("a word that is too wide stays whole, on a line of its own")
  func wideWord() {
    #expect(TextWrap.lines("in 0123456789 now", columns: 6) == ["in", "0123456789", "now"])
  }

  @Test("a text stands beside what is before it, or below where there is no room")
  func after() {
    #expect(
      TextWrap.text("be friends now", after: "a b", column: 5, width: 15) == [
        "a b  be friends", "     now",
      ])
    #expect(
      TextWrap.text("be", after: "a b c d", column: 5, width: 15) == ["a b c d", "     be"])
    #expect(TextWrap.text("be  it", after: "a", column: 3, width: nil) == ["a  be  it"])
  }
}
