import Spelling
import Wire

// What is written in the three places that settings come from.

extension Configuration {
  enum Said {
    case flags([String: String], task: String?)
    case help
    case version
  }

  /// Reads a command line, without the program's name.
  static func said(_ arguments: [String], _ known: [Setting]) throws(ConfigurationError) -> Said {
    var flags: [String: String] = [:]
    var task: String?
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--help" || argument == "-h" { return .help }
      if argument == "--version" { return .version }
      let (name, inlineValue) = split(argument)
      guard argument.hasPrefix("--"), let setting = known.first(where: { $0.name == name }) else {
        throw unknownOption(argument, known)
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
    return .flags(flags, task: task)
  }

  /// Names what was typed without its value, which may be a secret after a mistyped name.
  private static func unknownOption(_ argument: String, _ known: [Setting]) -> ConfigurationError {
    let typed = argument.prefix { $0 != "=" }
    let meant =
      typed.hasPrefix("--")
      ? Nearest.to(String(typed.dropFirst(2)), amongOrBeginning: known.map(\.name)) : nil
    return ConfigurationError(
      "There is no option \(typed); "
        + (meant.map { "did you mean --\($0)?" } ?? "see --help."))
  }

  private static func split(_ argument: String) -> (name: String, value: String?) {
    let text = argument.drop { $0 == "-" }
    guard let equals = text.firstIndex(of: "=") else { return (String(text), nil) }
    return (String(text[..<equals]), String(text[text.index(after: equals)...]))
  }

  /// Refuses variables whose names are nearly those of settings.
  ///
  /// Others are left alone: they may belong to another program of Muster, whose process shares the
  /// environment and knows its own settings.
  static func checkVariables(_ environment: [String: String], _ known: [Setting])
    throws(ConfigurationError)
  {
    let names = known.map(\.environmentName)
    var faults = ConfigurationFaults()
    for name in environment.keys.sorted() where name.hasPrefix("MUSTER_") && !names.contains(name) {
      guard let meant = nearestVariable(name, names) else { continue }
      faults.add("There is no variable \(name); did you mean \(meant)?")
    }
    if let error = faults.error { throw error }
  }

  /// The part that all names have in common makes none of them nearer.
  static func nearestVariable(_ name: String, _ names: [String]) -> String? {
    let prefix = "MUSTER_"
    return Nearest.to(
      String(name.dropFirst(prefix.count)), among: names.map { String($0.dropFirst(prefix.count)) }
    ).map { prefix + $0 }
  }

  static func checkLines(_ lines: [String: String], _ known: [Setting]) throws(ConfigurationError) {
    let names = known.map(\.name)
    var faults = ConfigurationFaults()
    for name in lines.keys.sorted() where !names.contains(name) {
      let meant = Nearest.to(name, amongOrBeginning: names)
      faults.add(
        "The configuration file has an unknown setting: \(name)."
          + (meant.map { " Did you mean \($0)?" } ?? ""))
    }
    for task in known where task.isTask && lines[task.name] != nil {
      faults.add("--\(task.name) is said on the command line alone.")
    }
    if let error = faults.error { throw error }
  }

  /// More than any setting's name has.
  private static let nameSizeMax = 64

  static func readFile(_ path: String) throws(ConfigurationError) -> [String: String] {
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
      let name = line[..<equals].trimmed
      // What is no name may be the second line of a secret, and is not told.
      guard isName(name) else {
        throw ConfigurationError(
          "\(path), line \(number + 1): a setting's name is lowercase letters and hyphens.")
      }
      values[name] = line[line.index(after: equals)...].trimmed
    }
    return values
  }

  private static func isName(_ text: String) -> Bool {
    1...nameSizeMax ~= text.utf8.count && text.utf8.allSatisfy { 0x61...0x7A ~= $0 || $0 == 0x2D }
  }
}

/// A value that is one of several words.
enum Words {
  /// What is wrong with a word that is none of these, as the end of a sentence.
  static func fault(in value: String, of words: [String]) -> String? {
    if words.contains(value) { return nil }
    let meant = Nearest.to(value, amongOrBeginning: words)
    return "takes one of \(words.joined(separator: ", ")), not \(value)."
      + (meant.map { " Did you mean \($0)?" } ?? "")
  }
}
