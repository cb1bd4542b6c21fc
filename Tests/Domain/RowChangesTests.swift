import Domain
import Testing
import Wire

struct RowChangesTests {
  private func tally(_ number: UInt64, _ total: Int64) -> TallyRow {
    var row = TallyRow()
    row.key = PlayerID(high: 0, low: number)
    row.total = total
    return row
  }

  @Test func literalBytes() throws {
    var changes = RowChanges()
    #expect(changes.isEmpty)
    var note = NoteRow()
    note.key = 7
    note.text = "a"
    changes.put(note)
    changes.remove(NoteRow.self, 8)
    #expect(
      changes.bytes == [
        1, 0, 17, 0, 8, 0, 0, 0, 13, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 1, 0x61,
        2, 0, 17, 0, 8, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 8,
      ])
    let decoded = try changes.decoded()
    #expect(decoded.map(\.kind) == [.put, .remove])
    #expect(decoded.map(\.table) == [17, 17])
    #expect(try NoteRow(decoding: decoded[0].bytes) == note)
    #expect(decoded[0].key == note.key.keyBytes)
    #expect(decoded[1].bytes == UInt64(8).keyBytes)
  }

  @Test func theChangesOfOneTable() throws {
    var changes = RowChanges()
    changes.put(tally(1, 1))
    changes.remove(NoteRow.self, 8)
    changes.put(tally(2, 2))
    let decoded = try changes.decoded()
    #expect(try changes.decoded(table: TallyRow.tableID) == [decoded[0], decoded[2]])
    #expect(try changes.decoded(table: NoteRow.tableID) == [decoded[1]])
    #expect(try changes.decoded(table: 99).isEmpty)
    let cut = RowChanges(bytes: Array(changes.bytes.dropLast()))
    #expect(throws: WireError.self) { try cut.decoded(table: NoteRow.tableID) }
  }

  @Test func appendingIsInOrder() throws {
    var first = RowChanges()
    first.put(tally(1, 1))
    var second = RowChanges()
    second.remove(TallyRow.self, PlayerID(high: 0, low: 1))
    var both = first
    both.append(second)
    #expect(both.bytes == first.bytes + second.bytes)
    #expect(try both.decoded() == first.decoded() + second.decoded())
    #expect(RowChanges(bytes: both.bytes) == both)
    both.removeAll()
    #expect(both.isEmpty)
  }

  @Test func everyTruncationIsRefusedOrEndsAtAChange() throws {
    var changes = RowChanges()
    var boundaries: Set<Int> = [0]
    for number in 1...4 as ClosedRange<UInt64> {
      changes.put(tally(number, 5))
      boundaries.insert(changes.bytes.count)
      changes.remove(TallyRow.self, PlayerID(high: 0, low: number))
      boundaries.insert(changes.bytes.count)
    }
    for count in 0...changes.bytes.count {
      let cut = RowChanges(bytes: Array(changes.bytes[..<count]))
      if boundaries.contains(count) {
        #expect(try cut.decoded() == Array(changes.decoded().prefix(try cut.decoded().count)))
      } else {
        #expect(throws: WireError.self) { try cut.decoded() }
      }
    }
  }

  @Test(
    arguments: [
      [3, 0, 17, 0, 0, 0, 0, 0, 0], [0, 0, 17, 0, 0, 0, 0, 0, 0],
      // A key longer than the row; a count beyond the bytes.
      [1, 0, 17, 0, 2, 0, 0, 0, 1, 9], [1, 0, 17, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF],
    ] as [[UInt8]])
  func badBytesAreRefused(_ bytes: [UInt8]) {
    #expect(throws: WireError.self) { try RowChanges(bytes: bytes).decoded() }
    #expect(throws: WireError.self) { try RowChanges(bytes: bytes).decoded(table: 99) }
  }

  @Test func aKeyTooLongTraps() async {
    await #expect(processExitsWith: .failure) {
      var changes = RowChanges()
      changes.remove(LongKeyRow.self, String(repeating: "k", count: 70_000))
    }
  }

  @Test func coldRangesTakeBothEnds() {
    let range = ColdRange(table: 1, from: [1, 2], through: [3], limit: 10)
    for key in [[1, 2], [1, 2, 0], [2], [3], [3, 255, 255]] as [[UInt8]] {
      #expect(range.contains(key))
    }
    for key in [[], [1], [1, 1, 255], [4], [4, 0]] as [[UInt8]] { #expect(!range.contains(key)) }
  }
}

struct LongKeyRow: Row {
  static let tableID: UInt16 = 18
  static let tableName = "long_key"
  var key = ""
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
  }
}
