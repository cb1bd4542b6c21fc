import Domain
import Wire

/// Which games each player has signed in to.
struct PlayerGames {
  static let perPlayerMax = 256

  private var table = ResidentTable<PlayerGameRow>()
  private var byPlayer: [PlayerID: Set<String>] = [:]

  func row(_ player: PlayerID, _ game: String) -> PlayerGameRow? {
    table[PlayerGameKey(player: player, game: game)]
  }

  func count(of player: PlayerID) -> Int { byPlayer[player]?.count ?? 0 }

  /// The event up to which the clients of all of the player's games have acknowledged.
  func acknowledgedByAll(of player: PlayerID) -> UInt64 {
    (byPlayer[player] ?? []).lazy.map { row(player, $0)?.acknowledged ?? 0 }.min() ?? 0
  }

  mutating func put(_ row: PlayerGameRow, _ transaction: inout Transaction) {
    byPlayer[row.key.player, default: []].insert(row.key.game)
    table.put(row, &transaction)
  }

  mutating func load(_ row: PlayerGameRow) {
    table.load(row)
    byPlayer[row.key.player, default: []].insert(row.key.game)
  }
}
