import TestKit
import Testing
import Wire

@testable import Domain

/// Encoded messages are shown as if their types were known (rule 7.3).
struct MessageTreeTests {
  private let reader = MessageTree {
    $0 == Opcode(rawValue: 7) ? MessageEraserTests.Word.shape : nil
  }

  struct All: Message {
    var isGood = true
    var small: UInt8 = 1
    var short: UInt16 = 2
    var word: UInt32 = 3
    var long: UInt64 = .max
    var signed: Int32 = -4
    var wide: Int64 = .min
    mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("isGood", &isGood)
      visit.field("small", &small)
      visit.field("short", &short)
      visit.field("word", &word)
      visit.field("long", &long)
      visit.field("signed", &signed)
      visit.field("wide", &wide)
    }
  }

  struct Carrier: Message {
    var kind: UInt16 = 7
    var body = Bytes()
    mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("kind", &kind)
      visit.field("body", &body)
    }
  }

  private func shown<M: Message>(_ message: M) -> Tree? {
    guard case .object(let members)? = reader.tree(of: message.encoded, M.shape),
      members.map(\.name) == [M.name]
    else { return nil }
    return members[0].value
  }

  @Test("7.3 a message is shown by its shape as its type shows it")
  func same() {
    var random = RandomSource.seeded(13)
    #expect(shown(All()) == All().tree)
    for _ in 0..<100 {
      let talk = MessageEraserTests.Talk.arbitrary(using: &random)
      #expect(shown(talk) == talk.tree)
    }
  }

  @Test("7.3 a message within a message is shown where its shape is known")
  func nested() {
    var word = MessageEraserTests.Word()
    (word.player, word.text) = (.sample(1), "hello")
    var carrier = Carrier()
    carrier.body = Bytes(word.encoded)
    let inner = Tree.Member(name: MessageEraserTests.Word.name, value: word.tree)
    #expect(
      shown(carrier)
        == .object([
          Tree.Member(name: "kind", value: .unsigned(7)),
          Tree.Member(name: "body", value: .object([inner])),
        ]))
    carrier.kind = 8
    #expect(shown(carrier) == carrier.tree)
    carrier.kind = 7
    carrier.body = Bytes([1])
    #expect(shown(carrier) == carrier.tree)
  }

  @Test("7.3 fields of a newer build are not left out, and those of an older one need not be there")
  func otherBuilds() {
    let bytes = All().encoded
    let older = reader.tree(of: Array(bytes.prefix(2)), All.shape)
    let values: [Tree.Member] = [
      .init(name: "isGood", value: .bool(true)), .init(name: "small", value: .unsigned(1)),
    ]
    #expect(older == .object([.init(name: All.name, value: .object(values))]))
    guard case .object(let all)? = reader.tree(of: bytes + [9, 8], All.shape),
      case .object(let members) = all[0].value
    else {
      Issue.record("a longer message is not read")
      return
    }
    #expect(members.last == .init(name: "unknown", value: .bytes([9, 8])))
  }
}
