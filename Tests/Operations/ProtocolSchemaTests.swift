import Catalog
import Foundation
import Operations
import Testing
import Wire

/// `protocol.json`, by which clients in other languages read and write messages.
struct ProtocolSchemaTests {
  private let schema = ProtocolSchema()

  @Test func theCommittedSchemaIsWhatTheSourcesSay() throws {
    try Committed(path: "Shared/Operations/protocol.json").expect(schema.text)
  }

  @Test func theSchemaIsJSON() throws {
    let json = try JSONSerialization.jsonObject(with: Data(schema.text.utf8))
    let members = try #require(json as? [String: Any])
    #expect((members["operations"] as? [Any])?.count == schema.operations.count)
    #expect((members["events"] as? [Any])?.count == MessageCatalog.events.count)
  }

  /// What a client cannot call is not its business, and all else is on the page too.
  @Test func itHasTheOperationsOfThePagesFirstPart() throws {
    let parts = try ProtocolPage().text.components(separatedBy: "\n## Between")
    for operation in MessageCatalog.operations {
      let isOurs = schema.operations.contains { $0.opcode == operation.opcode }
      let access = operation.access
      let isForClients = !access.isForGatewayAlone && !access.isSubset(of: .gateway)
      #expect(isOurs == isForClients, "\(operation)")
      #expect(isOurs == parts[0].contains("\n#### `\(operation.name)` "), "\(operation)")
    }
  }

  @Test func everyTypeThatAFieldIsOfIsThere() {
    let tree = schema.tree
    let known = Set(members(of: tree["types"]).map(\.name) + scalars)
    var names: [String] = []
    collectTypes(in: tree, &names)
    #expect(names.count > 300)
    for name in Set(names) { #expect(known.contains(name), "nobody says what a \(name) is") }
    #expect(!known.contains("EffectSource") && !known.contains("Principal"))
  }

  private let scalars = [
    "UInt8", "UInt16", "UInt32", "UInt64", "Int32", "Int64", "Double", "Bool", "String", "Bytes",
  ]

  private func members(of tree: Tree?) -> [Tree.Member] {
    if case .object(let members) = tree { members } else { [] }
  }

  private func collectTypes(in tree: Tree, _ names: inout [String]) {
    switch tree {
    case .object(let members):
      for member in members {
        if ["type", "list", "optional", "reply"].contains(member.name),
          case .text(let name) = member.value
        {
          names.append(name)
        }
        collectTypes(in: member.value, &names)
      }
    case .list(let values): for value in values { collectTypes(in: value, &names) }
    default: break
    }
  }

  /// A value without a name could not be written by name, and the page would not list it.
  @Test func everyValueOfAnEnumerationHasAName() throws {
    let declared = try Self.rawValues()
    #expect(declared["FailureCode"]?.max() == FailureCode.names.count - 1)
    for (name, shape) in schema.types.shapes {
      guard case .enumeration(_, let names) = shape else { continue }
      let values = try #require(declared[name], "\(name) was not found in the sources")
      #expect(values.allSatisfy { $0 < names.count }, "\(name) has a value without a name")
    }
  }

  /// The numbers of the values that each enumeration declares, by its name.
  private static func rawValues() throws -> [String: [Int]] {
    var found: [String: [Int]] = [:]
    for folder in ["Shared/Wire", "Shared/Operations"] {
      let base = Sources.root.appending(path: folder)
      for path in try FileManager.default.subpathsOfDirectory(atPath: base.path())
      where path.hasSuffix(".swift") {
        let text = try String(contentsOf: base.appending(path: path), encoding: .utf8)
        var name = ""
        for line in text.split(separator: "\n") {
          if let match = line.prefixMatch(of: /public struct (\w+): .*OpenEnum/) {
            name = String(match.1)
          } else if let match = line.firstMatch(of: /static let \w+ = Self\(rawValue: (\d+)\)/) {
            found[name, default: []].append(Int(match.1) ?? .max)
          }
        }
      }
    }
    return found
  }

  /// Events of the stream wait for players who are away, so nothing that only a connection concerns
  /// is one.
  @Test func eventsComeInTheirWay() {
    #expect(StreamEvent.way == .push && HintEvent.way == .push && MatchData.way == .push)
    #expect(RequestReceived.way == .stream && FriendAccepted.way == .stream)
    #expect(ChallengeListChanged.way == .hint)
  }
}

extension Tree {
  fileprivate subscript(name: String) -> Tree? {
    if case .object(let members) = self { members.first { $0.name == name }?.value } else { nil }
  }
}
