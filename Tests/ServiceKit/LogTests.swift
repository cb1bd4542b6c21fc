import Foundation
import Testing

@testable import ServiceKit

@Suite struct LogTests {
  private func line(
    _ values: KeyValuePairs<String, String>, _ format: Log.Format, event: String = "event"
  ) -> String {
    Log.line(
      at: 1_792_521_000_025, .info, source: "muster", event, values, format: format)
  }

  @Test("lines for people and for machines")
  func formats() {
    let human = line(["peer": "a", "text": "two words"], .human)
    #expect(human.hasSuffix(" info muster: event peer=a text=\"two words\"\n"))
    #expect(human.hasPrefix("2026-10-20T18:30:00.025Z "))
    let json = line(["peer": "a"], .json)
    #expect(
      json.contains("\"level\":\"info\",\"source\":\"muster\",\"event\":\"event\",\"peer\":\"a\""))
  }

  @Test(
    "what a peer sent forges no line and no field",
    arguments: [
      "a\nerror muster: forged", "a\r\nforged", "\u{1b}[2J", "a\" forged=\"b", "a forged=b", "",
      "tab\there", "\u{2028}next", "\u{85}next", "\\", "\u{7f}", "\u{9b}2J", "\u{202e}desrever",
      "\u{e0041}",
    ])
  func escapes(text: String) throws {
    for format in Log.Format.allCases {
      let written = line(["name": text], format)
      #expect(written.hasSuffix("\n"))
      #expect(!written.dropLast().unicodeScalars.contains { $0.value < 0x20 })
      #expect(!written.dropLast().contains { $0.isNewline })
      #expect(
        !written.dropLast().unicodeScalars.contains {
          ["\u{7f}", "\u{9b}", "\u{202e}", "\u{e0041}"].contains($0)
        })
      #expect(!written.hasSuffix(" forged=b\n"))
    }
    let json = try JSONSerialization.jsonObject(with: Data(line(["name": text], .json).utf8))
    #expect((json as? [String: String])?["name"] == text)
  }

  #if os(Linux)
    @Test("a log on a full disk does not end the process")
    func fullDisk() async {
      await #expect(processExitsWith: .success) {
        let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
        dup2(full.fileDescriptor, STDERR_FILENO)
        Log(source: "test").error("disk full")
      }
    }
  #endif

  @Test("a line names its subsystem, and a log without one none")
  func subsystems() {
    func line(_ format: Log.Format, _ subsystem: Log.Subsystem?) -> String {
      Log.line(
        at: 0, .info, source: "muster-request 2/4", about: subsystem, "event", [:], format: format)
    }
    #expect(line(.human, .peers).hasSuffix("Z info muster-request 2/4 peers: event\n"))
    #expect(line(.human, nil).hasSuffix("Z info muster-request 2/4: event\n"))
    #expect(line(.json, .peers).contains("\"event\":\"event\",\"subsystem\":\"peers\"}"))
    #expect(!line(.json, nil).contains("subsystem"))
  }

  @Test("a level for all, and others for subsystems, in any order")
  func levelsBySubsystem() throws {
    let levels = try Log.Levels("clients=debug, warning ,peers = error")
    #expect(levels.general == .warning)
    #expect(levels[.clients] == .debug && levels[.peers] == .error && levels[.store] == .warning)
    #expect(try Log.Levels("push=error").general == .info)
    for (text, fault) in [
      ("loud", "takes one of debug, info, warning, error, not loud."),
      ("", "takes one of debug, info, warning, error, not ."),
      ("warnin", "Did you mean warning?"), ("info,clents=debug", "Did you mean clients?"),
      ("clients=loud", "not loud"), ("info,debug", "takes one level for all"),
      ("info,", "takes one level for all"), ("clients=debug=info", "not debug=info"),
    ] {
      #expect(Log.Levels.fault(in: text)?.contains(fault) == true, "\(text)")
    }
  }

  @Test("each subsystem's lines are written from its own level on")
  func writtenLevels() async throws {
    let result = try #require(
      await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        defer { LineWriter.errors.flush() }
        let log = Log(source: "test", levels: try Log.Levels("warning,clients=debug,peers=error"))
        log.info("one")
        log.warning("two")
        log[.clients].debug("three")
        log[.peers].warning("four")
        log[.peers].error("five")
        log[.peers][.clients].debug("six")
      })
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    let lines = text.split(separator: "\n").filter { $0.contains(" test") }
    #expect(lines.compactMap { $0.split(separator: " ").last } == ["two", "three", "five", "six"])
  }

  @Test("levels are in order")
  func levels() {
    #expect(Log.Level.allCases.sorted() == [.debug, .info, .warning, .error])
    #expect(Log.Level.allCases.map(\.name) == ["debug", "info", "warning", "error"])
  }
}
