import Foundation
import Terminal
import Testing
import Wire

@testable import muster

/// The lines of a trace are found in logs of either format, wherever they come from.
@Suite struct TraceTests {
  private static let id = "000000000000000000000000000000ab"
  private let trace = TraceID(high: 0, low: 0xab)

  private static let human =
    "2026-11-20T18:30:00.250Z warning leaderboard 1/2 peers: call failed trace=\(id) operation=Add "
    + "reason=\"unavailable: Not \\\"now\\\", or\\u0009then.\" microseconds=12"
  private static let json =
    #"{"time":"2026-11-20T18:30:00.250Z","level":"warning","source":"leaderboard 1/2","#
    + #""event":"call failed","subsystem":"peers","trace":"\#(id)","operation":"Add","#
    + #""reason":"unavailable: Not \"now\", or\u0009then.","microseconds":"12"}"#

  private func journal(_ message: String) throws -> String {
    let entry = ["MESSAGE": message, "_PID": "7", "PRIORITY": "6"]
    return String(decoding: try JSONEncoder().encode(entry), as: UTF8.self)
  }

  @Test("the two formats say the same, whatever stands before the line")
  func formats() throws {
    let line = try #require(LogLine(Self.human))
    #expect(line.time == "2026-11-20T18:30:00.250Z" && line.level == "warning")
    #expect(line.source == "leaderboard 1/2 peers" && line.event == "call failed")
    #expect(line.trace == trace)
    #expect(line.values.map(\.name) == ["trace", "operation", "reason", "microseconds"])
    #expect(line.values[2].text == "unavailable: Not \"now\", or\tthen.")
    for text in [Self.human, Self.json] {
      #expect(LogLine(text) == line)
      for prefix in [
        "Nov 20 18:30:00 host muster-leaderboard[71]: ", "leaderboard-1  | ",
        "2026-11-20T18:30:00+0000 host muster[1]: ",
      ] {
        #expect(LogLine(prefix + text) == line, "\(prefix)\(text)")
      }
      #expect(LogLine(try journal(text)) == line)
    }
    #expect(LogLine(line.text) == line && LogLine(JSONText.of(line.tree)) == line)
  }

  @Test(
    "a line of something else is none",
    arguments: [
      "", "trace=\(id)", "2026-11-20T18:30:00.250Z",
      "2026-11-20T18:30:00.250Z loud a: b trace=\(id)",
      "{\"time\":\"2026-11-20T18:30:00.250Z\",\"trace\":\"\(id)\"", "{\"MESSAGE\":\"\(id)\"}",
      "2026-11-20T18:30:00.250Z info a: b reason=\"\(id)",
    ])
  func others(_ text: String) { #expect(LogLine(text)?.trace == nil) }

  @Test("what a peer wrote into a text is not taken for a line's trace")
  func quoted() {
    let line = "2026-11-20T18:30:00.250Z info a: b reason=\"x trace=\(Self.id) y\" operation=Add"
    #expect(LogLine(line)?.trace == nil && LogLine(line)?.values.count == 2)
    let text =
      #"{"time":"1","level":"info","source":"a","event":"b","x":"\",\"trace\":\"\#(Self.id)"}"#
    #expect(LogLine(text)?.trace == nil)
  }

  @Test("lines of all files come in the order of their times, and of other traces none")
  func order() throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "muster-trace-\(UInt64.random(in: 0 ... .max))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func line(_ second: Int, _ source: String, _ event: String, _ id: String = Self.id) -> String {
      "2026-11-20T18:30:0\(second).000Z debug \(source): \(event) trace=\(id)"
    }
    let other = String(repeating: "1", count: 32)
    let logs = [
      "one": [line(1, "gateway", "a"), line(5, "gateway", "e"), line(5, "gateway", "f")],
      "two": [
        line(3, "context", "c", other) + " reason=\(Self.id)", "nothing \(Self.id)",
        line(4, "context", "d"),
      ],
    ]
    for (name, lines) in logs {
      // The last line has no end yet.
      try Data(lines.joined(separator: "\r\n").utf8).write(to: folder.appending(path: name))
    }
    let files = ["two", "one"].map { LogFile(path: folder.appending(path: $0).path) }
    let found = try TraceCommand.lines(of: trace, in: files)
    #expect(found.map(\.event) == ["a", "d", "e", "f"])
    for path in ["/no/such/log", folder.path] {
      #expect(throws: UsageError.self) {
        try TraceCommand.lines(of: trace, in: [LogFile(path: path)])
      }
    }
  }

  @Test("one line is not several")
  func counts() {
    #expect([0, 1, 2].map(TraceCommand.count) == ["0 lines", "1 line", "2 lines"])
  }

  @Test(
    "an id that is no trace is told",
    arguments: ["", "ab", String(repeating: "0", count: 32), String(repeating: "g", count: 32)])
  func malformed(_ text: String) {
    #expect(throws: UsageError.self) { try TraceCommand.trace(text) }
    #expect((try? TraceCommand.trace(Self.id.uppercased())) == trace)
  }
}
