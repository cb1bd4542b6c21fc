/// The rules for text that one player writes and others read: nothing in it may be unseen, hide or
/// turn around what stands beside it. Clients may check them first; the server always does.
public enum TextRules {
  /// Returns what is wrong with a text that may have several lines; nil for a good one.
  ///
  /// Refused are control characters other than tabs and line ends, separators of lines and
  /// paragraphs, bidirectional controls, code points that are no characters, and those that are
  /// unseen, save where a script or an emoji needs them.
  public static func fault(in text: String) -> String? { fault(in: text, mayBreakLines: true) }

  /// Returns what is wrong with a text of one line, such as a name; nil for a good one. It must
  /// have something that is seen, and may not begin with a mark, which would join what stands
  /// before it.
  public static func fault(inLine text: String) -> String? {
    if let fault = fault(in: text, mayBreakLines: false) { return fault }
    guard let first = text.unicodeScalars.first, text.unicodeScalars.contains(where: \.isSeen)
    else { return "has nothing that is seen" }
    return first.isMark ? "begins with a mark that joins what stands before it" : nil
  }

  private static func fault(in text: String, mayBreakLines: Bool) -> String? {
    var before: Unicode.Scalar?
    var scalars = text.unicodeScalars.makeIterator()
    var current = scalars.next()
    while let scalar = current {
      let next = scalars.next()
      if let fault = fault(scalar, between: before, next, mayBreakLines) { return fault }
      before = scalar
      current = next
    }
    return nil
  }

  private static func fault(
    _ scalar: Unicode.Scalar, between before: Unicode.Scalar?, _ next: Unicode.Scalar?,
    _ mayBreakLines: Bool
  ) -> String? {
    // What most text consists of need not be looked up.
    if (0x20..<0x7F).contains(scalar.value) { return nil }
    let properties = scalar.properties
    switch properties.generalCategory {
    case .control where mayBreakLines && "\t\n\r".unicodeScalars.contains(scalar): return nil
    case .control, .lineSeparator, .paragraphSeparator: return "has a control character"
    default: break
    }
    if properties.isBidiControl { return "has a control character of the writing direction" }
    if properties.isNoncharacterCodePoint { return "has a code point that is no character" }
    if properties.isDefaultIgnorableCodePoint && !scalar.isNeeded(between: before, next) {
      return "has a character that is not seen"
    }
    return nil
  }
}

extension Unicode.Scalar {
  fileprivate var isMark: Bool {
    switch properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: true
    default: false
    }
  }

  /// The blank of Braille is the one symbol that looks like nothing.
  fileprivate var isSeen: Bool {
    !properties.isWhitespace && !properties.isDefaultIgnorableCodePoint && self != "\u{2800}"
  }

  /// Whether a script or an emoji needs this unseen character at this place: joiners as in RFC
  /// 5892, appendices A.1 and A.2, joiners and tags of emoji as in Unicode's UTS #51, selectors of
  /// variants behind what has any.
  fileprivate func isNeeded(between before: Unicode.Scalar?, _ next: Unicode.Scalar?) -> Bool {
    guard let before else { return false }
    switch value {
    case 0x200C, 0x200D:
      // Behind a virama a joiner chooses the form of the letter; it may end a word.
      if before.properties.canonicalCombiningClass == .virama { return true }
      guard let next else { return false }
      return value == 0x200C
        ? before.isOfJoiningScript && next.isOfJoiningScript
        : before.isEndOfEmoji && next.isEmojiSymbol
    case 0xE0020...0xE007F: return before == "\u{1F3F4}" || before.isTag
    default:
      guard properties.isVariationSelector else { return false }
      // Digits have a variant only within a key cap.
      if before.isASCII { return before.properties.isEmoji && next == "\u{20E3}" }
      return before.properties.isEmoji || before.properties.isIdeographic || before.isMongolian
    }
  }

  private var isTag: Bool { (0xE0020...0xE007F).contains(value) }
  private var isEmojiSymbol: Bool { !isASCII && properties.isEmoji }
  private var isEndOfEmoji: Bool { isEmojiSymbol || value == 0xFE0F }
  private var isMongolian: Bool { (0x1800...0x18AF).contains(value) }

  /// Arabic, Syriac, N'Ko, Mandaic and Mongolian, whose letters and their marks join.
  private var isOfJoiningScript: Bool { (0x0600...0x08FF).contains(value) || isMongolian }
}
