import Domain
import Operations
import Wire

/// The edges of all players of this process, findable by owner.
struct FriendEdges {
  /// How long an edge that holds nothing is remembered, so that late news of it are still known to
  /// be old: longer than any effect stays under way.
  static let memoryMilliseconds: Int64 = 30 * 24 * 3600 * 1000

  private let invitationLifetime: Int64
  private var table = GroupedTable<FriendEdgeRow, PlayerID> { $0.player }
  /// The mutual ones, in the order of their ids: what every call that needs friends asks for.
  private var friends: [PlayerID: [PlayerID]] = [:]
  /// Those that lists show, in the order of their ids.
  private var listed: [PlayerID: [PlayerID]] = [:]

  /// Of each player with edges: those that have a limit.
  private var counts: [PlayerID: Counts] = [:]

  struct Counts: Equatable {
    /// Friends and the player's open invitations.
    var wishes = 0
    var received = 0
    var blocked = 0

    fileprivate mutating func add(_ edge: FriendEdge, _ count: Int) {
      if edge.wishes { wishes += count }
      if edge.state == .received { received += count }
      if edge.isBlocked { blocked += count }
    }
  }

  init(invitationLifetime: Int64) { self.invitationLifetime = invitationLifetime }

  /// The edge from `player` to `friend`, an empty one where there is none.
  func row(_ player: PlayerID, _ friend: PlayerID) -> FriendEdgeRow {
    let key = FriendEdgeKey(player: player, friend: friend)
    return table[key] ?? FriendEdgeRow(key: key)
  }

  func contains(_ key: FriendEdgeKey) -> Bool { table[key] != nil }

  /// Whether nothing is between the player and anybody else.
  func isEmpty(of player: PlayerID) -> Bool { table.count(of: player) == 0 }

  func state(_ player: PlayerID, _ friend: PlayerID) -> FriendState {
    row(player, friend).edge.state
  }

  /// The players to whom `player` has an edge that lists show, behind one of them, in the order of
  /// their ids. O(log n).
  func listed(of player: PlayerID, after last: PlayerID?) -> ArraySlice<PlayerID> {
    let all = listed[player] ?? []
    guard let last else { return all[...] }
    return all[all.sortedCount { $0 <= last }...]
  }

  /// In the order of their ids.
  func blocked(by player: PlayerID) -> [PlayerID] {
    table.rows(of: player).filter(\.edge.isBlocked).map(\.key.friend).sorted()
  }

  func counts(of player: PlayerID) -> Counts { counts[player] ?? Counts() }

  func friends(of player: PlayerID) -> [PlayerID] { friends[player] ?? [] }

  /// The friends behind one, in the order of their ids; all of them behind the nil id.
  func friends(of player: PlayerID, after last: PlayerID) -> ArraySlice<PlayerID> {
    let all = friends(of: player)
    return all[all.sortedCount { $0 <= last }...]
  }

  /// Keeps the edge, or drops it when there is nothing in it to remember.
  mutating func put(_ row: FriendEdgeRow, _ transaction: inout Transaction) {
    let (before, after) = (table[row.key]?.edge.state, row.edge.state)
    if let before, before != after { cancelTimer(of: row.key, in: before, &transaction) }
    index(row)
    if row.edge == FriendEdge() {
      table.remove(row.key, &transaction)
      return
    }
    table.put(row, &transaction)
    // An edge that stays empty may have a newer end, which moves its timer.
    if before != after || after == .none { setTimer(of: row, &transaction) }
  }

  func expiry(of row: FriendEdgeRow) -> Int64 { row.mine + invitationLifetime }

  /// Sets the timer that an edge has in its state, if any.
  func setTimer(of row: FriendEdgeRow, _ transaction: inout Transaction) {
    let (player, friend) = (row.key.player, row.key.friend)
    let item = RoutingKey(reinterpreting: friend)
    switch row.edge.state {
    case .none:
      transaction.setTimer(
        ForgetFriendEdge(friend), on: player, item: item, at: row.ended + Self.memoryMilliseconds)
    case .invited:
      transaction.setTimer(ExpireInvitation(friend), on: player, item: item, at: expiry(of: row))
    default: break
    }
  }

  private func cancelTimer(
    of key: FriendEdgeKey, in state: FriendState, _ transaction: inout Transaction
  ) {
    let item = RoutingKey(reinterpreting: key.friend)
    switch state {
    case .none: transaction.cancelTimer(ForgetFriendEdge.self, on: key.player, item: item)
    case .invited: transaction.cancelTimer(ExpireInvitation.self, on: key.player, item: item)
    default: break
    }
  }

  mutating func load(_ row: FriendEdgeRow) {
    index(row)
    table.load(row)
  }

  func loaded(_ transaction: inout Transaction) {
    for player in table.groups {
      for row in table.rows(of: player) { setTimer(of: row, &transaction) }
    }
  }

  /// Notes an edge that is about to take the place of the one before.
  /// Forgets an edge one of whose players is erased. Its timer finds nothing.
  mutating func erase(_ key: FriendEdgeKey, _ transaction: inout Transaction) {
    index(FriendEdgeRow(key: key))
    table.remove(key, &transaction)
  }

  private mutating func index(_ row: FriendEdgeRow) {
    let (player, friend) = (row.key.player, row.key.friend)
    counts[player, default: Counts()].add(table[row.key]?.edge ?? FriendEdge(), -1)
    counts[player, default: Counts()].add(row.edge, 1)
    if counts[player] == Counts() { counts[player] = nil }
    friends.note(friend, of: player, isThere: row.edge.state == .friends)
    listed.note(friend, of: player, isThere: row.edge.state != .none)
  }

  /// Drops an edge that has long held nothing.
  mutating func forget(_ key: FriendEdgeKey, _ transaction: inout Transaction) {
    guard let row = table[key], row.edge.state == .none,
      row.ended + Self.memoryMilliseconds <= transaction.now
    else { return }
    table.remove(key, &transaction)
  }
}

extension [PlayerID: [PlayerID]] {
  /// Puts a player into the sorted list of another, or takes it out.
  fileprivate mutating func note(_ friend: PlayerID, of player: PlayerID, isThere: Bool) {
    // Taken out, so that the list is changed in place.
    var list = removeValue(forKey: player) ?? []
    let place = list.sortedCount { $0 < friend }
    let wasThere = place < list.endIndex && list[place] == friend
    if isThere && !wasThere { list.insert(friend, at: place) }
    if !isThere && wasThere { list.remove(at: place) }
    if !list.isEmpty { self[player] = list }
  }
}
