import Foundation
import MusterKit
import Terminal
import Testing

@testable import muster

@Suite struct PartlyToldTests {
  /// What is printed of a ticket.
  private func text(_ info: TicketInfo, isJSON: Bool = false) throws -> String {
    let path = NSTemporaryDirectory() + "muster-ticket-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data().write(to: URL(fileURLWithPath: path))
    let handle = try #require(FileHandle(forWritingAtPath: path))
    var output = Output(isJSON: isJSON, paint: Paint(isOn: false))
    output.descriptor = handle.fileDescriptor
    output.show(info)
    return try String(contentsOfFile: path, encoding: .utf8)
  }

  @Test(
    "a ticket shows what its state has: a match, why it expired, or why it was cancelled",
    arguments: [
      (TicketState.waiting, ""), (.matched, "context"), (.expired, "hindrance"),
      (.cancelled, "reason"),
    ] as [(TicketState, String)])
  func ticket(_ state: TicketState, _ shown: String) throws {
    var info = TicketInfo()
    info.state = state
    let lines = try text(info)
    #expect(lines.contains("state: \(state)"))
    for field in ["context", "hindrance", "reason"] {
      #expect(lines.contains("\(field): ") == (field == shown), "\(lines)")
      #expect(try text(info, isJSON: true).contains("\"\(field)\""))
    }
  }
}
