import Terminal

/// A list on a terminal from which the player chooses: what is shown, and what a key does. It knows
/// neither a terminal nor where its rows come from.
package struct Choices: Equatable {
  package struct Row: Equatable, Sendable {
    /// Tells rows apart, also when a search shows them again.
    var id: String
    var name: String
    var detail = ""
  }

  enum Kind: Equatable {
    case one
    /// Up to so many.
    case several(countMax: Int)
  }

  enum Action: Equatable {
    /// The rows for another text are wanted.
    case search(String)
    case chosen([String])
    case closed
  }

  let title: String
  let kind: Kind
  /// Whether what is typed searches.
  let canSearch: Bool
  private(set) var search = ""
  private(set) var rows: [Row] = []
  /// The ids of the marked rows, in the order in which they were marked.
  private(set) var marked: [String]
  /// Whether all rows have been read.
  private(set) var isComplete = false
  private(set) var place = 0
  /// Why no more rows could be read; empty where they can.
  private(set) var failure = ""
  /// Whether the player wants to see the last row, and rows are still being read.
  private var isGoingToEnd = false
  /// The first row on the screen.
  private var top = 0
  private var note = ""

  init(_ title: String, _ kind: Kind, canSearch: Bool, marked: [String] = []) {
    self.title = title
    self.kind = kind
    self.canSearch = canSearch
    self.marked = marked
  }

  // MARK: Rows

  /// Adds the next rows; none after the last.
  mutating func add(_ more: [Row]) {
    if more.isEmpty { isComplete = true }
    rows += more
    if isGoingToEnd { move(to: rows.count - 1) }
  }

  mutating func failed(_ text: String) {
    (failure, isComplete) = (text, true)
  }

  /// Whether more rows should be read for a screen of so many lines.
  func wantsMore(lines: Int) -> Bool { !isComplete && place + lines >= rows.count }

  // MARK: Keys

  /// - Parameter lines: how many rows the screen shows.
  mutating func take(_ key: Key, lines: Int) -> Action? {
    (note, isGoingToEnd) = ("", key == .end)
    if [.down, .pageDown, .end].contains(key), isLast, !failure.isEmpty {
      // The player wants to see what could not be read: try again.
      (failure, isComplete) = ("", false)
    }
    switch key {
    case .up: move(to: place - 1)
    case .down: move(to: place + 1)
    case .pageUp: move(to: place - lines)
    case .pageDown: move(to: place + lines)
    case .home: move(to: 0)
    case .end: move(to: rows.count - 1)
    case .tab: mark()
    case .enter: return choose()
    case .escape, .interrupt: return .closed
    case .backspace where canSearch && !search.isEmpty:
      return searching(String(search.dropLast()))
    case .character(let character) where canSearch: return searching(search + String(character))
    case .character(" "): mark()
    case .character, .backspace: break
    }
    return nil
  }

  private var isLast: Bool { place >= rows.count - 1 }

  private mutating func move(to wanted: Int) { place = max(0, min(wanted, rows.count - 1)) }

  private mutating func searching(_ text: String) -> Action {
    (search, rows, isComplete, failure, place, top) = (text, [], false, "", 0, 0)
    return .search(text)
  }

  private mutating func mark() {
    guard case .several(let countMax) = kind, rows.indices.contains(place) else { return }
    let id = rows[place].id
    if let index = marked.firstIndex(of: id) {
      marked.remove(at: index)
    } else if marked.count < countMax {
      marked.append(id)
    } else {
      note = "No more than \(countMax)."
    }
  }

  private mutating func choose() -> Action? {
    if case .several = kind, !marked.isEmpty { return .chosen(marked) }
    guard rows.indices.contains(place) else { return nil }
    return .chosen([rows[place].id])
  }

  // MARK: Screen

  /// The lines above and below the rows.
  private var frameLines: Int { canSearch ? 3 : 2 }

  /// How many rows a screen of so many lines shows.
  func rowLines(of height: Int) -> Int { max(1, height - frameLines) }

  /// Returns the lines of a screen. The list scrolls so that the chosen row is on it.
  mutating func screen(width: Int, height: Int, paint: Paint) -> [String] {
    let count = rowLines(of: height)
    top = max(min(top, place), place - count + 1, 0)
    var lines = [paint(.bold, Table.shorten(title.printable, to: width))]
    if canSearch { lines.append(Table.shorten("Search: \(search.printable)▏", to: width)) }
    lines += rows.indices.dropFirst(top).prefix(count).map { line($0, width, paint) }
    if rows.isEmpty { lines.append(paint(.dim, Table.shorten(emptyText, to: width))) }
    // A low screen has the chosen row before all else.
    return FilledScreen.lines(
      Array(lines.suffix(FilledScreen.room(of: height))), help: help(width), width: width,
      height: height, paint: paint)
  }

  private var emptyText: String {
    if !failure.isEmpty { return failure.printable }
    if !isComplete { return "…" }
    return search.isEmpty
      ? "Nobody and nothing is here." : "No name has “\(search.printable)” in it."
  }

  private func line(_ index: Int, _ width: Int, _ paint: Paint) -> String {
    let row = rows[index]
    var head = index == place ? "› " : "  "
    if case .several = kind { head += marked.contains(row.id) ? "[x] " : "[ ] " }
    let room = max(1, width - TextWidth.of(head))
    let detail = row.detail.printable
    // The name comes first: what it leaves is for the rest.
    let name = Table.shorten(row.name.printable, to: room)
    let left = room - TextWidth.of(name) - 2
    let tail = detail.isEmpty || left < 4 ? "" : "  " + paint(.dim, Table.shorten(detail, to: left))
    return (index == place ? paint(.bold, head + name) : head + name) + tail
  }

  private func help(_ width: Int) -> String {
    if !note.isEmpty { return note }
    if !failure.isEmpty && isLast { return "↓ again: \(failure.printable)" }
    var parts = ["↑↓ move"]
    if case .several(let countMax) = kind {
      parts.append("\(canSearch ? "Tab" : "Space") mark (\(marked.count)/\(countMax))")
    }
    parts += ["Enter choose", "Esc close"]
    let text = parts.joined(separator: "  ")
    // On a narrow screen the keys alone.
    return TextWidth.of(text) <= width ? text : "↑↓ Tab Enter Esc"
  }
}
