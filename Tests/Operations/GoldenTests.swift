import Catalog
import Foundation
import TestKit
import Testing
import Wire

/// The bytes of a sample of every message, as committed. A change here is a change of protocol: an
/// appended field only lengthens a line.
struct GoldenTests {
  private static let groups = ["frame"] + Service.allCases.map(\.name)

  private func golden(_ group: String) -> Committed {
    Committed(path: "Tests/Golden/\(group).golden")
  }

  @Test(arguments: groups) func bytesAreAsCommitted(_ group: String) throws {
    let entries = MessageCatalog.entries.filter { $0.group == group }
    let lines = entries.map { "\($0) \(hex($0.sample))\n" }
    try expectNothingVanished(golden(group), entries)
    try golden(group).expect(lines.joined())
  }

  @Test func committedBytesDecodeToTheSample() throws {
    guard !Committed.isUpdating else { return }
    for entry in MessageCatalog.entries {
      let lines = golden(entry.group).text?.split(separator: "\n") ?? []
      let line = try #require(lines.first { $0.hasPrefix("\(entry) ") || $0 == "\(entry)" })
      let bytes = try #require(unhex(line.dropFirst("\(entry)".count + 1)))
      #expect(entry.isSample(bytes), "\(entry)")
      expectSame(try entry.recoded(bytes), bytes, "\(entry)")
    }
  }

  /// An opcode that was ever committed is still used by the same name, or listed as retired.
  private func expectNothingVanished(_ file: Committed, _ entries: [CatalogEntry]) throws {
    let known = Set(entries.map(\.description))
    for line in file.text?.split(separator: "\n") ?? [] {
      let words = line.split(separator: " ")
      guard words.count >= 3, words[1] != "reply", words[0] != "-" else { continue }
      if known.contains(words[..<3].joined(separator: " ")) { continue }
      let opcode = try #require(UInt16(words[0].dropFirst(2), radix: 16))
      #expect(
        MessageCatalog.retiredOpcodes.contains(opcode),
        "\(words[2]) is gone or renamed: list \(words[0]) in MessageCatalog.retiredOpcodes")
    }
  }

  private func hex(_ bytes: [UInt8]) -> String {
    bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  private func unhex(_ text: Substring) -> [UInt8]? {
    guard text.utf8.count % 2 == 0 else { return nil }
    var bytes: [UInt8] = []
    var rest = text
    while let digits = rest.isEmpty ? nil : rest.prefix(2) {
      guard let byte = UInt8(digits, radix: 16) else { return nil }
      bytes.append(byte)
      rest = rest.dropFirst(2)
    }
    return bytes
  }
}
