import Catalog
import Foundation
import Testing

/// What `protocol.md` sends its reader to is there.
struct ProtocolLinkTests {
  @Test func everyLinkWithinThePageLeadsToAHeading() throws {
    let page = try ProtocolPage().text
    let headings = page.split(separator: "\n").filter { $0.hasPrefix("#") }
    let anchors = Set(headings.map { anchor(of: $0) })
    let links = page.matches(of: /\]\(#([^)]*)\)/).map { String($0.1) }
    #expect(links.contains("identities-devices-and-bans"))
    #expect(links.contains { $0.hasPrefix("listtickets-0x") }, "a reply of another operation")
    for link in Set(links) { #expect(anchors.contains(link), "nothing is at #\(link)") }
  }

  /// As GitHub makes it of a heading.
  private func anchor(of heading: Substring) -> String {
    let text = heading.drop { $0 == "#" }.dropFirst().lowercased()
    return String(
      text.filter { $0.isLetter || $0.isNumber || "-_ ".contains($0) }
        .map { $0 == " " ? "-" : $0 })
  }

  /// A client reads the `detail` of a failure by its type, which no field is of.
  @Test func everyTypeOfADetailIsAmongTheClients() throws {
    let part = try ProtocolPage().text.components(separatedBy: "\n## Between")[0]
    let named = Set(
      part.matches(of: /`detail`,?\s+(?:is\s+)?an?\s+`(\w+)`/).map { String($0.1) }
        + part.matches(of: /`(\w+)`\s+as\s+`detail`/).map { String($0.1) })
    #expect(named.isSuperset(of: ["Ban", "IdentityConflict", "StreamEnds", "TurnGameView"]))
    let types = ProtocolSchema().types.shapes
    // A gateway asks for the facts of a `FactDemand`, and no client gets one.
    for name in named.subtracting(["FactDemand"]) {
      #expect(types[name] != nil, "protocol.json does not say what a \(name) is")
      #expect(part.contains("\n#### `\(name)`\n"), "the page does not say what a \(name) is")
    }
  }
}
