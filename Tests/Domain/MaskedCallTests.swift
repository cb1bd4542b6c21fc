import Operations
import TestKit
import Testing
import Wire

@testable import Domain

/// To callers, who is erased is as unknown as who never was (rules 2.4, 2.9, 7.3).
struct MaskedCallTests {
  private let world = TinyWorld()
  private let anna: PlayerID = .sample(1)
  private let ben: PlayerID = .sample(2)
  private let cleo: PlayerID = .sample(3)
  private let dora: PlayerID = .sample(4)

  private func erase(_ player: PlayerID) -> Erasure {
    var random = RandomSource.seeded(100 + player.low)
    let erasure = Erasure(of: player) { random.next() }
    #expect(world.erase(erasure).answer == .reply([]))
    return erasure
  }

  /// A call of Ben's that mentions Anna, with whom she blocks where that is known.
  private func mention(blocking blocked: [PlayerID]? = nil, key: UInt64 = 0) -> Outcome {
    var mention = Mention()
    mention.player = anna
    var envelope = world.envelope(ben, key: key)
    if let blocked {
      var reply = FetchBlocks.Reply()
      reply.blocked = blocked
      envelope.facts.all = [
        Fact(FetchBlocks.opcode, at: RoutingKey(reinterpreting: anna), reply: reply.encoded)
      ]
    }
    return world.apply(
      Request(opcode: Mention.opcode, envelope: envelope, body: mention.encoded))
  }

  private var notes: [String] {
    (world.rows[NoteRow.tableID] ?? [:]).values.compactMap { try? NoteRow(decoding: $0).text }
  }

  @Test("7.3 a fact is asked for by the id that the gateway knows, and comes under it")
  func facts() throws {
    _ = erase(anna)
    guard case .failure(let failure) = mention().answer else {
      Issue.record("no fact came with the call")
      return
    }
    let demand = try FactDemand(decoding: failure.detail.array)
    #expect(demand.keys == [RoutingKey(reinterpreting: anna)])
    let operation = try Mention(decoding: demand.operation?.array ?? [])
    #expect(operation.player == anna, "the gateway sends these bytes again")
    #expect(mention(blocking: [dora]).failureCode == nil)
  }

  @Test("2.9 7.3 the caller hears of the player by the id that it has; nothing else is kept")
  func reply() throws {
    let anna = erase(anna)
    let cleo = erase(cleo)
    let reply = try mention(blocking: [cleo.player, dora]).reply(Mention.Reply.self)
    #expect(reply.player == anna.player)
    #expect(reply.blocked == [cleo.standIn, dora], "what facts say is as what is kept")
    #expect(notes.count == 1)
    for id in [anna.player, anna.standIn, cleo.player] {
      #expect(!notes[0].contains("\(id)"), "the stand-in has a place that callers must not learn")
    }
  }

  @Test("2.4 7.3 a fact that says the player's id says it to the caller, too")
  func echo() throws {
    let anna = erase(anna)
    let reply = try mention(blocking: [anna.player, dora]).reply(Mention.Reply.self)
    #expect(reply.blocked == [anna.player, dora])
  }

  @Test("7.1 7.3 a stand-in that a call shows is the same when it is repeated")
  func standIn() throws {
    let anna = erase(anna)
    let first = try mention(blocking: [anna.standIn], key: 3).reply(Mention.Reply.self)
    #expect(first.blocked == [anna.standIn])
    #expect(try mention(blocking: [anna.standIn], key: 3).reply(Mention.Reply.self) == first)
  }

  @Test("7.3 who takes the place is the same after a restart, and a stand-in to handlers")
  func stable() throws {
    let erasure = erase(anna)
    let mask = world.engine.mask(of: erasure)
    #expect(mask.standIn != erasure.standIn && mask.player == anna)
    #expect(world.engine.erased.standIns == [erasure.standIn, mask.standIn])
    try world.restart()
    #expect(world.engine.mask(of: erasure) == mask)
  }

  @Test("7.1 7.3 a repeated call gets the first answer, also from another process")
  func repeated() throws {
    let before = try mention(blocking: [dora], key: 1).reply(Mention.Reply.self)
    _ = erase(anna)
    let first = try mention(blocking: [dora], key: 2).reply(Mention.Reply.self)
    #expect(first.player == anna)
    world.forget()
    let trace = PlayerTrace(anna)
    #expect(!world.rows.values.contains { $0.values.contains(where: trace.isIn) })
    try world.restart()
    for key in [1, 2] as [UInt64] {
      let outcome = mention(blocking: [dora], key: key)
      #expect(try outcome.reply(Mention.Reply.self) == first && first == before)
      #expect(outcome.changes.isEmpty, "it does not run again")
    }
  }

  @Test("2.4 7.3 a refusal says what it says of a player who never was")
  func refused() {
    _ = erase(anna)
    guard case .failure(let failure) = mention(blocking: []).answer else {
      Issue.record("refused")
      return
    }
    #expect(failure == Failure(.notFound, argument: "player", "\(anna) blocks nobody."))
  }
}
