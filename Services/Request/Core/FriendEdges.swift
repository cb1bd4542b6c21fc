import Domain
import Operations
import Wire

/// The edges of all players of this process, findable by owner.
struct FriendEdges {
  /// How long an edge that holds nothing is remembered, so that late news of it are still known to
  /// be old: longer than any effect stays under way.
  static let memoryMilliseconds: Int64 = 30 * 24 * 3600 * 1000

  private let invitationLifetime: Int64
  private var table = ResidentTable<FriendEdgeRow>()
  private var others: [PlayerID: Set<PlayerID>] = [:]
  /// The mutual ones, in the order of their ids: what every call that needs friends asks for.
  private var friends: [PlayerID: [PlayerID]] = [:]

  init(invitationLifetime: Int64) { self.invitationLifetime = invitationLifetime }

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

  func friends(of player: PlayerID) -> [PlayerID] { friends[player] ?? [] }

  /// Keeps the edge, or drops it when there is nothing in it to remember.
  mutating func put(_ row: FriendEdgeRow, _ transaction: inout Transaction) {
    let friend = RoutingKey(reinterpreting: row.key.friend)
    switch table[row.key]?.edge.state {
    case FriendState.invited where row.edge.state != .invited:
      transaction.cancelTimer(ExpireInvitation.self, on: row.key.player, item: friend)
    case FriendState.none:
      transaction.cancelTimer(ForgetFriendEdge.self, on: row.key.player, item: friend)
    default: break
    }
    if row.edge == FriendEdge() {
      remove(row.key, &transaction)
      return
    }
    table.put(row, &transaction)
    index(row)
    switch row.edge.state {
    case .none:
      transaction.setTimer(
        ForgetFriendEdge(row.key.friend), on: row.key.player, item: friend,
        at: row.ended + Self.memoryMilliseconds)
    case .invited: setExpiry(of: row, &transaction)
    default: break
    }
  }

  func expiry(of row: FriendEdgeRow) -> Int64 { row.mine + invitationLifetime }

  func setExpiry(of row: FriendEdgeRow, _ transaction: inout Transaction) {
    transaction.setTimer(
      ExpireInvitation(row.key.friend), on: row.key.player,
      item: RoutingKey(reinterpreting: row.key.friend), at: expiry(of: row))
  }

  mutating func load(_ row: FriendEdgeRow) {
    table.load(row)
    index(row)
  }

  func loaded(_ transaction: inout Transaction) {
    for (player, friends) in others {
      for friend in friends {
        let row = row(player, friend)
        let item = RoutingKey(reinterpreting: friend)
        switch row.edge.state {
        case .none:
          transaction.ensureTimer(
            ForgetFriendEdge(friend), on: player, item: item,
            by: row.ended + Self.memoryMilliseconds)
        case .invited:
          transaction.ensureTimer(
            ExpireInvitation(friend), on: player, item: item, by: expiry(of: row))
        default: break
        }
      }
    }
  }

  private mutating func remove(_ key: FriendEdgeKey, _ transaction: inout Transaction) {
    table.remove(key, &transaction)
    others[key.player]?.remove(key.friend)
    if others[key.player]?.isEmpty == true { others[key.player] = nil }
  }

  private mutating func index(_ row: FriendEdgeRow) {
    let (player, friend) = (row.key.player, row.key.friend)
    others[player, default: []].insert(friend)
    let isFriend = row.edge.state == .friends
    var list = friends.removeValue(forKey: player) ?? []
    let place = list.firstIndex { $0 >= friend } ?? list.endIndex
    let isListed = place < list.endIndex && list[place] == friend
    if isFriend && !isListed { list.insert(friend, at: place) }
    if !isFriend && isListed { list.remove(at: place) }
    if !list.isEmpty { friends[player] = list }
  }

  /// Drops an edge that has long held nothing.
  mutating func forget(_ key: FriendEdgeKey, _ transaction: inout Transaction) {
    guard let row = table[key], row.edge.state == .none,
      row.ended + Self.memoryMilliseconds <= transaction.now
    else { return }
    remove(key, &transaction)
  }
}

extension ForgetFriendEdge {
  init(_ friend: PlayerID) {
    self.init()
    self.friend = friend
  }
}

extension ExpireInvitation {
  init(_ friend: PlayerID) {
    self.init()
    self.friend = friend
  }
}
