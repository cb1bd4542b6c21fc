// What games have from os.Logger: messages whose parts say whether others may read them.

public enum LogPrivacy: Sendable { case sensitive, `private`, `public` }

public struct LogMessage: ExpressibleByStringInterpolation {
  public struct StringInterpolation: StringInterpolationProtocol {
    var text = ""
    public init(literalCapacity: Int, interpolationCount: Int) {}
    public mutating func appendLiteral(_ literal: String) { text += literal }
    public mutating func appendInterpolation(_ value: Any, privacy: LogPrivacy = .private) {
      text += privacy == .public ? "\(value)" : "<private>"
    }
  }

  let text: String
  public init(stringLiteral value: String) { text = value }
  public init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }
}

public struct Logger: Sendable {
  public init() {}
  public func log(_ message: LogMessage) { print(message.text) }
  public func info(_ message: LogMessage) { print(message.text) }
  public func error(_ message: LogMessage) { print(message.text) }
}
