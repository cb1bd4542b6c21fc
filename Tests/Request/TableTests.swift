import Domain
import RequestCore
import Testing
import Wire

@Suite struct TableTests {
  @Test("rows survive the way through a store's columns")
  func cells() throws {
    var random = RandomSource.seeded(3)
    try check(PlayerRow.self, &random)
    try check(DeviceRow.self, &random)
    try check(InstanceRow.self, &random)
    try check(PlayerGameRow.self, &random)
    try check(FriendEdgeRow.self, &random)
    try check(ReceivedRequestRow.self, &random)
    try check(StreamRow.self, &random)
    try check(EventRow.self, &random)
  }

  private func check<R: Row>(_ type: R.Type, _ random: inout RandomSource) throws {
    let table = TableDescription(type)
    for _ in 0..<50 {
      let row = R.arbitrary(using: &random)
      let cells = try table.cells(row.encoded)
      #expect(cells.count == table.columns.count)
      #expect(table.row(cells) == row.encoded)
      #expect(try table.keyCells(row.key.keyBytes) == Array(cells.prefix(table.keyColumnCount)))
    }
  }

  @Test("table numbers and names are unique")
  func unique() {
    let tables = Engine.tables(of: RequestCore.self)
    #expect(Set(tables.map(\.id)).count == tables.count)
    #expect(Set(tables.map(\.name)).count == tables.count)
    #expect(RequestCore.tables.allSatisfy { $0.id >= 16 })
  }
}
