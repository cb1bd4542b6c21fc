import Domain
import Operations
import Wire

/// Whom a player has met in a game, who came last first.
///
/// It is one cold row: it is read only when the player looks at it, and by whoever meets somebody.
struct RecentPlayersRow: Row {
  static let tableID: UInt16 = 35
  static let tableName = "recent_players"
  var key = PlayerGameKey()
  /// No more than `RecentPlayerLimits.keptMax`.
  var met: [MetPlayer] = []
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("met", &met)
  }

  /// Each player is there once, as met last.
  mutating func meet(_ others: [PlayerID], at time: Int64) {
    for other in others {
      let before = met.firstIndex { $0.player == other }
      if let before, met[before].time >= time { continue }
      if let before { met.remove(at: before) }
      // Those of one time stand in the order of their ids, as pages want it.
      let place =
        met.firstIndex { $0.time < time || $0.time == time && $0.player > other } ?? met.endIndex
      met.insert(MetPlayer(player: other, time: time), at: place)
    }
    met = Array(met.prefix(RecentPlayerLimits.keptMax))
  }
}

struct MetPlayer: Message, Hashable {
  var player = PlayerID()
  var time: Int64 = 0
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("time", &time)
  }
}

extension RequestCore {
  func recordRecentPlayers(
    _ operation: RecordRecentPlayers, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) {
    let key = PlayerGameKey(player: operation.player, game: call.game)
    guard games[key] != nil else { return }
    var row =
      try transaction.row(RecentPlayersRow.self, key) ?? RecentPlayersRow(key: key)
    let before = row.met
    let others = operation.others.prefix(RecentPlayerLimits.toldMax).filter {
      $0 != operation.player && !edges.row(operation.player, $0).edge.isBlocked
    }
    // The other service's clock may have been ahead: nobody stays first for it.
    row.meet(others, at: min(operation.time, transaction.now))
    if row.met != before { transaction.put(row) }
  }

  func listRecentPlayers(
    _ operation: ListRecentPlayers, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> ListRecentPlayers.Reply {
    let key = PlayerGameKey(player: call.player, game: call.game)
    let met = try transaction.row(RecentPlayersRow.self, key)?.met ?? []
    let page = try Page(
      of: met, PagedList(operation, call), after: operation.cursor, limit: operation.limit
    ) { PageCursor(time: -$0.time, id: $0.player) }
    var reply = ListRecentPlayers.Reply()
    reply.cursor = page.cursor
    let own = page.items.filter { !edges.row(call.player, $0.player).edge.isBlocked }
    let profiles = try call.facts(FetchProfile.self, at: own.map(\.player))
    for (met, profile) in zip(own, profiles) where profile.isReachable {
      var recent = RecentPlayer()
      (recent.profile, recent.time) = (seen(profile, by: call.player), met.time)
      reply.players.append(recent)
    }
    return reply
  }
}
