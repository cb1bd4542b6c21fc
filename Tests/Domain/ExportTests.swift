import TestKit
import Testing
import Wire

@testable import Domain

/// What an engine tells of a player's rows, wherever they are (rule 7.3).
struct ExportTests {
  private let world = TinyWorld()

  private func export(_ player: PlayerID) throws -> [ExportedRecord] {
    var (records, place): ([ExportedRecord], ExportPlace?) = ([], ExportPlace())
    while let asked = place {
      let operation = ExportTinyRecords(player, at: RoutingKey(high: 0, low: 7), from: asked)
      var envelope = ServiceEnvelope()
      envelope.principal.kind = .deploymentOperator
      envelope.routingKey = operation.key
      let outcome = world.apply(
        Request(opcode: ExportTinyRecords.opcode, envelope: envelope, body: operation.encoded))
      guard case .reply(let bytes) = outcome.answer else {
        Issue.record("\(outcome.answer)")
        return records
      }
      let reply = try ExportedRecords(decoding: bytes)
      #expect(reply.partitionCount == 1 && reply.partitionIndex == 0)
      records += reply.records
      #expect(reply.next != asked, "the export stands still")
      place = reply.next
    }
    return records
  }

  private func json(_ record: ExportedRecord) -> String {
    String(decoding: record.json.array, as: UTF8.self)
  }

  @Test("7.3 an export has all rows about a player, resident and cold, and nobody else's")
  func all() throws {
    _ = world.add(5, key: 1)
    _ = world.call(Add(), .sample(2), key: 1)
    let records = try export(.sample(1))
    let own = try #require(records.first { $0.table == TallyRow.tableName })
    #expect(own.isOwn && json(own).contains(#""total":5"#))
    let reply = try #require(records.first { $0.table == ReplyRow.tableName })
    #expect(!reply.isOwn, "answers are of their client's instance")
    #expect(records.allSatisfy { json($0).contains(PlayerID.sample(1).description) })
    #expect(try export(.sample(3)).isEmpty)
  }

  @Test("7.3 rows of more than one page are each exported once")
  func pages() throws {
    let count = ExportLimits.rowsPerCall * 2
    for counter in 1...UInt64(count) { _ = world.add(1, key: counter) }
    let replies = try export(.sample(1)).filter { $0.table == ReplyRow.tableName }
    #expect(Set(replies.map(\.json)).count == replies.count)
    #expect(replies.count > ExportLimits.rowsPerCall / 2)
    let stored = world.rows[ReplyRow.tableID]?.count
    #expect(replies.count == stored)
  }

  @Test("7.3 an export says what remembered answers, effects and timers are about")
  func opened() throws {
    _ = world.add(5, key: 1)
    var share = Share()
    (share.players, share.amount) = ([.sample(1), .sample(2)], 7)
    _ = world.call(share, .sample(2), key: 2)
    var remind = Remind()
    (remind.due, remind.item) = (1_000_000, RoutingKey(.sample(4)))
    (remind.reminder.amount, remind.reminder.item) = (3, RoutingKey(.sample(1)))
    _ = world.call(remind, key: 3)
    let text = try export(.sample(1)).map(json).joined(separator: "\n")
    #expect(text.contains(#""reply":{"Total":{"value":5}}"#), "\(text)")
    #expect(text.contains(#""body":{"Receive":{"player":"\#(PlayerID.sample(1))","amount":7}}"#))
    #expect(text.contains(#""body":{"Reminder":{"amount":3,"item":"\#(PlayerID.sample(1))""#))
  }

  @Test("7.3 what cannot be read whole stays as it is")
  func closed() throws {
    var declare = Declare()
    (declare.name, declare.total) = ("\(PlayerID.sample(1))", 5)
    declare.text = String(repeating: "x", count: AuditRow.bodyBytesMax)
    var envelope = world.envelope(.sample(7), key: 0, floor: 0)
    envelope.principal.kind = .deploymentOperator
    _ = world.apply(
      Request(opcode: Declare.opcode, envelope: envelope, body: declare.encoded))
    let audit = try #require(try export(.sample(1)).first { $0.table == AuditRow.tableName })
    let stored = try #require(world.rows[AuditRow.tableID]?.values.first)
    let body = try AuditRow(decoding: stored).body
    #expect(json(audit).contains(#""body":"\#(Base64.text(body.array))""#))
  }

  @Test("7.3 the export is an operator's, of somebody")
  func refused() {
    let operation = ExportTinyRecords(.sample(1), at: RoutingKey(.sample(1)))
    guard case .failure(let failure) = world.call(operation).answer else {
      Issue.record("a player exports")
      return
    }
    #expect(failure.code == .notAllowed)
    #expect(ExportTinyRecords(PlayerID(), at: RoutingKey()).fault?.argument == "player")
  }
}

struct ExportTinyRecords: RecordsExport {
  static let opcode = Opcode(.context, 13)
  var key = RoutingKey()
  var player = PlayerID()
  var place = ExportPlace()
}

extension RoutingKey {
  fileprivate init(_ player: PlayerID) { self.init(reinterpreting: player) }
}
