import Terminal
import TerminalDialogs

/// What the app shows, and what a key does there. It knows neither GameKit nor a terminal.
enum CounterScreen: Equatable {
  case menu(notice: String)
  case counter(value: Int, others: [String], notice: String)
  /// A friend asks the player to join.
  case invitation(from: String, message: String)

  enum Action: Equatable {
    case open(CounterLink)
    case increment, decrement, leave, quit
    case answer(isAccepted: Bool)
  }

  func action(of key: Key) -> Action? {
    switch (self, key) {
    case (_, .interrupt): .quit
    case (.menu, .character("l")): .open(.startLocalCounter)
    case (.menu, .character("o")): .open(.startOnlineCounter)
    case (.menu, .character("q")), (.menu, .escape): .quit
    case (.counter, .character("+")), (.counter, .up): .increment
    case (.counter, .character("-")), (.counter, .down): .decrement
    case (.counter, .character("q")), (.counter, .escape): .leave
    case (.invitation, .enter), (.invitation, .character("y")): .answer(isAccepted: true)
    case (.invitation, .escape), (.invitation, .character("n")): .answer(isAccepted: false)
    default: nil
    }
  }

  /// Returns as many lines as the screen has, none wider than it.
  func lines(width: Int, height: Int, paint: Paint) -> [String] {
    let body = body.map { Table.shorten($0.printable, to: width) }
    return FilledScreen.lines(
      [paint(.bold, "CollabCounter")] + body, help: help, width: width, height: height,
      paint: paint)
  }

  private var body: [String] {
    switch self {
    case .menu(let notice):
      ["", "  l  Local Counter", "  o  Online Counter", "", notice]
    case .counter(let value, let others, let notice):
      [
        "", "  \(value)", "", others.isEmpty ? "" : "with \(others.joined(separator: ", "))",
        notice,
      ]
    case .invitation(let name, let message):
      ["", "\(name) asks you to join:", message]
    }
  }

  private var help: String {
    switch self {
    case .menu: "l local  o online  q quit"
    case .counter: "+ - count  q leave"
    case .invitation: "Enter join  Esc decline"
    }
  }
}
