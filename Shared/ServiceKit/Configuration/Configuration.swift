public import Domain
import Wire

/// The values of a process's settings: flags over `MUSTER_*` variables over a file over fallbacks.
public struct Configuration: Sendable {
  private var values: [String: String]
  /// The values of all number settings.
  public let numbers: SettingValues
  /// Nil where none is named.
  public let file: ConfigurationFile?

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
    var faults = ConfigurationFaults()
    let request = try read(
      settings, arguments: arguments, environment: environment, noting: &faults)
    if let error = faults.error { throw error }
    return request
  }

  /// As above, but notes what is wrong with names and values, so that a check can go on with all
  /// else: a wrong value stays as it is written, and a wrong number is the fallback. Throws where
  /// the command line or the file cannot be read.
  static func read(
    _ settings: [Setting], arguments: [String], environment: [String: String],
    noting faults: inout ConfigurationFaults
  ) throws(ConfigurationError) -> Request {
    let known = settings + [configSetting]
    precondition(
      Set(known.map(\.name)).count == known.count, "two settings of the process have one name")
    let flags: [String: String]
    let task: String?
    switch try said(arguments, known) {
    case .help: return .help
    case .version: return .version
    case .flags(let values, let named): (flags, task) = (values, named)
    }
    faults.attempt { try checkVariables(environment, known) }
    let path = flags["config"] ?? environment[configSetting.environmentName]
    let lines: [String: String]? = faults.attempt { try path.map(readFile) ?? [:] }
    faults.attempt { try checkLines(lines ?? [:], known) }
    let configuration = configuration(of: known, path, lines ?? [:], noting: &faults) {
      flags[$0.name] ?? environment[$0.environmentName]
    }
    if lines == nil, let error = faults.error { throw error }
    if let task { return .perform(task: task, configuration) }
    return .run(configuration)
  }

  /// - Parameters:
  ///   - path: the file that the lines are of.
  ///   - overruling: what a flag or a variable says of a setting.
  private static func configuration(
    of settings: [Setting], _ path: String?, _ lines: [String: String],
    noting faults: inout ConfigurationFaults, overruling: (Setting) -> String?
  ) -> Configuration {
    var values: [String: String] = [:]
    var numbers: [NumberSetting: Int] = [:]
    for setting in settings where !setting.isTask {
      let value = overruling(setting) ?? lines[setting.name] ?? setting.fallback
      values[setting.name] = value
      guard let value else { continue }
      faults.attempt { try take(value, setting, &numbers) }
    }
    let file = path.map { path in
      ConfigurationFile(path, lines, of: settings) { overruling($0) != nil }
    }
    return Configuration(
      values: values, numbers: SettingValues(Array(numbers.keys), numbers), file: file)
  }

  static let configSetting = Setting(
    "config",
    "A file with a line `name = value` for each setting; a line that begins with # is a comment.")

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

  /// Whether a start takes the value.
  static func takes(_ value: String, _ setting: Setting) -> Bool {
    var numbers: [NumberSetting: Int] = [:]
    do throws(ConfigurationError) {
      try take(value, setting, &numbers)
      return true
    } catch { return false }
  }

  private static func take(
    _ value: String, _ setting: Setting, _ numbers: inout [NumberSetting: Int]
  ) throws(ConfigurationError) {
    if setting.isSecret, value.unicodeScalars.contains(where: \.isBlankOrControl) {
      throw ConfigurationError(
        "--\(setting.name) contains a blank or a control character; a comment stands on a line of "
          + "its own.")
    }
    switch setting.kind {
    case .text, .task: break
    case .number(let number):
      numbers[number] = number.fallback
      numbers[number] = try parse(value, number)
    case .flag:
      guard ["true", "yes", "1", "false", "no", "0"].contains(value) else {
        throw ConfigurationError("--\(setting.name) takes true or false, not \(value).")
      }
    case .choice(let words):
      if let fault = Words.fault(in: value, of: words) {
        throw ConfigurationError("--\(setting.name) \(fault)")
      }
    case .parsed(_, let fault):
      if let text = fault(value) { throw ConfigurationError("--\(setting.name) \(text)") }
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
      case .parsed(let form, _): notes.append(form)
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
