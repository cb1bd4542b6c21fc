import Wire

extension Log {
  /// What a line can be about. Each is named in `--help` and may have a level of its own.
  public enum Subsystem: String, Sendable, CaseIterable {
    /// Connections of games.
    case clients
    /// Proofs of identity, and the providers that vouch for them.
    case identities
    /// Connections of Muster's other processes to this one.
    case peers
    /// The services' processes that this one is connected to.
    case services
    /// The files that a service keeps.
    case store
    /// What changes other keys, at this process or another.
    case effects
    /// What is to be done at a time.
    case timers
    /// Players who were erased.
    case erasures
    /// The push hook.
    case push
  }

  /// The least level to log: of all lines, and of some subsystems.
  public struct Levels: Sendable, Equatable {
    public var general: Level
    private var others: [Subsystem: Level] = [:]

    public init(general: Level = .info) { self.general = general }

    public subscript(subsystem: Subsystem) -> Level { others[subsystem] ?? general }

    /// Reads `info,clients=debug`: a level for all and levels for subsystems, in any order.
    public init(_ text: String) throws(ConfigurationError) {
      var general: Level?
      for item in text.split(separator: ",", omittingEmptySubsequences: false) {
        let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let words = parts.map(\.trimmed)
        guard words.count == 2 else {
          if general != nil {
            throw ConfigurationError("takes one level for all, and others for subsystems.")
          }
          general = try Self.level(words[0])
          continue
        }
        guard let subsystem = Subsystem(rawValue: words[0]) else {
          throw ConfigurationError(
            Words.fault(in: words[0], of: Subsystem.allCases.map(\.rawValue)) ?? "")
        }
        others[subsystem] = try Self.level(words[1])
      }
      self.general = general ?? .info
    }

    private static func level(_ word: String) throws(ConfigurationError) -> Level {
      if let level = Level.allCases.first(where: { $0.name == word }) { return level }
      throw ConfigurationError(Words.fault(in: word, of: Level.allCases.map(\.name)) ?? "")
    }

    /// What is wrong with a text, as the end of a sentence.
    static func fault(in text: String) -> String? {
      do {
        _ = try Levels(text)
        return nil
      } catch { return error.description }
    }

    static let form =
      "one of \(Level.allCases.map(\.name).joined(separator: ", ")); then, with commas, "
      + "SUBSYSTEM=LEVEL, of \(Subsystem.allCases.map(\.rawValue).joined(separator: ", "))"
  }
}
