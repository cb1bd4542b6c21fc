import TestKit
import Testing
import Wire

@testable import Domain

/// Who was erased is found in bytes, and that nobody was is seen quickly, however many they are.
struct ErasedPlayersTests {
  private func players(_ count: Int, _ random: inout RandomSource) -> [PlayerID] {
    (0..<count).map { _ in PlayerID(high: random.next(), low: random.next()) }
  }

  @Test("7.3 each of many erased players is found in both forms, also after the filter has grown")
  func found() {
    var random = RandomSource.seeded(5)
    let players = players(5_000, &random)
    var erased = ErasedPlayers()
    for player in players { erased.insert(Erasure(of: player, as: .sample(1))) }
    for player in [players[0], players[2_500], players[4_999]] {
      for form in [player.bytes, Array("\(player)".utf8)] {
        let bytes = [0, 1] + form + [2]
        #expect(unsafe erased.named(in: bytes.span.bytes).map(\.player) == [player])
        let cut = form.dropLast()
        #expect(unsafe erased.named(in: Array(cut).span.bytes).isEmpty)
      }
    }
  }

  @Test("Erased players are gone through in the order in which they were listed")
  func order() {
    var random = RandomSource.seeded(7)
    let players = players(100, &random)
    var erased = ErasedPlayers()
    for player in players + players { erased.insert(Erasure(of: player, as: .sample(1))) }
    #expect(erased.all.map(\.player) == players && erased.count == 100)
  }

  @Test("7.3 many ids are replaced in one pass, as one after the other")
  func renamed() {
    var random = RandomSource.seeded(8)
    var erased = ErasedPlayers()
    let erasures = players(300, &random).map { player in
      Erasure(of: player, as: PlayerID(high: random.next(), low: random.next()))
    }
    for erasure in erasures { erased.insert(erasure) }
    var bytes: [UInt8] = [7]
    for erasure in erasures.shuffled(using: &random) {
      bytes += erasure.player.bytes + [1] + Array("\(erasure.player)".utf8)
    }
    let wanted = erasures.reduce(bytes) { $1.renamed($0) }
    #expect(erased.renamed(bytes) == wanted && wanted != bytes)
    #expect(unsafe erased.named(in: wanted.span.bytes).isEmpty)
    #expect(erased.renamed(erasures[9].player) == erasures[9].standIn)
    #expect(erased.renamed(PlayerID.sample(4)) == .sample(4))
  }

  @Test("7.3 the filter lets few places through, however many players are erased")
  func filter() {
    var random = RandomSource.seeded(6)
    var erased = ErasedPlayers()
    for player in players(40_000, &random) {
      erased.insert(Erasure(of: player, as: player == .sample(1) ? .sample(2) : .sample(1)))
    }
    let tries = 20_000
    let passed = (0..<tries).count { _ in
      erased.filter.mayHave(UInt32(truncatingIfNeeded: random.next()))
    }
    #expect(passed * 12 < tries, "\(passed) of \(tries)")
  }
}
