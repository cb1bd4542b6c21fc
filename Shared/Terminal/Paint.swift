/// Colours and weights of a text on a terminal; off, every text stays as it is.
package struct Paint: Sendable, Equatable {
  /// When a program paints.
  package enum Choice: String, CaseIterable, Sendable {
    /// On a terminal that shows colours, unless the environment is against it.
    case auto
    case always
    case never
  }

  package enum Tone: String, Sendable {
    case bold = "1"
    case dim = "2"
    case red = "31"
    case green = "32"
    case yellow = "33"
  }

  package var isOn: Bool

  package init(isOn: Bool) { self.isOn = isOn }

  /// - Parameters:
  ///   - isTerminal: whether what is written goes to a terminal.
  ///   - environment: `NO_COLOR` that is not empty (no-color.org) and `TERM=dumb` ask for no
  ///     colours.
  package init(_ choice: Choice, isTerminal: Bool, environment: [String: String]) {
    isOn =
      switch choice {
      case .always: true
      case .never: false
      case .auto:
        isTerminal && environment["NO_COLOR", default: ""].isEmpty
          && !["", "dumb"].contains(environment["TERM", default: ""])
      }
  }

  package func callAsFunction(_ tone: Tone, _ text: String) -> String {
    isOn && !text.isEmpty ? "\u{1b}[\(tone.rawValue)m\(text)\u{1b}[0m" : text
  }
}
