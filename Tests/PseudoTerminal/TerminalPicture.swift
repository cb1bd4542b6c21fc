import Terminal

/// What a terminal shows of the bytes that a program has written: as much of a terminal as our
/// programs use. An escape sequence that it does not know is noted, so that a test fails by it.
public struct TerminalPicture {
  public let width: Int
  public let height: Int
  public private(set) var unknown: [String] = []
  /// Whether the program has the other screen, which leaves the first as it was.
  public private(set) var isOther = false
  public private(set) var isCursorHidden = false
  /// The character in each column; nil in the second column of a wide one.
  private var cells: [[Character?]]
  private var (row, column) = (0, 0)
  /// The first screen, and its cursor.
  private var saved: (cells: [[Character?]], row: Int, column: Int)?
  private var rest: [UInt8] = []

  public init(width: Int, height: Int) {
    (self.width, self.height) = (width, height)
    cells = Self.empty(width, height)
  }

  private static func empty(_ width: Int, _ height: Int) -> [[Character?]] {
    Array(repeating: Array(repeating: " ", count: width), count: height)
  }

  /// The lines as text, without spaces at their ends.
  public var lines: [String] {
    cells.map { line in
      let text = String(line.compactMap { $0 })
      return String(text.reversed().drop { $0 == " " }.reversed())
    }
  }

  public var text: String { lines.joined(separator: "\n") }

  public mutating func take(_ bytes: some Sequence<UInt8>) {
    rest += bytes
    while let count = takeFirst() { rest.removeFirst(count) }
  }

  /// Takes a sequence or a run of text; nil while more has to come.
  private mutating func takeFirst() -> Int? {
    guard let byte = rest.first else { return nil }
    switch byte {
    case 0x1B: return takeSequence()
    case 0x0D: column = 0
    case 0x0A: lineFeed()
    case 0x07: break
    default: return takeText()
    }
    return 1
  }

  private mutating func takeText() -> Int? {
    let end = rest.firstIndex { $0 < 0x20 } ?? rest.endIndex
    // What may be the beginning of a character, or of a mark on it, waits for the rest.
    guard let text = String(validating: rest[..<end], as: UTF8.self) else { return nil }
    for character in text { put(character) }
    return end
  }

  private mutating func put(_ character: Character) {
    let count = TextWidth.of(character)
    if column + count > width {
      column = 0
      lineFeed()
    }
    cells[row][column] = character
    if count == 2 { cells[row][column + 1] = nil }
    column += count
  }

  private mutating func lineFeed() {
    row += 1
    if row < height { return }
    cells.removeFirst()
    cells.append(Array(repeating: " ", count: width))
    row = height - 1
  }

  private mutating func takeSequence() -> Int? {
    guard rest.count > 2 else { return nil }
    guard rest[1] == UInt8(ascii: "["),
      let end = rest.indices.dropFirst(2).first(where: { rest[$0] >= 0x40 })
    else { return nil }
    let parameters = String(decoding: rest[2..<end], as: UTF8.self)
    switch (rest[end], parameters) {
    case (UInt8(ascii: "m"), _): break
    case (UInt8(ascii: "H"), ""): (row, column) = (0, 0)
    case (UInt8(ascii: "K"), ""): clear(row, from: column)
    case (UInt8(ascii: "J"), ""):
      clear(row, from: column)
      for line in row + 1..<max(height, row + 1) { clear(line, from: 0) }
    case (UInt8(ascii: "h"), "?1049"): enterOther()
    case (UInt8(ascii: "l"), "?1049"): leaveOther()
    case (UInt8(ascii: "l"), "?25"): isCursorHidden = true
    case (UInt8(ascii: "h"), "?25"): isCursorHidden = false
    default: unknown.append(parameters + String(UnicodeScalar(rest[end])))
    }
    return end + 1
  }

  private mutating func clear(_ line: Int, from start: Int) {
    guard line < height, start < width else { return }
    for column in start..<width { cells[line][column] = " " }
  }

  private mutating func enterOther() {
    saved = (cells, row, column)
    (cells, isOther) = (Self.empty(width, height), true)
    (row, column) = (0, 0)
  }

  private mutating func leaveOther() {
    isOther = false
    if let saved { (cells, row, column) = saved }
  }
}
