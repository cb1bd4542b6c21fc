import Domain
import Operations
import Wire

/// Whether one player lets another send without a dialog, in one game: when that was granted last,
/// and when either of the two has ended it. Both times only grow, so that both sides come to the
/// same, whichever news they get first or twice.
///
/// It is of one friendship, which began with the later wish of the two: both sides have the times
/// of both wishes. So the next friendship begins without consents, and no news are needed for that.
struct ConsentStamps: Equatable {
  var granted: Int64 = 0
  var ended: Int64 = 0

  func holds(_ edge: FriendEdge) -> Bool {
    edge.state == .friends && granted > max(ended, edge.mine, edge.theirs)
  }

  mutating func grant(now: Int64, _ edge: FriendEdge) {
    granted = max(now, max(ended, edge.mine, edge.theirs) + 1)
  }

  mutating func revoke(now: Int64) { ended = max(now, granted) }

  /// Takes what the other side has told.
  mutating func hear(_ other: ConsentStamps) {
    granted = max(granted, other.granted)
    ended = max(ended, other.ended)
  }
}

/// The consents between two friends in one game.
struct GameConsent: Message, Equatable {
  var game = ""
  /// The row's player lets the other send.
  var given = ConsentStamps()
  /// The other lets the row's player send.
  var held = ConsentStamps()
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("game", &game)
    visit.field("given", &given.granted)
    visit.field("givenEnded", &given.ended)
    visit.field("held", &held.granted)
    visit.field("heldEnded", &held.ended)
  }

  /// Whether one of the two holds, or has within the time in which late news may still come.
  func isFresh(_ edge: FriendEdge, now: Int64) -> Bool {
    if given.holds(edge) || held.holds(edge) { return true }
    return latest + FriendEdges.memoryMilliseconds > now
  }

  /// The latest of the times.
  var latest: Int64 { max(given.granted, given.ended, held.granted, held.ended) }
}

struct ConsentKey: RowKey {
  var player = PlayerID()
  var other = PlayerID()
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("other", &other)
  }
}

/// What one player knows of the consents with another. It goes with the edge to that player, which
/// is remembered for a while after a friendship has ended.
struct ConsentRow: Row {
  static let tableID: UInt16 = 37
  static let tableName = "consent"
  var key = ConsentKey()
  /// At most `ConsentLimits.gamesMax` when the player gives one, and twice as many with those that
  /// the other has given meanwhile. Those that hold no more too, so that late news of them
  /// are known to be old.
  var games: [GameConsent] = []
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("games", &games)
  }

  func consent(in game: String) -> GameConsent {
    games.first { $0.game == game } ?? GameConsent(game: game)
  }

  /// The latest time that either side has told.
  var latest: Int64 { games.lazy.map(\.latest).max() ?? 0 }

  /// Puts a consent in the place of the one before; false where there is no room for another game.
  mutating func put(
    _ consent: GameConsent, _ edge: FriendEdge, now: Int64,
    gamesMax: Int = ConsentLimits.gamesMax
  ) -> Bool {
    if let place = games.firstIndex(where: { $0.game == consent.game }) {
      games[place] = consent
      return true
    }
    if games.count >= gamesMax {
      guard let old = games.firstIndex(where: { !$0.isFresh(edge, now: now) }) else { return false }
      games.remove(at: old)
    }
    games.append(consent)
    return true
  }
}
