import Operations
import Testing
import Wire

@Suite("Text that players write")
struct TextRulesTests {
  /// Good as a name, and as a message.
  static let good = [
    "Ada", "Ada B", "O'Neil-Smith", "Ærøskøbing", "李明", "Zoë", "e\u{301}", "🎲", "👍🏽",
    "1\u{FE0F}\u{20E3}",
    // A family, a heart with its selector, and the flag of Wales.
    "👩\u{200D}👩\u{200D}👧", "❤\u{FE0F}", "❤\u{FE0F}\u{200D}🔥",
    "\u{1F3F4}\u{E0067}\u{E0062}\u{E0077}\u{E006C}\u{E0073}\u{E007F}",
    // Persian with a non-joiner, Hindi with a virama and a joiner, Sinhala that ends in one.
    "\u{645}\u{6CC}\u{200C}\u{62E}\u{648}\u{627}\u{647}\u{645}", "\u{915}\u{94D}\u{200D}\u{937}",
    "\u{DC1}\u{DCA}\u{200D}",
    // An ideograph's variant, a letter of a private area, and one that is not assigned yet.
    "\u{845B}\u{E0100}", "\u{E000}", "\u{378}",
  ]
  /// Good in a message, but not as a name.
  static let messagesOnly = [
    "", " ", "\u{A0}", "\u{3000}", "\u{2800}", "\u{301}Ada", "Well\nplayed", "a\tb\r\n",
  ]
  /// Good nowhere.
  static let bad =
    [
      "\0", "a\u{7}b", "\u{85}", "\u{2028}", "\u{2029}", "\u{1B}[31m",
      // What turns the direction of writing.
      "\u{202E}adA", "\u{2066}a\u{2069}", "a\u{200F}", "\u{61C}a", "a\u{202A}b\u{202C}",
      // What is not seen, alone and within.
      "\u{200B}", "A\u{200B}da", "\u{FEFF}", "a\u{AD}b", "\u{3164}", "\u{115F}", "\u{FFA0}",
      "\u{180E}",
      "\u{2060}", "\u{34F}", "\u{E0041}", "a\u{E0041}", "\u{FE0F}", "a\u{FE0F}", "1\u{FE0F}",
      // Joiners where nothing joins.
      "A\u{200D}da", "A\u{200C}da", "Ada\u{200D}", "\u{200D}Ada", "\u{200C}", "👩\u{200D}",
      "\u{645}\u{200C}", "👩\u{200D}\u{200D}👩",
    ] + [0xFFFE, 0xFDD0, 0x1FFFF].compactMap(Unicode.Scalar.init).map { String($0) }

  @Test("2.9 a name shows what it is", arguments: good + messagesOnly + bad)
  func name(_ text: String) {
    #expect((TextRules.fault(inLine: text) == nil) == Self.good.contains(where: sameBytes(text)))
    #expect(
      (ProfileRules.failure(displayName: text) == nil) == Self.good.contains(where: sameBytes(text))
    )
  }

  @Test("2.2 a message shows what it is", arguments: good + messagesOnly + bad)
  func message(_ text: String) {
    let isBad = Self.bad.contains(where: sameBytes(text))
    #expect((TextRules.fault(in: text) != nil) == isBad)
    for field in [\SendRequest.message, \.title, \.cta] {
      var request = SendRequest()
      request.message = "Well played"
      request.recipients = ["somebody"]
      request[keyPath: field] = text
      let failure = RequestContentRules.failure(in: request)
      if text.isEmpty && field == \.message { continue }
      #expect((failure != nil) == isBad)
      let name = [\SendRequest.message: "message", \.title: "title", \.cta: "cta"][field]
      if isBad { #expect(failure?.code == .invalidArgument && failure?.argument == name) }
    }
    var score = IssueScoreChallenge()
    (score.board, score.receivers, score.message) = ("laps", [PlayerID(high: 1, low: 1)], text)
    #expect((score.fault?.argument == "message") == isBad)
    var achievement = IssueAchievementChallenge()
    (achievement.achievement, achievement.receiver) = ("first", PlayerID(high: 1, low: 1))
    achievement.message = text
    #expect((achievement.fault?.argument == "message") == isBad)
  }

  /// Strings are equal when they look the same; these tests are about bytes.
  private func sameBytes(_ text: String) -> (String) -> Bool {
    { Array($0.utf8) == Array(text.utf8) }
  }
}
