import Testing

@testable import Terminal

#if canImport(Glibc)
  import Glibc

  // The module has it under a feature macro alone.
  @_silgen_name("wcwidth") private func wcwidth(_ character: Int32) -> Int32
#endif

@Suite struct TextWidthTests {
  @Test(
    "a text is as wide as a terminal shows it",
    arguments: [
      ("", 0), ("Ada", 3), ("Zoë", 3), ("Zoe\u{308}", 3), ("\u{308}", 0), ("日本語", 6),
      ("ｱｲｳ", 3), ("Ａ", 2), ("한국", 4), ("\u{1112}\u{1161}\u{11AB}", 2), ("क्षि", 3),
      ("a\u{200B}b", 2), ("🎉", 2), ("👩‍👩‍👧", 2), ("👍🏽", 2), ("🇵🇹", 2), ("🇵", 1), ("❤️", 2), ("❤", 1),
      ("1️⃣", 2), ("…", 1), ("שלום", 4),
    ])
  func widths(_ text: String, _ width: Int) {
    #expect(TextWidth.of(text) == width)
  }

  @Test("a beginning never has half of a wide character, nor a character without its marks")
  func prefixes() {
    #expect(TextWidth.prefix(of: "日本語", columns: 5) == "日本")
    #expect(TextWidth.prefix(of: "日本語", columns: 6) == "日本語")
    #expect(TextWidth.prefix(of: "Zoe\u{308}!", columns: 3) == "Zoe\u{308}")
    #expect(TextWidth.prefix(of: "Ada", columns: 0).isEmpty)
  }

  #if canImport(Glibc)
    /// The C library is of another version of Unicode than this table and the standard library, so
    /// some scalars are allowed to differ.
    @Test("single scalars are as wide as the C library says")
    func sameAsTheSystem() throws {
      guard let locale = unsafe newlocale(LC_CTYPE_MASK, "C.UTF-8", nil) else { return }
      let before = unsafe uselocale(locale)
      defer { unsafe uselocale(before) }
      var compared = 0
      var different: [String] = []
      for value in UInt32(0x20)...0x3FFFD {
        guard let scalar = Unicode.Scalar(value), wcwidth(Int32(value)) >= 0 else { continue }
        compared += 1
        if TextWidth.of(scalar) != Int(wcwidth(Int32(value))) {
          different.append(String(value, radix: 16))
        }
      }
      #expect(compared > 100_000)
      #expect(different.count < 10, "\(different)")
    }
  #endif
}
