import Catalog
import Foundation
import Operations
import TestKit
import Testing
import Wire

/// The fuzzer starts from one valid input of every kind.
struct FuzzCorpusTests {
  private var inputs: [String: [UInt8]] {
    var inputs: [String: [UInt8]] = [:]
    for entry in MessageCatalog.entries {
      inputs["\(entry)".split(separator: " ").joined(separator: "-")] =
        entry.fuzzPrefix + entry.sample
    }
    let ping = FrameHeader(kind: .ping, opcode: 0, correlation: 1).frame(body: [])
    let call = FrameHeader(kind: .request, opcode: 1, correlation: 2)
      .frame(body: Enveloped.join(ClientEnvelope(), Echo().encoded))
    inputs["frames"] = [4] + call + ping
    // A removal from the reply table, then a put into it.
    inputs["row-changes"] =
      [5, 2, 0, 1, 0, 18, 0, 0, 0, 18] + [UInt8](repeating: 1, count: 18)
      + [1, 0, 1, 0, 18, 0, 0, 0, 48] + [UInt8](repeating: 0, count: 48)
    for part in ["ClientEnvelope", "ServiceEnvelope", "PushEnvelope"] {
      for entry in MessageCatalog.entries where entry.place == .part && entry.message.name == part {
        let count = UInt32(entry.sample.count)
        let prefix = (0..<4).map { UInt8(truncatingIfNeeded: count >> (24 - 8 * $0)) }
        inputs["enveloped-\(part)"] = [6] + prefix + entry.sample + [1, 2, 3]
      }
    }
    return inputs
  }

  @Test func theCorpusIsMadeFromTheSamples() throws {
    let folder = Sources.root.appending(path: "Tests/Fuzz/Corpus")
    let wanted = inputs
    if Committed.isUpdating {
      try? FileManager.default.removeItem(at: folder)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      for (name, bytes) in wanted { try Data(bytes).write(to: folder.appending(path: name)) }
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path())
    #expect(names.sorted() == wanted.keys.sorted())
    for (name, bytes) in wanted {
      expectSame(try Data(contentsOf: folder.appending(path: name)), bytes, "\(name)")
    }
  }
}
