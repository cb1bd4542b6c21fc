import Terminal
import Testing

@testable import TerminalDialogs

@Suite struct ChoicesTests {
  private let plain = Paint(isOn: false)

  private func filled(_ count: Int, _ kind: Choices.Kind, canSearch: Bool = false) -> Choices {
    var choices = Choices("Friends", kind, canSearch: canSearch)
    choices.add((0..<count).map { Choices.Row(id: "\($0)", name: "Name \($0)") })
    return choices
  }

  @Test("the list scrolls with the arrows, and the chosen row is always on the screen")
  func scrolls() {
    var choices = filled(30, .one)
    for key in [Key.down, .down, .pageDown, .pageDown, .end, .up, .home, .pageDown] {
      #expect(choices.take(key, lines: 8) == nil)
      let lines = choices.screen(width: 40, height: 10, paint: plain)
      #expect(lines.count == 10)
      #expect(lines.contains { $0.hasPrefix("› Name \(choices.place)") })
    }
    #expect(choices.place == 8)
    #expect(choices.take(.enter, lines: 8) == .chosen(["8"]))
    #expect(choices.take(.escape, lines: 8) == .closed)
  }

  @Test("several rows are marked, in their order, and no more than allowed")
  func marks() {
    var choices = filled(5, .several(countMax: 2))
    _ = choices.take(.down, lines: 8)
    _ = choices.take(.tab, lines: 8)
    _ = choices.take(.home, lines: 8)
    _ = choices.take(.character(" "), lines: 8)
    _ = choices.take(.end, lines: 8)
    _ = choices.take(.tab, lines: 8)
    #expect(choices.screen(width: 40, height: 10, paint: plain).last == "No more than 2.")
    #expect(choices.take(.enter, lines: 8) == .chosen(["1", "0"]))
    _ = choices.take(.home, lines: 8)
    _ = choices.take(.tab, lines: 8)
    #expect(choices.marked == ["1"])
  }

  @Test("what is typed searches anew, and marks outlive it")
  func searches() {
    var choices = filled(5, .several(countMax: 9), canSearch: true)
    _ = choices.take(.tab, lines: 8)
    #expect(choices.take(.character("n"), lines: 8) == .search("n"))
    #expect(choices.rows.isEmpty && !choices.isComplete)
    #expect(choices.take(.character(" "), lines: 8) == .search("n "))
    #expect(choices.take(.backspace, lines: 8) == .search("n"))
    #expect(choices.take(.enter, lines: 8) == .chosen(["0"]))
    choices.add([])
    #expect(choices.screen(width: 40, height: 10, paint: plain)[2] == "No name has “n” in it.")
  }

  @Test("a later page that fails is told where the rows end, and read again by going on")
  func failsLater() {
    var choices = filled(3, .one)
    choices.failed("not reachable")
    #expect(choices.screen(width: 40, height: 10, paint: plain).last?.contains("again") == false)
    _ = choices.take(.end, lines: 8)
    #expect(!choices.wantsMore(lines: 8))
    #expect(
      choices.screen(width: 40, height: 10, paint: plain).last == "↓ again: not reachable")
    _ = choices.take(.down, lines: 8)
    #expect(choices.wantsMore(lines: 8))
    choices.add([Choices.Row(id: "3", name: "Name 3")])
    #expect(choices.rows.count == 4 && choices.place == 2)
  }

  @Test("rows are read on before the end comes on the screen")
  func pages() {
    var choices = filled(10, .one)
    #expect(!choices.wantsMore(lines: 4))
    _ = choices.take(.pageDown, lines: 6)
    #expect(choices.wantsMore(lines: 4))
    choices.add([])
    #expect(!choices.wantsMore(lines: 4))
    var failed = Choices("Friends", .one, canSearch: false)
    failed.failed("The server is not there.")
    #expect(failed.screen(width: 40, height: 10, paint: plain)[1] == "The server is not there.")
    #expect(failed.take(.enter, lines: 8) == nil)
  }

  @Test(
    "no line is wider than the screen, whatever is in a name, and none controls the terminal",
    arguments: [20, 40, 80])
  func wide(width: Int) {
    var choices = Choices("Whom? \u{1b}[2J", .several(countMax: 3), canSearch: true)
    choices.add([
      .init(id: "1", name: "松本 さくら 松本 さくら 松本 さくら", detail: "suggested"),
      .init(id: "2", name: "Zoe\u{308}\u{308} 👩‍👩‍👧", detail: "a\u{1b}b"),
      .init(id: "3", name: String(repeating: "x", count: 200)),
    ])
    let lines = choices.screen(width: width, height: 12, paint: plain)
    for line in lines { #expect(TextWidth.of(line) <= width, "\(line)") }
    #expect(!lines.joined().unicodeScalars.contains("\u{1b}"))
    #expect(lines.count == 12)
  }

  @Test("on a low screen the chosen row and the help are what is left", arguments: 2...5)
  func low(height: Int) {
    var choices = Choices("Whom?", .one, canSearch: true)
    choices.add(["Ann", "Bob", "Cy"].map { Choices.Row(id: $0, name: $0) })
    let rows = choices.rowLines(of: height)
    for key in [Key.down, .down] { _ = choices.take(key, lines: rows) }
    let lines = choices.screen(width: 40, height: height, paint: plain)
    #expect(lines.count == height && lines.contains("› Cy") && lines.last?.contains("Esc") == true)
  }

  @Test("a text is edited by character, and wraps; what only needs a yes has none")
  func edits() {
    var line = TextLine("Say", text: "Hi 👩‍👩‍👧", verb: "send")
    #expect(line.take(.backspace) == nil && line.text == "Hi ")
    #expect(line.take(.character("松")) == nil)
    #expect(line.screen(width: 40, height: 12, paint: plain)[1] == "> Hi 松▏")
    #expect(line.take(.enter) == .entered("Hi 松"))
    #expect(line.take(.interrupt) == .closed)
    for _ in 0..<100 { _ = line.take(.character("y")) }
    let narrow = line.screen(width: 20, height: 12, paint: plain)
    #expect(narrow.allSatisfy { TextWidth.of($0) <= 20 } && narrow.count == 12)
    var question = TextLine("Sure?", text: nil, verb: "send")
    #expect(question.take(.character("x")) == nil && question.text == nil)
    #expect(question.take(.enter) == .entered(""))
  }
}
