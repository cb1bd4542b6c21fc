import Domain
import Operations
import Testing
import Wire

/// A handler asks for the same fact at several keys.
@Suite struct SeveralFactsTests {
  private let players = (1...4).map { PlayerID(high: 0, low: UInt64($0)) }

  private func call(knowing known: [PlayerID]) -> Call {
    let principal = Principal(
      kind: .player, game: "game", player: players[0], device: DeviceID())
    let facts = known.map { player in
      var reply = FetchBlocks.Reply()
      reply.blocked = [player]
      return Fact(
        FetchBlocks.opcode, at: RoutingKey(reinterpreting: player), reply: reply.encoded)
    }
    return Call(
      principal: principal, key: RoutingKey(high: 9, low: 9), facts: Facts(facts))
  }

  private func demand(_ call: Call, _ keys: [PlayerID]) -> FactDemand? {
    do throws(Stop) {
      _ = try call.facts(FetchBlocks.self, at: keys)
      return nil
    } catch {
      guard case .needsFact(let demand) = error else { return nil }
      return demand
    }
  }

  @Test("2.9 all that are missing are asked for at once, each once, in the order of the keys")
  func missing() throws {
    let keys = [players[2], players[0], players[2], players[3], players[1]]
    let asked = demand(call(knowing: [players[0]]), keys)
    #expect(asked?.opcode == FetchBlocks.opcode.rawValue)
    #expect(
      asked?.keys == [players[2], players[3], players[1]].map { RoutingKey(reinterpreting: $0) })
    // As an older gateway goes on, which fetches the first one alone.
    let next = demand(call(knowing: [players[0], players[2]]), keys)
    #expect(next?.keys == [players[3], players[1]].map { RoutingKey(reinterpreting: $0) })
  }

  @Test("2.9 the replies are in the order of the keys, also where one is named twice")
  func replies() throws {
    let keys = [players[2], players[0], players[2]]
    let replies = try call(knowing: players).facts(FetchBlocks.self, at: keys)
    #expect(replies.map(\.blocked) == keys.map { [$0] })
    #expect(try call(knowing: []).facts(FetchBlocks.self, at: [PlayerID]()).isEmpty)
  }
}
