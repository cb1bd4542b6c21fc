#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// One line per event on standard error, for people or as JSON. Whoever has an event never waits
/// for the line to be read (see `LineWriter`).
///
/// Values are what the caller names, so secrets stay out by never being named; text that came from
/// a peer is escaped, so that it cannot forge a line.
public struct Log: Sendable {
  public enum Level: Int, Comparable, Sendable, CaseIterable {
    case debug, info, warning, error
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    public var name: String { "\(self)" }
  }

  public enum Format: String, Sendable, CaseIterable {
    case human, json
  }

  /// The process, in each line.
  public let source: String
  public let format: Format
  /// What the lines are about; nil for what concerns the process as a whole.
  public private(set) var subsystem: Subsystem?
  private let levels: Levels
  private var level: Level
  private let writer: LineWriter
  private let noteOfLoss: LineWriter.Note

  public init(source: String, levels: Levels, format: Format = .human) {
    self.init(source: source, levels: levels, format: format, to: .errors)
  }

  init(source: String, levels: Levels, format: Format, to writer: LineWriter) {
    self.source = source
    self.format = format
    self.levels = levels
    self.writer = writer
    noteOfLoss = { Self.lineOfLoss($0, source: source, format: format) }
    level = levels.general
  }

  public init(source: String, level: Level = .info, format: Format = .human) {
    self.init(source: source, levels: Levels(general: level), format: format)
  }

  /// Lines that were not written, of all logs of the process.
  var lostLineCount: UInt64 { writer.lostCount }

  /// The same log, for lines about one subsystem.
  public subscript(_ subsystem: Subsystem) -> Log {
    var log = self
    log.subsystem = subsystem
    log.level = levels[subsystem]
    return log
  }

  /// True when lines of the level are written: what is only for them need not be put together else.
  public func has(_ level: Level) -> Bool { level >= self.level }

  public func debug(_ event: String, _ values: KeyValuePairs<String, String> = [:]) {
    write(.debug, event, values)
  }
  public func info(_ event: String, _ values: KeyValuePairs<String, String> = [:]) {
    write(.info, event, values)
  }
  public func warning(_ event: String, _ values: KeyValuePairs<String, String> = [:]) {
    write(.warning, event, values)
  }
  public func error(_ event: String, _ values: KeyValuePairs<String, String> = [:]) {
    write(.error, event, values)
  }

  func write(
    _ level: Level, _ event: String, _ values: KeyValuePairs<String, String>
  ) {
    guard has(level) else { return }
    let line = Self.line(
      at: ProcessShell.clock(), level, source: source, about: subsystem, event, values,
      format: format)
    // A log that cannot be written, on a full disk or to a pipe that nobody reads any more, must
    // neither end the process nor hold it up.
    writer.write(line, isUrgent: level >= .warning, note: noteOfLoss)
  }

  static func line(
    at milliseconds: Int64, _ level: Level, source: String, about subsystem: Subsystem? = nil,
    _ event: String, _ values: KeyValuePairs<String, String>, format: Format
  ) -> String {
    let time = time(milliseconds)
    switch format {
    case .human:
      let pairs = values.map { " \($0)=\(quotedIfNeeded($1))" }.joined()
      let about = subsystem.map { " \($0.rawValue)" } ?? ""
      return "\(time) \(level.name) \(source)\(about): \(event)\(pairs)\n"
    case .json:
      var fixed = [("time", time), ("level", level.name), ("source", source), ("event", event)]
      if let subsystem { fixed.append(("subsystem", subsystem.rawValue)) }
      let all = fixed + values.map { ($0.key, $0.value) }
      return "{" + all.map { "\(quoted($0.0)):\(quoted($0.1))" }.joined(separator: ",") + "}\n"
    }
  }

  /// As ISO 8601 has it, in UTC: `2026-11-20T18:30:00.250Z`.
  static func time(_ milliseconds: Int64) -> String {
    var seconds = time_t(milliseconds / 1000)
    var parts = unsafe tm()
    unsafe gmtime_r(&seconds, &parts)
    let text = unsafe String(unsafeUninitializedCapacity: 32) { buffer in
      unsafe buffer.withMemoryRebound(to: CChar.self) { characters in
        unsafe strftime(characters.baseAddress, characters.count, "%Y-%m-%dT%H:%M:%S", &parts)
      }
    }
    let fraction = String(milliseconds % 1000 + 1000).dropFirst()
    return "\(text).\(fraction)Z"
  }

  private static func quotedIfNeeded(_ text: String) -> String {
    let isPlain =
      !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && $0 != 0x22 && $0 != 0x3d }
    return isPlain ? text : quoted(text)
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case _ where isUnseen(scalar):
        for unit in UTF16.encode(scalar).map(Array.init) ?? [] {
          let digits = String(unit, radix: 16)
          result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// Controls, also those of eight bits, line ends of any kind, and marks that turn text around:
  /// what a terminal or a reader would take for something else than text.
  private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
