public import Foundation
public import PseudoTerminal

/// Two people who count together, each with the counter app on a terminal of their own.
public struct CounterPlay {
  public var program: URL
  /// Where the server is, as options of the app.
  public var server: [String]
  /// Where the players' credentials are kept.
  public var folder: URL
  public var size: (width: Int, height: Int)
  /// Gets what is on a screen when something was seen there.
  public var tell: (String, TerminalPicture) -> Void

  public init(
    program: URL, server: [String], folder: URL, size: (width: Int, height: Int),
    tell: @escaping (String, TerminalPicture) -> Void
  ) {
    (self.program, self.server, self.folder, self.size, self.tell) = (
      program, server, folder, size, tell
    )
  }

  private func open(_ name: String, _ link: String? = nil) throws -> PseudoTerminal {
    let player = ["--name", name, "--credential", folder.appendingPathComponent(name).path]
    return try PseudoTerminal(
      program, server + player + (link.map { [$0] } ?? []), width: size.width,
      height: size.height)
  }

  /// Plays from the first link to the end of the match.
  public func run() throws {
    // Opened by a link, before there is a player: it waits for that.
    let ada = try open("Ada", "startOnlineCounter")
    try ada.wait(for: "Play with anybody")
    tell("Ada opened the app by a link, and is asked with whom to play", ada.picture)
    ada.press("\r")
    try ada.wait(for: "Looking for players")
    let ben = try open("Ben")
    try ben.wait(for: "l  Local Counter")
    ben.press("l")
    try ben.wait(for: "+ - count")
    ben.press("++-")
    try ben.wait("1 on Ben's own counter") { $0.lines.contains("  1") }
    tell("Ben counted alone", ben.picture)
    ben.press("q")
    try ben.wait(for: "o  Online Counter")
    ben.press("o")
    try ben.wait(for: "› Play with anybody")
    ben.press("\r")
    try ada.wait(for: "with Ben")
    try ben.wait(for: "with Ada")
    ada.press("++++")
    try ben.wait("Ada's 4") { $0.lines.contains("  4") }
    ben.press("\u{1b}[B")
    try ada.wait("Ben's 3") { $0.lines.contains("  3") }
    tell("Ada and Ben changed one number", ada.picture)
    // Who ends the app has left the match, too.
    ada.press("\u{3}")
    try ben.wait(for: "Everybody else has left.")
    tell("Ada left, and the match ended for Ben", ben.picture)
    try ben.wait(for: "q quit")
    ben.press("q")
    for terminal in [ada, ben] {
      let status = try terminal.end()
      if status != 0 { throw PseudoTerminal.Failed(description: "the app ended with \(status)") }
    }
  }
}
