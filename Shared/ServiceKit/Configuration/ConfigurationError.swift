/// What is wrong with a command line, an environment or a configuration file.
public struct ConfigurationError: Error, Equatable, CustomStringConvertible {
  /// At least one, each about another thing.
  public let texts: [String]
  public var description: String { texts.joined(separator: "\n") }

  public init(_ description: String) { texts = [description] }

  init(_ texts: [String]) {
    precondition(!texts.isEmpty, "an error without a word")
    self.texts = texts
  }
}

/// Gathers what is wrong, so that an operator reads all of it at once.
public struct ConfigurationFaults {
  private var texts: [String] = []

  public init() {}

  /// Nil when nothing is wrong.
  public var error: ConfigurationError? { texts.isEmpty ? nil : ConfigurationError(texts) }

  public mutating func add(_ text: String) { texts.append(text) }

  /// Notes what the body throws, and returns nil then.
  @discardableResult
  public mutating func attempt<Value>(_ body: () throws -> Value) -> Value? {
    do {
      return try body()
    } catch {
      texts += (error as? ConfigurationError)?.texts ?? ["\(error)"]
      return nil
    }
  }
}
