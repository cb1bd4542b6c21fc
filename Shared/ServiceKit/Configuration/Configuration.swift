public import Domain
import Wire

/// The values of a process's settings: flags over `MUSTER_*` variables over a file over fallbacks.
public struct Configuration: Sendable {
  private var values: [String: String]
  /// The values of all number settings.
  public let numbers: SettingValues

  /// What a command line asks for.
  public enum Request: Sendable {
    case run(Configuration)
    case perform(task: String, Configuration)
    case help
    case version
  }

  /// Reads the command line (without the program's name), the environment and, when `--config` or
  /// `MUSTER_CONFIG` names one, the file.
  public static func read(
    _ settings: [Setting], arguments: [String], environment: [String: String]
  ) throws(ConfigurationError) -> Request {
    let known = settings + [configSetting]
    let names = Set(known.map(\.name))
    precondition(names.count == known.count, "two settings of the process have one name")
    var flags: [String: String] = [:]
    var task: String?
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--help" || argument == "-h" { return .help }
      if argument == "--version" { return .version }
      let (name, inlineValue) = split(argument)
      guard argument.hasPrefix("--"), let setting = known.first(where: { $0.name == name }) else {
        // Without its value, which may be a secret after a mistyped name.
        let typed = argument.prefix { $0 != "=" }
        throw ConfigurationError("There is no option \(typed); see --help.")
      }
      if setting.isTask {
        if inlineValue != nil { throw ConfigurationError("--\(name) takes no value.") }
        if let task, task != name {
          throw ConfigurationError("--\(task) and --\(name) are done one after the other.")
        }
        task = name
      } else if let inlineValue {
        flags[name] = inlineValue
      } else if case .flag = setting.kind {
        flags[name] = "true"
      } else if let value = rest.popFirst() {
        flags[name] = value
      } else {
        throw ConfigurationError("--\(name) needs a value; see --help.")
      }
    }
    var values: [String: String] = [:]
    let file = flags["config"] ?? environment[configSetting.environmentName]
    let lines = try file.map(readFile) ?? [:]
    for name in lines.keys where !names.contains(name) {
      throw ConfigurationError("The configuration file has an unknown setting: \(name).")
    }
    for task in known where task.isTask && lines[task.name] != nil {
      throw ConfigurationError("--\(task.name) is said on the command line alone.")
    }
    var numbers: [NumberSetting: Int] = [:]
    for setting in known where !setting.isTask {
      let value =
        flags[setting.name] ?? environment[setting.environmentName] ?? lines[setting.name]
        ?? setting.fallback
      values[setting.name] = value
      guard let value else { continue }
      if case .number(let number) = setting.kind {
        numbers[number] = try parse(value, number)
      } else {
        try check(value, setting)
      }
    }
    let allNumbers = SettingValues(Array(numbers.keys), numbers)
    let configuration = Configuration(values: values, numbers: allNumbers)
    if let task { return .perform(task: task, configuration) }
    return .run(configuration)
  }

  static let configSetting = Setting(
    "config",
    "A file with a line `name = value` for each setting; a line that begins with # is a comment.")

  private static func split(_ argument: String) -> (name: String, value: String?) {
    let text = argument.drop { $0 == "-" }
    guard let equals = text.firstIndex(of: "=") else { return (String(text), nil) }
    return (String(text[..<equals]), String(text[text.index(after: equals)...]))
  }

  private static func readFile(_ path: String) throws(ConfigurationError) -> [String: String] {
    guard let text = SystemFile.text(of: path) else {
      throw ConfigurationError("The configuration file \(path) cannot be read.")
    }
    var values: [String: String] = [:]
    for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated()
    {
      if line.trimmed.isEmpty || line.trimmed.hasPrefix("#") { continue }
      guard let equals = line.firstIndex(of: "=") else {
        throw ConfigurationError("\(path), line \(number + 1): `name = value` is expected.")
      }
      values[line[..<equals].trimmed] = line[line.index(after: equals)...].trimmed
    }
    return values
  }

  private static func parse(_ value: String, _ setting: NumberSetting) throws(ConfigurationError)
    -> Int
  {
    guard let number = Int(value), setting.bounds.contains(number) else {
      throw ConfigurationError(
        "--\(setting.name) takes a whole number from \(setting.bounds.lowerBound) to "
          + "\(setting.bounds.upperBound), not \(value).")
    }
    return number
  }

  private static func check(_ value: String, _ setting: Setting) throws(ConfigurationError) {
    if setting.isSecret, value.unicodeScalars.contains(where: \.isBlankOrControl) {
      throw ConfigurationError(
        "--\(setting.name) contains a blank or a control character; a comment stands on a line of "
          + "its own.")
    }
    switch setting.kind {
    case .text, .number, .task: break
    case .flag:
      guard ["true", "yes", "1", "false", "no", "0"].contains(value) else {
        throw ConfigurationError("--\(setting.name) takes true or false, not \(value).")
      }
    case .choice(let words):
      guard words.contains(value) else {
        throw ConfigurationError(
          "--\(setting.name) takes one of \(words.joined(separator: ", ")), not \(value).")
      }
    }
  }
}

extension Unicode.Scalar {
  fileprivate var isBlankOrControl: Bool {
    properties.isWhitespace || properties.generalCategory == .control
  }
}

extension Configuration {
  public subscript(_ name: String) -> String? { values[name] }

  public func required(_ name: String) throws(ConfigurationError) -> String {
    guard let value = values[name], !value.isEmpty else {
      throw ConfigurationError("--\(name) is required; see --help.")
    }
    return value
  }

  public func flag(_ name: String) -> Bool { ["true", "yes", "1"].contains(values[name] ?? "") }
}

/// The text of `--help`.
public enum Help {
  public static func text(program: String, summary: String, settings: [Setting]) -> String {
    var lines = ["\(program): \(summary)", "", "usage: \(program) [options]", "", "options:"]
    for setting in settings + [Configuration.configSetting] where !setting.isTask {
      var notes = [setting.environmentName]
      if let fallback = setting.fallback, !setting.isSecret { notes.append("default \(fallback)") }
      switch setting.kind {
      case .choice(let words): notes.append("one of \(words.joined(separator: ", "))")
      case .number(let number): notes.append(range(of: number))
      case .text, .flag, .task: break
      }
      let value = if case .flag = setting.kind { "" } else { " VALUE" }
      lines.append("  --\(setting.name)\(value)  (\(notes.joined(separator: "; ")))")
      lines.append("      \(setting.help)")
    }
    lines += ["  --help", "      Prints this.", "  --version", "      Prints the version."]
    let tasks = settings.filter(\.isTask)
    if !tasks.isEmpty { lines += ["", "to be done once, in place of running:"] }
    for task in tasks { lines += ["  --\(task.name)", "      \(task.help)"] }
    lines += ["", "A flag wins over its MUSTER_ variable, and that over the configuration file."]
    return lines.joined(separator: "\n")
  }

  private static func range(of number: NumberSetting) -> String {
    let range = "\(number.bounds.lowerBound) to \(number.bounds.upperBound)"
    return number.unit == .count ? range : "\(range) \(number.unit)"
  }
}
