import Terminal
import TerminalDialogs
import Testing

@testable import collab_counter

@Suite struct CounterScreenTests {
  private let screens: [CounterScreen] = [
    .menu(notice: "Waiting for Game Center …"),
    .counter(value: .min, others: ["松本 さくら", "Zoe\u{308}\u{1b}[2J"], notice: ""),
    .invitation(from: "Ada", message: "Join my counter! Join my counter! Join my counter!"),
  ]

  @Test(
    "3.8 every screen fits, whatever it shows", arguments: [(80, 24), (40, 12), (20, 3)])
  func fits(width: Int, height: Int) {
    for screen in screens {
      let lines = screen.lines(width: width, height: height, paint: Paint(isOn: false))
      #expect(lines.count == height)
      #expect(lines.allSatisfy { TextWidth.of($0) <= width })
      #expect(!lines.joined().unicodeScalars.contains("\u{1b}"))
    }
  }

  @Test("3.8 a key does what the screen says, and nothing elsewhere")
  func keys() {
    let counter = screens[1]
    #expect(counter.action(of: .character("+")) == .increment)
    #expect(counter.action(of: .down) == .decrement)
    #expect(counter.action(of: .escape) == .leave)
    #expect(counter.action(of: .character("o")) == nil)
    #expect(screens[0].action(of: .character("o")) == .open(.startOnlineCounter))
    #expect(screens[0].action(of: .character("+")) == nil)
    #expect(screens[2].action(of: .enter) == .answer(isAccepted: true))
    #expect(screens[2].action(of: .character("q")) == nil)
    for screen in screens { #expect(screen.action(of: .interrupt) == .quit) }
  }
}
