import Catalog
import Foundation
import Testing
import Wire

/// The table of processes in the README follows from the list of services.
struct ReadmeTests {
  @Test func theTableListsEveryProcess() throws {
    let file = Committed(path: "README.md")
    let text = try #require(file.text)
    let head = "| process | port | opcodes | program |\n| --- | --- | --- | --- |\n"
    let start = try #require(text.range(of: head)).upperBound
    let end = try #require(text.range(of: "\n\n", range: start..<text.endIndex)).lowerBound
    let rows = Service.allCases.map { service in
      let number = Int(service.rawValue)
      let high = (number < 16 ? "0" : "") + String(number, radix: 16)
      let title = service == .gateway ? service.name : "\(service.name) service"
      return "| \(title) | \(7400 + number) | `0x\(high)00` to `0x\(high)ff` "
        + "| `muster-\(service.name)` |"
    }
    try file.expect(text[..<start] + rows.joined(separator: "\n") + text[end...])
  }
}
