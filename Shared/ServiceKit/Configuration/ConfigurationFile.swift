/// The configuration file of a process, as it was at the start. No other reading of it is used, so
/// that a line which was changed since counts from the next start on.
public struct ConfigurationFile: Sendable {
  /// What the file is like now.
  enum Look: Equatable, Sendable {
    /// A start would find the same values.
    case same
    /// A start would find other values of these settings, which are in the order of their names.
    case changed([String])
    /// No start could read it; why, without a value.
    case unreadable(String)
  }

  let path: String
  /// The values of the file's lines, by the names of their settings.
  private let lines: [String: String]
  private let fallbacks: [String: String]
  /// The settings that a flag or a variable says, whatever the file has.
  private let overruled: Set<String>

  init(
    _ path: String, _ lines: [String: String], of settings: [Setting],
    isOverruled: (Setting) -> Bool
  ) {
    (self.path, self.lines) = (path, lines)
    fallbacks = Dictionary(
      uniqueKeysWithValues: settings.compactMap { setting in
        setting.fallback.map { (setting.name, $0) }
      })
    overruled = Set(settings.filter(isOverruled).map(\.name))
  }

  /// Reads the file, and so is for a thread that may block.
  func look() -> Look {
    // A pipe was read to its end at the start, and may have no writer now to wait for.
    if !SystemFile.mayBeReadAgain(path) { return .same }
    do throws(ConfigurationError) {
      let names = changes(in: try Configuration.readFile(path))
      return names.isEmpty ? .same : .changed(names)
    } catch { return .unreadable(error.description) }
  }

  private func changes(in new: [String: String]) -> [String] {
    Set(lines.keys).union(new.keys).subtracting(overruled).sorted().filter { name in
      (lines[name] ?? fallbacks[name]) != (new[name] ?? fallbacks[name])
    }
  }
}
