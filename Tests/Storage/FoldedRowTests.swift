import Domain
@testable import Storage
import StoreRounds
import TestKit
import Testing
import Wire

/// Folding binds the bytes of rows as they are: what is read afterwards is what decoding those
/// bytes says.
@Suite(.serialized)
struct FoldedRowTests {
  struct FormsKey: RowKey {
    var player = PlayerID()
    var name = ""
    var place: UInt64 = 0
    mutating func fields<V: FieldVisitor>(_ visit: inout V) {
      visit.field("player", &player)
      visit.field("name", &name)
      visit.field("place", &place)
    }
  }

  struct Spread: RowKey {
    var owner = PlayerID()
    var title = ""
    var size: UInt64 = 0
    mutating func fields<V: FieldVisitor>(_ visit: inout V) {
      visit.field("owner", &owner)
      visit.field("title", &title)
      visit.field("size", &size)
    }
  }

  /// A column of each form, and some that only their types can convert. No default is zero or
  /// empty, so that what is missing is told from what is empty.
  struct FormsRow: Row {
    static var tableID: UInt16 { 103 }
    static var tableName: String { "forms" }
    var key = FormsKey()
    var text = "none"
    var blob = Bytes([1, 2])
    var number: Int64 = -7
    var event = EventID(high: 1, low: 2)
    var small: UInt16 = 3
    var real = 0.5
    var maybe: String? = "perhaps"
    var list: [UInt64] = [4]
    var spread = Spread(owner: PlayerID(high: 5, low: 6), title: "spread", size: 7)
    mutating func fields<V: FieldVisitor>(_ visit: inout V) {
      visit.field("key", &key)
      visit.field("text", &text)
      visit.field("blob", &blob)
      visit.field("number", &number)
      visit.field("event", &event)
      visit.field("small", &small)
      visit.field("real", &real)
      visit.field("maybe", &maybe)
      visit.field("list", &list)
      visit.field("spread", &spread)
    }
  }

  /// Notes where each field of a row ends.
  private struct Ends: FieldVisitor {
    var writer = Writer()
    var ends: [Int] = []
    mutating func field<Value: FieldValue>(_ name: StaticString, _ value: inout Value) {
      value.encode(to: &writer)
      ends.append(writer.bytes.count)
    }
  }

  private func put(_ row: [UInt8], keyCount: Int) -> RowChanges {
    var writer = Writer()
    writer.integer(RowChange.Kind.put.rawValue)
    writer.integer(FormsRow.tableID)
    writer.integer(UInt16(keyCount))
    writer.count(row.count)
    writer.raw(row)
    return RowChanges(bytes: writer.bytes)
  }

  private let directory = TemporaryDirectory("forms", inMemory: true)

  private func opened(_ residence: Residence) throws -> (SQLiteStore, TableDescription) {
    let table = TableDescription(FormsRow.self, residence)
    let options = SQLiteOptions(createIfMissing: true, vfs: nil)
    return (try openSQLite(directory, options, tables: [table]), table)
  }

  /// Older rows end early.
  @Test(arguments: [Residence.cold, .resident])
  func rowsOfAnyLength(_ residence: Residence) throws {
    let (store, table) = try opened(residence)
    var random = SeededRandom(seed: 1)
    var model: [FormsKey: FormsRow] = [:]
    for round in 0..<200 {
      // The first one is empty in all of its fields.
      var row = round == 0 ? FormsRow.empty : FormsRow.arbitrary(using: &random)
      row.key.place = UInt64(round)
      var visitor = Ends()
      row.fields(&visitor)
      let end = visitor.ends[round == 0 ? visitor.ends.count - 1 : round % visitor.ends.count]
      let bytes = Array(visitor.writer.bytes[..<end])
      try store.commit(
        Batch(number: UInt64(round + 1), changes: put(bytes, keyCount: visitor.ends[0])), time: 1)
      model[row.key] = try FormsRow(decoding: bytes)
    }
    while try store.fold() {}
    var found: [FormsKey: FormsRow] = [:]
    try store.load(table) { bytes in
      let row = try FormsRow(decoding: bytes)
      found[row.key] = row
    }
    #expect(found == model)
    var changes = RowChanges()
    for key in model.keys { changes.remove(FormsRow.self, key) }
    try store.commit(Batch(number: 201, changes: changes), time: 1)
    while try store.fold() {}
    try store.load(table) { _ in Issue.record("a row was not removed") }
    store.close()
  }

  @Test(arguments: [Residence.cold, .resident])
  func aTextThatIsNoneIsNoticed(_ residence: Residence) throws {
    let (store, _) = try opened(residence)
    var visitor = Ends()
    var row = FormsRow()
    row.fields(&visitor)
    var bytes = visitor.writer.bytes
    bytes[visitor.ends[1] - 1] = 0xff
    try store.commit(
      Batch(number: 1, changes: put(bytes, keyCount: visitor.ends[0])), time: 1)
    #expect {
      _ = try store.fold()
    } throws: { error in
      if case .corrupt = error as? StoreError { true } else { false }
    }
    store.close()
  }
}

extension FoldedRowTests.FormsRow {
  /// A row with nothing in any field.
  fileprivate static var empty: Self {
    var row = Self()
    (row.text, row.blob, row.number, row.event) = ("", Bytes(), 0, EventID())
    (row.small, row.real, row.maybe, row.list) = (0, 0, nil, [])
    row.spread = FoldedRowTests.Spread()
    return row
  }
}
