import Domain
import Operations
import Wire

/// The edges of all players of this process, findable by owner.
struct FriendEdges {
  /// How long an edge that holds nothing is remembered, so that late news of it are still known to
  /// be old: longer than any effect stays under way.
  static let memoryMilliseconds: Int64 = 30 * 24 * 3600 * 1000

  private var table = ResidentTable<FriendEdgeRow>()
  private var others: [PlayerID: Set<PlayerID>] = [:]
  private var forgetting = Deadlines<FriendEdgeKey>()

  /// The edge from `player` to `friend`, an empty one where there is none.
  func row(_ player: PlayerID, _ friend: PlayerID) -> FriendEdgeRow {
    let key = FriendEdgeKey(player: player, friend: friend)
    if let row = table[key] { return row }
    var row = FriendEdgeRow()
    row.key = key
    return row
  }

  func contains(_ key: FriendEdgeKey) -> Bool { table[key] != nil }

  func state(_ player: PlayerID, _ friend: PlayerID) -> FriendState {
    table[FriendEdgeKey(player: player, friend: friend)]?.edge.state ?? .none
  }

  /// The edges of `player`, in the order of the others' ids.
  func rows(of player: PlayerID) -> [FriendEdgeRow] {
    (others[player] ?? []).sorted().compactMap {
      table[FriendEdgeKey(player: player, friend: $0)]
    }
  }

  func count(of player: PlayerID, where isCounted: (FriendEdge) -> Bool) -> Int {
    (others[player] ?? []).count {
      isCounted(table[FriendEdgeKey(player: player, friend: $0)]?.edge ?? FriendEdge())
    }
  }

  mutating func put(_ row: FriendEdgeRow, _ transaction: inout Transaction) {
    others[row.key.player, default: []].insert(row.key.friend)
    if row.edge.state == .none {
      forgetting.add(row.key, due: transaction.now + Self.memoryMilliseconds)
    }
    table.put(row, &transaction)
  }

  mutating func load(_ bytes: [UInt8]) throws(WireError) {
    let row = try table.load(bytes)
    others[row.key.player, default: []].insert(row.key.friend)
  }

  mutating func loaded() {
    forgetting.fill(
      table.rows.values.filter { $0.edge.state == .none }
        .map { ($0.key, $0.ended + Self.memoryMilliseconds) })
  }

  /// Drops up to `countMax` edges that have long held nothing.
  mutating func forget(countMax: Int, _ transaction: inout Transaction) {
    for _ in 0..<countMax {
      guard let key = forgetting.popDue(now: transaction.now) else { return }
      // An edge that came back to life and ended again has a later deadline of its own.
      guard let row = table[key], row.edge.state == .none,
        row.ended + Self.memoryMilliseconds <= transaction.now
      else { continue }
      table.remove(key, &transaction)
      others[key.player]?.remove(key.friend)
      if others[key.player]?.isEmpty == true { others[key.player] = nil }
    }
  }
}
