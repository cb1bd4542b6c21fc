public import Domain

/// One thing that can be configured: as a flag, an environment variable or a line of a file.
public struct Setting: Sendable {
  public enum Kind: Sendable {
    case text
    case number(NumberSetting)
    /// True when the flag is there, or for `true`, `yes` and `1` elsewhere.
    case flag
    /// One of these words.
    case choice([String])
    /// Text of a form, which `--help` tells; what is wrong with a text that lacks it follows the
    /// setting's name in a sentence.
    case parsed(form: String, fault: @Sendable (String) -> String?)
    /// Something to do once in place of running, such as to make a store. It is said on the command
    /// line alone: from a file or the environment it would be done at each start.
    case task
  }

  /// Lower-case words with dashes, as in `--data-directory`.
  public let name: String
  public let kind: Kind
  public let fallback: String?
  public let help: String
  /// A secret has no blanks, is never printed, and is better given by file or environment than by
  /// flag.
  public let isSecret: Bool

  public init(
    _ name: String, _ kind: Kind, fallback: String? = nil, isSecret: Bool = false,
    _ help: String
  ) {
    self.name = name
    self.kind = kind
    self.fallback = fallback
    self.isSecret = isSecret
    self.help = help
  }

  /// A setting whose value is any text.
  public init(
    _ name: String, fallback: String? = nil, isSecret: Bool = false, _ help: String
  ) {
    self.init(name, .text, fallback: fallback, isSecret: isSecret, help)
  }

  public init(_ number: NumberSetting) {
    self.init(number.name, .number(number), fallback: "\(number.fallback)", number.help)
  }

  public static func task(_ name: String, _ help: String) -> Setting {
    Setting(name, .task, help)
  }

  var isTask: Bool {
    if case .task = kind { true } else { false }
  }

  /// `MUSTER_DATA_DIRECTORY` for `data-directory`.
  public var environmentName: String {
    "MUSTER_" + name.uppercased().replacing("-", with: "_")
  }
}
