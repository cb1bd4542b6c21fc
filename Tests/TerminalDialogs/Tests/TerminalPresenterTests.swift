import Foundation
import PseudoTerminal
import Stack
import TestKit
import Testing

/// The dialogs as a person has them: a program on a terminal, keys in, a screen out.
@Suite("Terminal dialogs", .endsAtLast)
struct TerminalPresenterTests {
  enum Size: CaseIterable {
    case usual, small

    var columns: Int { self == .usual ? 80 : 40 }
    var lines: Int { self == .usual ? 24 : 12 }
  }

  private func sample(_ dialog: String, _ size: Size) throws -> PseudoTerminal {
    try PseudoTerminal(
      Binaries.url("dialog-sample"), [dialog], width: size.columns, height: size.lines)
  }

  /// The screen is again what it was, and below it is what was chosen.
  private func expect(_ chosen: String, _ terminal: PseudoTerminal) throws {
    try terminal.wait("the screen of before") { !$0.isOther }
    #expect(try terminal.end() == 0)
    #expect(terminal.picture.lines.first == chosen)
    #expect(!terminal.picture.isCursorHidden)
  }

  @Test("1.6 a context is chosen with the arrows", arguments: Size.allCases)
  func context(size: Size) throws {
    let terminal = try sample("context", size)
    try terminal.wait(for: "› Ben  2 players")
    #expect(terminal.picture.isOther && terminal.picture.isCursorHidden)
    #expect(terminal.picture.lines[0] == "Choose a context")
    #expect(terminal.picture.lines[2] == "  c2  1 player")
    #expect(terminal.picture.lines[size.lines - 1] == "↑↓ move  Enter choose  Esc close")
    terminal.press("\u{1b}[B")
    try terminal.wait(for: "› c2")
    terminal.press("\r")
    try expect("chosen: c2", terminal)
  }

  @Test("1.6 a dialog that is closed has chosen nothing", arguments: ["\u{1b}", "\u{3}"])
  func closed(key: String) throws {
    let terminal = try sample("context", .small)
    try terminal.wait(for: "› Ben")
    terminal.press(key)
    try expect("chosen: -", terminal)
  }

  @Test(
    "a program that is ended in a dialog leaves the terminal as it was",
    arguments: [SIGTERM, SIGHUP])
  func ended(by number: Int32) throws {
    // Whoever runs the tests may have them ignore this one, as `nohup` does, and programs inherit
    // that.
    let before = signal(SIGHUP, SIG_DFL)
    let terminal = try sample("context", .small)
    _ = signal(SIGHUP, before)
    try terminal.wait(for: "› Ben")
    terminal.signal(number)
    #expect(try terminal.end() == number && terminal.wasKilled)
    #expect(!terminal.picture.isOther && !terminal.picture.isCursorHidden)
  }

  @Test("2.3 friends are searched as one types, and several are marked", arguments: Size.allCases)
  func recipients(size: Size) throws {
    let terminal = try sample("recipients", size)
    try terminal.wait(for: "› [ ] Ada  suggested")
    // Wide characters and combined ones take their columns, and no name moves the cursor.
    try terminal.wait(for: "[ ] 松本 さくら")
    try terminal.wait(for: "[ ] Zoë 👩‍👩‍👧")
    try terminal.wait(for: "[ ] Evil\u{fffd}[31mName")
    terminal.press("\t")
    try terminal.wait(for: "› [x] Ada")
    terminal.press("cle")
    try terminal.wait("Cleo alone") { $0.lines[2] == "› [ ] Cleo" && $0.lines[3].isEmpty }
    terminal.press("\t")
    try terminal.wait(for: "[x] Cleo")
    // The rest is read while one scrolls.
    terminal.press("\u{7f}\u{7f}\u{7f}\u{1b}[F")
    try terminal.wait(for: "› [ ] Player 60")
    terminal.press("\r")
    try expect("chosen: [\"p1\", \"p3\"]", terminal)
  }

  @Test(
    "2.5 a request is shown before it is sent", arguments: [("\r", "true"), ("\u{1b}", "false")])
  func confirm(key: String, answer: String) throws {
    let terminal = try sample("confirm", .small)
    try terminal.wait(for: "Your turn!")
    #expect(terminal.picture.lines.last == "Enter Play  Esc close")
    terminal.press(key)
    try expect("chosen: \(answer)", terminal)
  }

  @Test("3.2 friends are invited to a match, with a text", arguments: Size.allCases)
  func match(size: Size) throws {
    let terminal = try sample("match", size)
    try terminal.wait(for: "A match of 2 to 4")
    try terminal.wait(for: "  Invite friends")
    // Keys that come early are for the next step.
    terminal.press("\u{1b}[B\r")
    try terminal.wait(for: "[x] Ada")
    terminal.press("\r")
    try terminal.wait(for: "> Join me▏")
    terminal.press(" 松\r")
    #expect(try terminal.end() == 0)
    // A small screen wraps it.
    #expect(
      terminal.picture.lines.joined().contains("friends([\"p1\"], message: \"Join me 松\")"))
  }

  @Test("3.2 a search shows what is known, and the player ends it", arguments: Size.allCases)
  func search(size: Size) throws {
    let terminal = try sample("search", size)
    try terminal.wait(for: "Ben: accepted")
    terminal.press("\u{1b}")
    try expect("closed", terminal)
  }

  @Test("6.1 the player says whom to challenge, and edits the words", arguments: Size.allCases)
  func challenge(size: Size) throws {
    let terminal = try sample("challenge", size)
    try terminal.wait(for: "Whom to challenge: High score 42")
    try terminal.wait(for: "[x] Ben")
    terminal.press("\r")
    try terminal.wait(for: "> Beat me▏")
    terminal.press("!\r")
    #expect(try terminal.end() == 0)
    #expect(terminal.picture.lines.joined().contains("message: \"Beat me!\""))
  }
}
