/// The configuration file of a process, as it was at the start. No other reading of it is used, so
/// that a line which was changed since counts from the next start on.
public struct ConfigurationFile: Sendable {
  /// What the file is like now.
  enum Look: Equatable, Sendable {
    /// A start would find the same values.
    case same
    /// A start would find other values of these settings, which are in the order of their names.
    case changed([String])
    /// No start could read it, or would take what it says; why, without a value.
    case unreadable(String)
  }

  let path: String
  /// The values of the file's lines, by the names of their settings.
  private let lines: [String: String]
  private let settings: [Setting]
  /// The settings that a flag or a variable says, whatever the file has.
  private let overruled: Set<String>

  init(
    _ path: String, _ lines: [String: String], of settings: [Setting],
    isOverruled: (Setting) -> Bool
  ) {
    (self.path, self.lines, self.settings) = (path, lines, settings)
    overruled = Set(settings.filter(isOverruled).map(\.name))
  }

  /// Reads the file, and so is for a thread that may block.
  func look() -> Look {
    // A pipe was read to its end at the start, and may have no writer now to wait for.
    if !SystemFile.mayBeReadAgain(path) { return .same }
    do throws(ConfigurationError) {
      let new = try Configuration.readFile(path)
      try check(new)
      let names = changes(in: new)
      return names.isEmpty ? .same : .changed(names)
    } catch { return .unreadable(error.texts.joined(separator: " ")) }
  }

  /// Throws what a start would refuse of the lines, by the names of settings alone: what stands for
  /// another name may be the second line of a secret.
  private func check(_ new: [String: String]) throws(ConfigurationError) {
    var faults = ConfigurationFaults()
    let known = new.filter { line in settings.contains { $0.name == line.key } }
    if known.count < new.count {
      faults.add("The configuration file has an unknown setting; --check names it.")
    }
    faults.attempt { try Configuration.checkLines(known, settings) }
    for setting in settings where !setting.isTask && !overruled.contains(setting.name) {
      guard let value = known[setting.name] else { continue }
      if !Configuration.takes(value, setting) {
        faults.add("--\(setting.name) does not take its new value.")
      }
    }
    if let error = faults.error { throw error }
  }

  private func changes(in new: [String: String]) -> [String] {
    settings.filter { setting in
      !overruled.contains(setting.name)
        && (lines[setting.name] ?? setting.fallback) != (new[setting.name] ?? setting.fallback)
    }
    .map(\.name).sorted()
  }
}
