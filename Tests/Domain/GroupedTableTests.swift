import TestKit
import Testing
import Wire

@testable import Domain

private struct PieceKey: RowKey {
  var owner: UInt64 = 0
  var number: UInt64 = 0
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("owner", &owner)
    visit.field("number", &number)
  }
}

private struct PieceRow: Row {
  static let tableID: UInt16 = 16
  static let tableName = "piece"
  var key = PieceKey()
  var text = ""
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("text", &text)
  }
}

struct GroupedTableTests {
  @Test("rows are found by key and by group, and every change is in the transaction")
  func groups() throws {
    var table = GroupedTable<PieceRow, UInt64> { $0.owner }
    var transaction = Transaction(now: 0, random: .seeded(1))
    func key(_ owner: UInt64, _ number: UInt64) -> PieceKey {
      PieceKey(owner: owner, number: number)
    }
    table.load(PieceRow(key: key(1, 1), text: "stored"))
    #expect(transaction.changes.isEmpty)
    table.put(PieceRow(key: key(1, 2), text: "new"), &transaction)
    table.put(PieceRow(key: key(2, 1), text: "other"), &transaction)
    table.put(PieceRow(key: key(1, 1), text: "changed"), &transaction)
    #expect(table[key(1, 1)]?.text == "changed" && table[key(2, 2)] == nil)
    #expect(table.rows(of: 1).map(\.text).sorted() == ["changed", "new"])
    #expect((1...3).map { table.count(of: $0) } == [2, 1, 0])
    #expect(table.groups.sorted() == [1, 2])

    #expect(table.remove(key(2, 2), &transaction) == nil)
    #expect(table.remove(key(2, 1), &transaction)?.text == "other")
    #expect(table.groups.sorted() == [1] && table.count(of: 2) == 0)
    let kinds = decodedChanges(transaction.changes).map { "\($0.kind)" }
    #expect(kinds == ["put", "put", "put", "remove"])
  }

  @Test("a group of any size finds, replaces and removes its rows", arguments: [1, 2, 8, 9, 40])
  func sizes(_ count: UInt64) {
    var table = GroupedTable<PieceRow, UInt64> { $0.owner }
    var transaction = Transaction(now: 0, random: .seeded(1))
    let keys = (1...count).map { PieceKey(owner: 7, number: $0) }
    for round in ["first", "second"] {
      for key in keys { table.put(PieceRow(key: key, text: round), &transaction) }
      #expect(table.count(of: 7) == keys.count)
      #expect(keys.allSatisfy { table[$0]?.text == round })
      #expect(table.rows(of: 7).map(\.key.number).sorted() == Array(1...count))
    }
    let copy = table.rows(of: 7)
    for (index, key) in keys.enumerated() {
      #expect(table.remove(key, &transaction)?.key == key)
      #expect(table[key] == nil && table.count(of: 7) == keys.count - index - 1)
      #expect(Set(table.rows(of: 7).map(\.key)) == Set(keys[(index + 1)...]))
    }
    #expect(table.groups.isEmpty && copy.count == keys.count)
  }
}
