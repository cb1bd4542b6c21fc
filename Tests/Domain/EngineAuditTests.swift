import Domain
import TestKit
import Testing
import Wire

/// What owners and operators do is written down, by the engine and in the same batch.
struct EngineAuditTests {
  private let world = TinyWorld()

  private func request(
    _ total: Int64, text: String = "", as kind: PrincipalKind = .deploymentOperator,
    key counter: UInt64 = 0
  ) -> Request {
    var operation = Declare()
    operation.name = "stars"
    operation.total = total
    operation.text = text
    var envelope = world.envelope(.sample(7), key: counter, floor: min(counter, 1))
    envelope.principal.kind = kind
    envelope.trace = 77
    if kind == .deploymentOperator { envelope.principal.operatorName = "alice" }
    return Request(opcode: Declare.opcode, envelope: envelope, body: operation.encoded)
  }

  private var rows: [AuditRow] {
    get throws {
      try (world.rows[AuditRow.tableID] ?? [:]).values.map { try AuditRow(decoding: $0) }
        .sorted { $0.key < $1.key }
    }
  }

  @Test func anOwnersChangeIsInTheBatchOfItsRows() throws {
    let call = request(5, key: 1)
    #expect(world.apply(call).summary == ["put 16", "put 6", "put 1"])
    let row = try #require(try rows.first)
    #expect(row.key == 1 << 16 && row.time == world.clock)
    #expect(row.principal == .deploymentOperator && row.game == "g")
    #expect(row.opcode == Declare.opcode.rawValue && row.operation == "Declare")
    #expect(row.subject == "stars" && row.routingKey == call.envelope.routingKey)
    #expect(row.trace == 77 && row.operatorName == "alice")
    #expect(row.body.array == call.body && Int(row.bodyCount) == call.body.count)
    _ = world.apply(request(6, as: .gameServer, key: 2))
    #expect(try rows.map(\.principal) == [.deploymentOperator, .gameServer])
    #expect(try rows.map(\.operatorName) == ["alice", ""])
    #expect(try rows.map(\.key) == [1 << 16, 2 << 16])
  }

  /// `Declare` may be repeated, so without the audit it would simply run again.
  @Test func aRepeatedCallIsWrittenDownOnce() throws {
    _ = world.apply(request(5, key: 1))
    _ = world.apply(request(6, key: 2))
    let again = world.apply(request(5, key: 1))
    #expect(again.failureCode == nil && again.changes.isEmpty)
    try world.restart()
    #expect(world.apply(request(6, key: 2)).changes.isEmpty)
    #expect(try rows.count == 2)
  }

  @Test func whatChangesNothingIsNotWrittenDown() throws {
    #expect(world.apply(request(-1, key: 1)).failureCode == .invalidArgument)
    #expect(world.apply(request(5, as: .player, key: 1)).failureCode == .notAllowed)
    #expect(world.apply(request(0, key: 1)).summary == ["put 1"])
    #expect(try rows.isEmpty)
  }

  @Test func playersAndServicesAreNotOwners() throws {
    _ = world.add(5, key: 1)
    #expect(world.apply(request(5, as: .service)).summary == ["put 16"])
    var delivery = request(9, as: .service)
    delivery.envelope.source = EffectSource(
      service: .request, slot: 1, store: TinyWorld.store, sequence: 1, after: 0)
    #expect(world.apply(delivery).summary == ["put 16", "put 4"])
    #expect(try rows.isEmpty)
  }

  @Test func aLongCallIsCutAndCounted() throws {
    let call = request(5, text: String(repeating: "x", count: 10_000))
    _ = world.apply(call)
    let row = try #require(try rows.first)
    #expect(row.body.array == Array(call.body.prefix(AuditRow.bodyBytesMax)))
    #expect(Int(row.bodyCount) == call.body.count)
    _ = world.apply(request(6, text: String(repeating: "x", count: 10_001)))
    #expect(Set(try rows.map(\.bodyHash)).count == 2)
  }

  /// More than one step of them: the next one is due at once, and then not before a row is old.
  @Test func oldRowsAreRemovedStepByStep() throws {
    #expect(trim() == [0])
    for total in 1...100 as ClosedRange<Int64> { _ = world.apply(request(total)) }
    world.clock += world.core.settings[.auditKept]
    _ = world.apply(request(500))
    #expect(trim() == [])
    world.clock += 1
    #expect(trim() == [64, 36])
    #expect(trim() == [])
    #expect(try rows.map(\.time) == [1_000_000 + world.core.settings[.auditKept]])
    try world.restart()
    #expect(trim() == [0], "a start looks again")
  }

  /// The number of rows that each step removed.
  private func trim() -> [Int] { world.runTimers().map { decodedChanges($0.changes).count } }
}
