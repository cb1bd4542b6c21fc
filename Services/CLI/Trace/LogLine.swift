import MusterKit
import Wire

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A line that one of Muster's processes has logged, for people or as JSON, whatever a journal or a
/// container's log has put before it.
struct LogLine: Equatable {
  struct Value: Equatable {
    var name: String
    var text: String
  }

  /// As ISO 8601 has it, in UTC: of one length, so that texts are in the order of times.
  var time = ""
  var level = ""
  /// The process that wrote it, and what in it.
  var source = ""
  var event = ""
  var values: [Value] = []

  var trace: TraceID? {
    values.first { $0.name == "trace" }.flatMap { TraceID($0.text) }
  }

  /// Nil for a line of something else.
  init?(_ line: String) {
    self.init()
    // `journalctl --output=json` has the line as a text in its own JSON.
    let line = line.hasPrefix("{") ? Self.message(ofJournal: line) ?? line : line
    let isRead =
      line.contains("{\"time\":\"") ? readJSON(line) : readText(Array(line.unicodeScalars))
    if !isRead { return nil }
  }

  private init() {}

  private struct JournalEntry: Decodable {
    var MESSAGE: String?
  }

  private static func message(ofJournal line: String) -> String? {
    try? JSONDecoder().decode(JournalEntry.self, from: Data(line.utf8)).MESSAGE
  }

  // MARK: For machines

  private mutating func readJSON(_ line: String) -> Bool {
    let scalars = Array(line.unicodeScalars)
    guard let start = scalars.firstIndex(of: "{") else { return false }
    var scanner = LogScanner(scalars[(start + 1)...])
    var subsystem = ""
    repeat {
      guard let name = scanner.quoted(), scanner.take(":"), let text = scanner.quoted() else {
        return false
      }
      switch name {
      case "time": time = text
      case "level": level = text
      case "source": source = text
      case "event": event = text
      case "subsystem": subsystem = " \(text)"
      default: values.append(Value(name: name, text: text))
      }
    } while scanner.take(",")
    // Where the line for people has it.
    source += subsystem
    return !time.isEmpty && !event.isEmpty
  }

  // MARK: For people

  private mutating func readText(_ scalars: [Unicode.Scalar]) -> Bool {
    guard let start = scalars.indices.first(where: { Self.isTime(scalars[$0...]) }) else {
      return false
    }
    var scanner = LogScanner(scalars[start...])
    time = scanner.word()
    level = scanner.word()
    guard ["debug", "info", "warning", "error"].contains(level),
      let source = scanner.text(before: ": ")
    else { return false }
    self.source = source
    var words: [String] = []
    while !scanner.isAtEnd {
      guard let name = scanner.name() else {
        words.append(scanner.word())
        continue
      }
      guard let text = scanner.isQuote ? scanner.quoted() : scanner.word() else { return false }
      _ = scanner.take(" ")
      values.append(Value(name: name, text: text))
    }
    event = words.joined(separator: " ")
    return !event.isEmpty
  }

  /// Whether a time begins here, as in `2026-11-20T18:30:00.250Z `.
  private static func isTime(_ rest: ArraySlice<Unicode.Scalar>) -> Bool {
    let form = "0000-00-00T00:00:00.000Z ".unicodeScalars
    guard rest.count > form.count else { return false }
    return zip(rest, form).allSatisfy { $1 == "0" ? ("0"..."9").contains($0) : $0 == $1 }
  }
}

extension LogLine {
  /// As a process writes it for people.
  var text: String {
    let pairs = values.map { " \($0.name)=\(Self.quotedIfNeeded($0.text))" }.joined()
    return "\(time) \(level) \(source): \(event)\(pairs)"
  }

  var tree: Tree {
    let fixed = [("time", time), ("level", level), ("source", source), ("event", event)]
    return .object(
      fixed.map { .init(name: $0, value: .text($1)) }
        + values.map { .init(name: $0.name, value: .text($0.text)) })
  }

  private static func quotedIfNeeded(_ text: String) -> String {
    let isPlain =
      !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && $0 != 0x22 && $0 != 0x3d }
    return isPlain ? text : JSONText.of(.text(text))
  }
}
