import Catalog
import Foundation
import Testing
import Transport
import Wire

struct ProtocolPageTests {
  @Test func theCommittedPageIsWhatTheSourcesSay() throws {
    try Committed(path: "Shared/Operations/protocol.md").expect(ProtocolPage().text)
  }

  /// The name of a constant says nothing to somebody who has the page alone.
  @Test func everyLimitThatASentenceNamesHasItsValueOnThePage() throws {
    let page = try ProtocolPage().text
    let named = Set(LimitTable.entries.map(\.name))
    let found = page.matches(of: /\w+Limits\.\w+/).map { String($0.output) }
    #expect(found.count > named.count)
    for name in found { #expect(named.contains(name), "the page does not say what \(name) is") }
  }

  /// So does that of a type with rules.
  @Test func rulesThatASentenceNamesAreSpelledOut() throws {
    let page = try ProtocolPage().text
    let named = Set(page.matches(of: /\w+Rules\b/).map { String($0.output) })
      .subtracting(MessageCatalog.operations.map { $0.name })
    #expect(named == ["PhotoRules", "ProfileRules", "RequestContentRules", "TextRules"])
    for name in named { #expect(page.contains("\n- **`\(name)`**"), "nobody says \(name)") }
  }

  @Test func everyLimitOfTheProtocolIsLookedAt() throws {
    let declared = try Sources().limits
    let listed = LimitTable.entries.map(\.name) + LimitTable.others
    #expect(listed.count == Set(listed).count)
    #expect(Set(declared) == Set(listed))
  }

  /// Sentences call messages, fields, codes and limits by names that the page explains.
  @Test func everyNameInASentenceIsOneOfTheProtocol() throws {
    let schema = ProtocolSchema()
    var known: Set = [
      "hi", "localhost", "floor", "Bytes", "String", "Bool", "Double", "UInt8", "UInt16", "UInt32",
      "UInt64", "Int32", "Int64", "T", "authority.pem", "protocol.json", "PhotoRules",
      "ProfileRules", "RequestContentRules", "TextRules", "Default_Ignorable_Code_Point",
      // Providers of identities.
      "apple", "google", "facebook",
    ]
    known.formUnion(FailureCode.names + Remedy.allCases.map(\.rawValue))
    known.formUnion(
      LimitTable.entries.flatMap { [$0.name] + $0.name.split(separator: ".").map(String.init) })
    for entry in MessageCatalog.entries { known.formUnion(names(in: entry.message.shape)) }
    known.formUnion(schema.types.shapes.flatMap { [$0.key] + names(in: $0.value) })
    known.formUnion(names(in: schema.tree))
    let prose = try ProtocolPage().text.components(separatedBy: "\n## Operations")[0]
    for match in prose.matches(of: /`([A-Za-z][\w.]*)`/) {
      let name = String(match.1)
      let last = name.split(separator: ".").last.map(String.init) ?? name
      #expect(known.contains(name) || known.contains(last), "nothing is called \(name)")
    }
  }

  /// Each part of the schema has an item, which names the members of the part's records.
  @Test func everyMemberOfTheSchemaIsExplained() throws {
    let section = try ProtocolPage().text.components(separatedBy: "## The same for programs")[1]
      .components(separatedBy: "\n## ")[0]
    let items = section.components(separatedBy: "\n- ").dropFirst()
    for part in members(of: ProtocolSchema().tree) {
      let item = items.first { item in
        item.components(separatedBy: ":")[0].contains("`\(part.name)`")
      }
      let text = try #require(item, "nobody says \(part.name)")
      for name in recordNames(in: part) {
        #expect(text.contains("`\(name)`") || text.contains("\"\(name)\""), "nobody says \(name)")
      }
    }
  }

  /// The names of the members that the records of a part have.
  private func recordNames(in part: Tree.Member) -> Set<String> {
    switch (part.name, part.value) {
    case ("types", .object(let types)):
      let records = types.flatMap { members(of: $0.value) }
      var fields: [Tree.Member] = []
      for case .list(let elements) in records.map(\.value) {
        fields += elements.flatMap { members(of: $0) }
      }
      let forms = fields.filter { $0.name == "type" }.flatMap { members(of: $0.value) }
      return Set((records + fields + forms).map(\.name))
    case (_, .list(let elements)): return Set(elements.flatMap { members(of: $0) }.map(\.name))
    default: return []
    }
  }

  private func members(of tree: Tree) -> [Tree.Member] {
    if case .object(let members) = tree { members } else { [] }
  }

  /// The names of members, and the texts that stand alone for one of a few words.
  private func names(in tree: Tree) -> [String] {
    switch tree {
    case .object(let members):
      members.flatMap { member -> [String] in
        if case .text(let word) = member.value, ["key", "way"].contains(member.name) {
          return [member.name, word]
        }
        return [member.name] + names(in: member.value)
      }
    case .list(let elements): elements.flatMap { names(in: $0) }
    default: []
    }
  }

  private func names(in shape: Shape) -> [String] {
    switch shape {
    case .message(let name, let fields, _):
      [name] + fields.flatMap { [$0.name] + names(in: $0.shape) }
    case .optional(let inner), .list(let inner): names(in: inner)
    case .enumeration(let name, let values): [name] + values
    case .scalar(let name), .identifier(let name): [name]
    }
  }

  /// What the page says of connections stands in their limits.
  @Test func theNumbersOfConnectionsAreTheirs() throws {
    let page = try ProtocolPage().text
    let limits = ConnectionLimits.client
    #expect(page.contains("With more than \(limits.outgoingHighWater >> 10) KiB that the client"))
    #expect(page.contains("with more than \(limits.outgoingBytesMax >> 20) MiB it closes"))
    #expect(page.contains("A handshake may take \(limits.handshakeMilliseconds / 1000) s"))
  }

  /// Every piece of an example is what the field's own encoder writes.
  @Test func annotatedBytesAreTheMessage() {
    for entry in MessageCatalog.entries {
      func check<M: Message>(_ type: M.Type) {
        var random = SystemRandomNumberGenerator()
        for message in [M(), M.arbitrary(using: &random)] {
          let bytes = AnnotatedBytes(fieldsOf: message).pieces.flatMap(\.bytes)
          #expect(bytes == message.encoded, "\(entry)")
        }
      }
      check(entry.message)
    }
  }

  /// An operation that needs no key and yet does something: its comment says what a repeated call
  /// does.
  @Test func repeatedCallsWithoutAKeyAreDescribed() throws {
    let comments = try Sources().comments
    let acting = ProtocolSchema().operations.filter { operation in
      operation.isReadOnly
        && !(comments[operation.name] ?? []).contains { $0.contains("eturns") }
    }
    #expect(
      acting.map { $0.name } == [
        "SignUp", "SignIn", "Resume", "SignOut", "SignInOperator", "SignInGameServer",
        "LinkIdentity", "SendMatchData", "AcknowledgeMatchData",
      ])
    for operation in acting {
      let comment =
        (comments[operation.name] ?? []).joined(separator: " ")
        + (comments["\(operation.name).attempt"] ?? []).joined(separator: " ")
      #expect(comment.contains("epeat") || comment.contains("again"), "\(operation)")
    }
  }
}
