import Catalog
import Domain
import Testing
import Wire

/// Every table of every service; the list is the registration's.
struct RowTests {
  @Test(arguments: ServiceCores.all.indices)
  func rows(ofCore index: Int) throws {
    let tables = ServiceCores.engine(of: ServiceCores.all[index]).tables
    var random = RandomSource.seeded(12)
    for table in tables.all {
      for _ in 0..<50 { try checkCells(table.row, table.description, &random) }
      for _ in 0..<20 { checkSubjects(table.row, table.subjects, tables, &random) }
    }
  }

  /// A row goes through a store's cells and back, and its key is the front of it.
  private func checkCells<R: Row>(
    _ type: R.Type, _ table: TableDescription, _ random: inout RandomSource
  ) throws {
    let row = R.arbitrary(using: &random)
    let bytes = row.encoded
    let cells = try table.cells(bytes)
    #expect(try R(decoding: bytes) == row)
    #expect(cells.count == table.columns.count && table.row(cells) == bytes)
    #expect(bytes.starts(with: row.key.keyBytes))
    #expect(try table.keyCells(row.key.keyBytes) == Array(cells.prefix(table.keyColumnCount)))
  }

  /// What export and erasure go by: a random row is about a player exactly when one of its fields
  /// for players has the id.
  private func checkSubjects<R: Row>(
    _ type: R.Type, _ subjects: RowSubjects, _ tables: Tables, _ random: inout RandomSource
  ) {
    let player = PlayerID.arbitrary(using: &random)
    let trace = PlayerTrace(player)
    var counter = PlayerPlacer(player: player, place: nil)
    var row = R.arbitrary(using: &random)
    #expect(!tables.isAbout(trace, table: R.tableID, row: row.encoded), "\(R.tableName)")
    row.fields(&counter)
    #expect((counter.count > 0) == (subjects == .playersInFields))
    for place in 0..<counter.count {
      var placed = row
      var placer = PlayerPlacer(player: player, place: place)
      placed.fields(&placer)
      #expect(placed != row)
      #expect(
        tables.isAbout(trace, table: R.tableID, row: placed.encoded), "\(R.tableName) \(place)")
    }
  }
}

/// Counts the fields for players, at any depth, and puts a player in one of them. Lists and
/// optionals that are empty get a value first.
private struct PlayerPlacer: FieldVisitor {
  let player: PlayerID
  /// Nil to count only.
  let place: Int?
  private(set) var count = 0

  init(player: PlayerID, place: Int?) {
    self.player = player
    self.place = place
  }

  mutating func field<Value: FieldValue>(_ name: StaticString, _ value: inout Value) {
    if Value.self == PlayerID.self {
      if place == count, let placed = player as? Value { value = placed }
      count += 1
    } else if var inner = value as? any Holder {
      inner.visit(&self)
      if let changed = inner as? Value { value = changed }
    } else if var message = value as? any Message {
      message.fields(&self)
      if let changed = message as? Value { value = changed }
    }
  }
}

private protocol Holder {
  mutating func visit(_ placer: inout PlayerPlacer)
}

extension Array: Holder where Element: FieldValue {
  fileprivate mutating func visit(_ placer: inout PlayerPlacer) {
    if isEmpty { append(Element()) }
    for index in indices { placer.field("element", &self[index]) }
  }
}

extension Optional: Holder where Wrapped: FieldValue {
  fileprivate mutating func visit(_ placer: inout PlayerPlacer) {
    var value = self ?? Wrapped()
    placer.field("value", &value)
    self = value
  }
}
