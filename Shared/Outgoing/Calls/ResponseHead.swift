/// Reads the lines of an answer's head as they come, for what libcurl does not tell itself.
struct ResponseHead {
  /// The most bytes of all lines together.
  static let bytesMax = 32 << 10
  /// Where counting seconds ends: a year is as good as for ever.
  private static let secondsMax = 365 * 24 * 3600

  private var byteCount = 0
  private var maxAge: Int?
  private var age = 0

  /// See `HTTPSResponse.freshSeconds`.
  var freshSeconds: Int? { maxAge.map { max(0, $0 - age) } }

  /// Takes one line with its line break. Returns whether there may be more of them.
  mutating func take(_ line: String) -> Bool {
    byteCount += line.utf8.count
    if byteCount > Self.bytesMax { return false }
    if line.hasPrefix("HTTP/") {
      // The head of an interim answer, such as 103, was before it.
      maxAge = nil
      age = 0
    }
    guard let colon = line.firstIndex(of: ":") else { return true }
    let value = line[line.index(after: colon)...]
    switch line[..<colon].lowercased() {
    case "cache-control": for part in value.split(separator: ",") { takeDirective(part) }
    case "age": age = Self.seconds(value) ?? 0
    default: break
    }
    return true
  }

  private mutating func takeDirective(_ part: Substring) {
    let pair = part.split(separator: "=", maxSplits: 1)
    let name = pair.first.map { Self.trimmed($0).lowercased() }
    switch name {
    case "no-store", "no-cache": maxAge = 0
    case "max-age":
      // Where a head contradicts itself, the shorter time holds.
      guard pair.count == 2, let seconds = Self.seconds(pair[1]) else { return }
      maxAge = min(maxAge ?? seconds, seconds)
    default: break
    }
  }

  private static func seconds(_ text: Substring) -> Int? {
    let digits = trimmed(text)
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    // More digits than an integer has are still a time.
    return min(Int(digits) ?? secondsMax, secondsMax)
  }

  /// Without blanks and quotation marks at its ends.
  private static func trimmed(_ text: Substring) -> Substring {
    var text = text
    while let last = text.last, last.isWhitespace || last == "\"" { text.removeLast() }
    return text.drop { $0.isWhitespace || $0 == "\"" }
  }
}
