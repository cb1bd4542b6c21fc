import MusterKit
import Wire

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// `muster trace`: what the processes of a deployment have logged of one call.
enum TraceCommand {
  static let command = Command(
    "trace", "ID [FILE]...",
    "the log lines of one call, and of all that it led to, in all processes: from log files, or "
      + "from standard input"
  ) { session in
    let trace = try trace(session.word(0, "ID"))
    let lines = try lines(of: trace, in: files(session.arguments.words.dropFirst()))
    if lines.isEmpty {
      throw UsageError.missing(
        "No line has the trace \(trace). Of a call that went well, or was refused as it should be, "
          + "the processes have lines with the log level debug alone.")
    }
    for line in lines { session.output.print(session.output.isJSON ? line.json : line.text) }
    let sources = Set(lines.map(\.source)).sorted().joined(separator: ", ")
    session.output.note("\(count(lines.count)), of \(sources)")
  }

  static func count(_ lines: Int) -> String { lines == 1 ? "1 line" : "\(lines) lines" }

  static func trace(_ text: String) throws(UsageError) -> TraceID {
    guard let trace = TraceID(text), !trace.isNil else {
      throw UsageError(
        "ID is the trace that an error or a log line has, 32 hexadecimal digits, not \(text).")
    }
    return trace
  }

  /// The lines of a trace in the order of their times; of one time, in the order of the logs.
  static func lines(of trace: TraceID, in files: [LogFile]) throws(UsageError) -> [LogLine] {
    var lines: [LogLine] = []
    for file in files {
      try file.lines(with: trace.description) { text in
        // The text of a failure may quote a trace of another line.
        if let line = LogLine(text), line.trace == trace { lines.append(line) }
      }
    }
    return lines.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
      .map(\.element)
  }

  private static func files(_ paths: ArraySlice<String>) throws(UsageError) -> [LogFile] {
    if !paths.isEmpty { return paths.map { LogFile(path: $0) } }
    if isatty(STDIN_FILENO) == 1 {
      throw UsageError("FILE is missing: name logs, or pipe them in, as from journalctl.")
    }
    return [LogFile(path: LogFile.input)]
  }
}

extension LogLine {
  fileprivate var json: String { JSONText.of(tree) }
}
