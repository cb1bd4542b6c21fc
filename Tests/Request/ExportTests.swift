import Operations
import TestKit
import Testing
import Wire

@testable import RequestCore

/// What the request service tells of a player's rows (rule 7.3).
@Suite struct ExportTests {
  let world = World()

  private func export(_ player: PlayerID) throws -> [ExportedRecord] {
    var (records, place): ([ExportedRecord], ExportPlace?) = ([], ExportPlace())
    while let asked = place {
      let operation = ExportRequestRecords(player, at: Slot.keys[3], from: asked)
      let reply = try world.driver.call(
        operation, as: PlayerID(), key: operation.key, kind: .deploymentOperator)
      records += reply.records
      place = reply.next
    }
    return records
  }

  @Test("7.3 an export has events of the stream, and effects that carry one, in words")
  func events() throws {
    let (anna, ben) = (try world.player(1, name: "Anna"), try world.player(2))
    try world.befriend(anna, ben)
    try world.driver.call(SendRequest(to: [anna], message: "Your move"), as: ben)
    try world.driver.deliverOwnEffects()
    var append = AppendEvent()
    (append.player, append.kind, append.body) = (anna, 0x0177, Bytes([1, 2, 3]))
    try world.call(append, as: anna, game: "game", kind: .service)

    let records = try export(anna).filter { $0.table == EventRow.tableName }
    let rows = records.map { String(decoding: $0.json.array, as: UTF8.self) }
    #expect(rows.contains { $0.contains(#""body":{"FriendAccepted":{"#) }, "\(rows)")
    let request = try #require(
      rows.first { $0.contains(#""body":{"RequestReceived":{"#) })
    #expect(request.contains(#""message":"Your move""#))
    #expect(request.contains(#""sender":"\#(ben)""#))
    #expect(rows.contains { $0.contains(#""body":"AQID""#) }, "of a kind that is not known")
  }
}
