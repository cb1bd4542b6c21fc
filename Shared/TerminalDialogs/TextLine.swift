import Terminal

/// A text that the player edits, with what it is about above it.
struct TextLine: Equatable {
  enum Action: Equatable {
    case entered(String)
    case closed
  }

  let title: String
  /// Lines between the title and the text.
  let details: [String]
  /// What Enter does, as the help says it.
  let verb: String
  /// Nil where there is nothing to edit, and the player only agrees.
  private(set) var text: String?

  init(_ title: String, details: [String] = [], text: String?, verb: String) {
    self.title = title
    self.details = details
    self.text = text
    self.verb = verb
  }

  mutating func take(_ key: Key) -> Action? {
    switch key {
    case .enter: return .entered(text ?? "")
    case .escape, .interrupt: return .closed
    case .backspace: text = text.map { String($0.dropLast()) }
    case .character(let character): text = text.map { $0 + String(character) }
    case .up, .down, .pageUp, .pageDown, .home, .end, .tab: break
    }
    return nil
  }

  func screen(width: Int, height: Int, paint: Paint) -> [String] {
    var lines = [paint(.bold, Table.shorten(title.printable, to: width))]
    lines += details.flatMap { Self.wrapped($0.printable, to: width) }
    if let text {
      lines += Self.wrapped("> \(text.printable)▏", to: width)
    }
    let room = FilledScreen.room(of: height)
    // The end is what is being written.
    if lines.count > room { lines = [lines[0]] + lines.suffix(room - 1) }
    return FilledScreen.lines(
      lines, help: "Enter \(verb)  Esc close", width: width, height: height, paint: paint)
  }

  private static func wrapped(_ text: String, to width: Int) -> [String] {
    var (lines, rest) = ([String](), Substring(text))
    while TextWidth.of(rest) > width {
      let line = TextWidth.prefix(of: String(rest), columns: width)
      if line.isEmpty { break }
      lines.append(String(line))
      rest = rest.dropFirst(line.count)
    }
    return lines + [String(rest)]
  }
}
