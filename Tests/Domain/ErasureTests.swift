import TestKit
import Testing
import Wire

@testable import Domain

/// An engine forgets a player: in all rows, and in what comes later (rule 7.3).
struct ErasureTests {
  private let world = TinyWorld()
  private let anna: PlayerID = .sample(1)
  private let ben: PlayerID = .sample(2)
  private let erasure = Erasure(of: .sample(1), drawing: { [random = Locked()] in random.next() })

  private final class Locked {
    private var random = RandomSource.seeded(7)
    func next() -> UInt64 { random.next() }
  }

  /// Tables that have a row about `player`.
  private func traces(of player: PlayerID) -> [UInt16] {
    let trace = PlayerTrace(player)
    return world.rows.filter { $1.values.contains(where: trace.isIn) }.keys.sorted()
  }

  private func begin() { #expect(world.erase(erasure).answer == .reply([])) }

  /// A call of Ben's, whose client has an instance of its own.
  private func bensCall<O: Operation>(_ operation: O, key counter: UInt64 = 0) -> Outcome {
    var envelope = world.envelope(ben, key: counter)
    envelope.idempotency.instance = 6
    return world.apply(Request(opcode: O.opcode, envelope: envelope, body: operation.encoded))
  }

  /// Rows about Anna in every table of the engine's that can have one.
  private func spread() {
    _ = world.add(5, key: 1)
    _ = bensCall(Add(), key: 2)
    var share = Share()
    (share.players, share.amount) = ([anna, .sample(3)], -1)
    for effect in bensCall(share, key: 3).effects where effect.routingKey == .init(anna) {
      let refused = world.apply(world.engine.delivery(of: effect))
      guard case .failure(let failure) = refused.answer else { return }
      world.keep(world.engine.park(effect.key, failure, clock: world.clock))
    }
    share.amount = 4
    _ = bensCall(share, key: 4)
    var remind = Remind()
    remind.due = world.clock + 100_000
    (remind.item, remind.reminder.item) = (.init(anna), .init(anna))
    _ = bensCall(remind, key: 5)
    _ = world.call(remind, anna, key: 6)
    var note = WriteNote()
    note.text = "for \(anna)"
    _ = bensCall(note, key: 7)
    var declare = Declare()
    (declare.name, declare.total, declare.text) = ("t", 3, "\(anna)")
    var envelope = ServiceEnvelope()
    envelope.principal.kind = .deploymentOperator
    envelope.routingKey = RoutingKey(high: 5, low: 5)
    _ = world.apply(Request(opcode: Declare.opcode, envelope: envelope, body: declare.encoded))
  }

  @Test("7.3 after an erasure no table has the player")
  func everyTable() throws {
    spread()
    #expect(
      traces(of: anna) == [
        ReplyRow.tableID, OutboxRow.tableID, ParkedRow.tableID, AuditRow.tableID, TimerRow.tableID,
        TallyRow.tableID, NoteRow.tableID,
      ])
    let others = traces(of: ben)
    begin()
    #expect(world.core.erasures == [erasure])
    #expect(!traces(of: anna).isEmpty, "it goes on in steps")
    world.forget()
    #expect(traces(of: anna).isEmpty)
    #expect(traces(of: ben) == others)
    #expect(world.core.tallies[anna] == nil && world.core.tallies[ben] != nil)
    #expect(world.engine.walk.open.isEmpty)
    // A call of Ben's still gets the answer of the first time, and does not run again.
    var note = WriteNote()
    note.text = "for \(anna)"
    let repeated = bensCall(note, key: 7)
    #expect(repeated.failureCode == nil && repeated.changes.isEmpty, "the answer of the first time")
    #expect(bensCall(note, key: 8).failureCode == nil)
    #expect(traces(of: anna).isEmpty, "it names who is erased")
    #expect(bensCall(Add(), key: 2).changes.isEmpty)
    try world.restart()
    #expect(world.engine.walk.open.isEmpty, "nothing is left to do")
    #expect(bensCall(Add(), key: 2).changes.isEmpty)
    #expect(world.add(1, key: 9).failureCode == .notAuthenticated)
  }

  @Test("7.3 effects of others reach the stand-in, and are not lost")
  func lateEffect() {
    var share = Share()
    (share.players, share.amount) = ([anna], 4)
    let late = world.engine.delivery(of: bensCall(share).effects[0])
    begin()
    world.forget()
    #expect(world.apply(late).answer == .reply([]))
    #expect(world.core.tallies[anna] == nil)
    #expect(world.core.tallies[erasure.standIn]?.total == 4)
    #expect(traces(of: anna).isEmpty)
    #expect(world.engine.openEffects.map(\.routingKey) == [.init(erasure.standIn)])
  }

  @Test("7.3 who is erased calls nothing, and nobody writes of the player again")
  func calls() {
    begin()
    #expect(world.add(1).failureCode == .notAuthenticated)
    #expect(world.call(ReadTotal(), anna).failureCode == .notAuthenticated)
    var share = Share()
    share.players = [.sample(3), anna]
    let effects = bensCall(share).effects
    #expect(effects.count == 2, "the others of the call get theirs")
    #expect(effects[0].routingKey == .init(.sample(3)))
    #expect(![.init(anna), .init(erasure.standIn)].contains(effects[1].routingKey))
    #expect(traces(of: anna).isEmpty)
    var declare = Declare()
    declare.text = "\(anna)"
    var envelope = ServiceEnvelope()
    envelope.principal.kind = .service
    func declared() -> Outcome {
      world.apply(
        Request(opcode: Declare.opcode, envelope: envelope, body: declare.encoded))
    }
    #expect(declared().failureCode == nil, "whoever has written it")
    envelope.routingKey = .init(anna)
    #expect(declared().failureCode == .notReachable, "it would have her back")
    #expect(traces(of: anna).isEmpty)
  }

  @Test("7.3 a restart in the middle changes nothing, nor does an older store")
  func restart() throws {
    spread()
    let backup = world.backup
    begin()
    world.runTimers()
    try world.restart()
    world.forget()
    #expect(traces(of: anna).isEmpty)
    try world.restore(backup)
    #expect(!traces(of: anna).isEmpty)
    begin()
    world.forget()
    #expect(traces(of: anna).isEmpty)
  }

  @Test("7.3 a row that changes while it is read is not put back as it was")
  func staleRead() throws {
    world.clock = 5_000_000
    var note = WriteNote()
    note.text = "for \(anna)"
    let key = try bensCall(note).reply(Total.self).value
    begin()
    // The walk asks for the notes, and one is written anew before they are there.
    var old: [ColdRange: [[UInt8]]]?
    while let request = world.takeTimer() {
      if case .needs(let ranges) = world.engine.apply(request, clock: world.clock),
        ranges[0].table == NoteRow.tableID, old == nil
      {
        old = [ranges[0]: Array((world.rows[NoteRow.tableID] ?? [:]).values)]
        note.text = "newer"
        #expect(try bensCall(note).reply(Total.self).value == key)
        guard
          case .done(let outcome) = world.engine.apply(
            request, clock: world.clock, coldRows: old ?? [:])
        else { return }
        world.keep(outcome.changes)
      } else {
        _ = world.apply(request)
      }
    }
    #expect(old != nil)
    world.forget()
    let left = try #require(world.rows[NoteRow.tableID]?[UInt64(key).keyBytes])
    #expect(try NoteRow(decoding: left).text == "newer")
  }

  @Test("7.3 many rows are looked at in steps")
  func steps() {
    let count = ErasureLimits.rowsPerStep * 2 + 3
    for number in 0..<count {
      var row = NoteRow()
      row.key = UInt64(number)
      row.text = number % 100 == 0 ? "\(anna)" : ""
      world.store(row)
    }
    begin()
    world.forget()
    #expect(traces(of: anna).isEmpty)
    #expect(world.rows[NoteRow.tableID]?.count == count)
  }
}

extension RoutingKey {
  fileprivate init(_ player: PlayerID) { self.init(reinterpreting: player) }
}
