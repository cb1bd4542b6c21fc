import Domain
import Testing
import Wire

/// What a store's column gives back is what was put there.
struct CellTests {
  private func roundTrip<Value: FieldValue>(_ type: Value.Type, rounds: Int = 200) {
    var random = RandomSource.seeded(10)
    for _ in 0..<rounds {
      let value = Value.arbitrary(using: &random)
      #expect(Value(cell: value.cell) == value)
    }
  }

  @Test func everyKindOfField() {
    roundTrip(UInt8.self)
    roundTrip(UInt16.self)
    roundTrip(UInt32.self)
    roundTrip(UInt64.self)
    roundTrip(Int32.self)
    roundTrip(Int64.self)
    roundTrip(Bool.self)
    roundTrip(Double.self)
    roundTrip(String.self)
    roundTrip(Bytes.self)
    roundTrip(PlayerID.self)
    roundTrip(Colour.self)
    roundTrip(Point.self)
    roundTrip(Inner.self)
    roundTrip(String?.self)
    roundTrip(Inner?.self)
    roundTrip([UInt64].self)
    roundTrip([Inner].self)
    roundTrip([String]?.self)
  }

  @Test func literalCells() {
    #expect(UInt64.max.cell == .integer(-1))
    #expect(UInt64(cell: .integer(-1)) == .max)
    #expect(true.cell == .integer(1))
    #expect("a".cell == .text("a"))
    #expect(String?.none.cell == .null)
    #expect([1, 2] as [UInt8] == [UInt8](cell: .blob([0, 0, 0, 2, 1, 2])))
    #expect(Double(cell: .null)?.isNaN == true)
  }

  @Test func cellsThatDoNotFitAreRefused() {
    #expect(UInt8(cell: .integer(256)) == nil)
    #expect(UInt16(cell: .integer(-1)) == nil)
    #expect(Int32(cell: .integer(1 << 40)) == nil)
    #expect(Colour(cell: .integer(256)) == nil)
    #expect(UInt8(cell: .text("1")) == nil)
    #expect(String(cell: .null) == nil)
    #expect(PlayerID(cell: .blob([1, 2])) == nil)
    #expect([UInt8](cell: .blob([0, 0, 0, 9])) == nil)
  }
}
