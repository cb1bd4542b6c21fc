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

  @Test("levels are in order")
  func levels() {
    #expect(Log.Level.allCases.sorted() == [.debug, .info, .warning, .error])
    #expect(Log.Level.allCases.map(\.name) == ["debug", "info", "warning", "error"])
  }
}
