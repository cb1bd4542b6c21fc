import Domain
import Testing
import Wire

/// A row with a key of several parts, one of them of several parts itself, and every kind of
/// column.
struct WideRow: Row {
  static let tableID: UInt16 = 19
  static let tableName = "wide"
  var key = RefusedKey()
  var place = Corner()
  var name: String?
  var corner: Corner?
  var numbers: [UInt32] = []
  var failure = Failure()
  var real = 0.0
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("place", &place)
    visit.field("name", &name)
    visit.field("corner", &corner)
    visit.field("numbers", &numbers)
    visit.field("failure", &failure)
    visit.field("real", &real)
  }
}

struct Corner: Message, Hashable {
  var x: Int32 = 0
  var y: Int32 = 0
  static var isFrozen: Bool { true }
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("x", &x)
    visit.field("y", &y)
  }
}

struct DoubledRow: Row {
  static let tableID: UInt16 = 20
  static let tableName = "doubled"
  var key = Corner()
  var x: UInt8 = 0
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("X", &x)
  }
}

struct PlayersBudgetRow: BudgetRow {
  static let tableID: UInt16 = 21
  static let tableName = "players_budget"
  var key = PlayerID()
  var fullAt: Int64 = 0
}

struct CornersBudgetRow: BudgetRow {
  static let tableID: UInt16 = 22
  static let tableName = "corners_budget"
  static let fullAtColumn: StaticString = "full_at"
  var key = Corner()
  var fullAt: Int64 = 0
}

struct TableDescriptionTests {
  private let wide = TableDescription(WideRow.self)

  @Test("a table of budgets has the columns that stores have: its key's, and one more")
  func budgets() {
    let players = TableDescription(PlayersBudgetRow.self).columns
    #expect(players.map(\.name) == ["player", "fullAt"])
    let corners = TableDescription(CornersBudgetRow.self)
    #expect(corners.columns.map(\.name) == ["x", "y", "full_at"] && corners.keyColumnCount == 2)
  }

  @Test func frozenMessagesSpreadOverColumns() {
    #expect(
      wide.columns.map { "\($0.name) \($0.type.rawValue)\($0.isKey ? " key" : "")" } == [
        "service INTEGER key", "store BLOB key", "sourceSlot INTEGER key", "slot INTEGER key",
        "incarnation INTEGER key", "sequence INTEGER key", "x INTEGER", "y INTEGER", "name TEXT",
        "corner BLOB", "numbers BLOB", "failure BLOB", "real REAL",
      ])
    #expect(wide.keyColumnCount == 6)
    #expect(TableDescription(TallyRow.self).columns.map(\.isKey) == [true, false, false])
  }

  @Test func rowsGoThroughCellsAndBack() throws {
    var random = RandomSource.seeded(13)
    for _ in 0..<300 {
      let row = WideRow.arbitrary(using: &random)
      let cells = try wide.cells(row.encoded)
      #expect(cells.count == wide.columns.count)
      #expect(wide.row(cells) == row.encoded)
      #expect(try wide.keyCells(row.key.keyBytes) == Array(cells[..<6]))
      #expect(row.encoded.starts(with: row.key.keyBytes))
    }
  }

  /// What a store writes without asking the type is what the type writes.
  @Test func formsAreTrue() throws {
    var random = RandomSource.seeded(15)
    for table in [wide] + Engine.tables(of: TinyCore.self) {
      let empty = try table.cells([])
      for (column, cell) in zip(table.columns, empty) where column.form != .other {
        let cells: [Cell] =
          switch (column.form, cell) {
          case (.integer, .integer):
            (0..<20).map { _ in .integer(.random(in: .min ... .max, using: &random)) }
          case (.blob(let count), .blob(let bytes)) where bytes.count == count:
            [.blob((0..<count).map { _ in .random(in: 0...255, using: &random) })]
          case (.text, .text):
            (0..<20).map { _ in .text(.arbitrary(using: &random)) }
          case (.countedBlob, .blob):
            (0..<20).map { _ in .blob(Bytes.arbitrary(using: &random).array) }
          default: []
          }
        #expect(!cells.isEmpty, "\(table.name).\(column.name)")
        for cell in cells {
          var writer = Writer()
          #expect(column.write(cell, &writer))
          switch cell {
          case .integer(let value): #expect(writer.bytes == value.keyBytes)
          case .blob(let bytes) where column.form == .countedBlob:
            #expect(writer.bytes == UInt32(bytes.count).keyBytes + bytes)
          case .blob(let bytes): #expect(writer.bytes == bytes)
          case .text(let text):
            #expect(writer.bytes == UInt32(text.utf8.count).keyBytes + Array(text.utf8))
          default: break
          }
        }
      }
    }
    #expect(TableDescription(TallyRow.self).columns.map(\.form).contains(.blob(byteCount: 16)))
    #expect(TableDescription(TallyRow.self).columns.map(\.form).contains(.integer))
  }

  @Test func cellsThatDoNotFitGiveNoRow() throws {
    let cells = try wide.cells(WideRow().encoded)
    #expect(wide.row(Array(cells.dropLast())) == nil)
    for index in cells.indices {
      var wrong = cells
      wrong[index] = .text("wrong")
      if case .text = cells[index] { wrong[index] = .integer(1) }
      if wide.columns[index].name == "name" { wrong[index] = .integer(1) }
      #expect(wide.row(wrong) == nil, "\(wide.columns[index].name)")
    }
  }

  @Test func twoColumnsOfOneNameTrap() async {
    await #expect(processExitsWith: .failure) { _ = TableDescription(DoubledRow.self) }
  }
}
