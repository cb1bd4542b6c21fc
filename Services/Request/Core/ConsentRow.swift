import Domain
import Operations
import Wire

/// Whether one player lets another send without a dialog, in one game: when that was granted last,
/// and when either of the two has ended it. Both times only grow, so that both sides come to the
/// same, whichever news they get first or twice.
struct ConsentStamps: Equatable {
  var granted: Int64 = 0
  var ended: Int64 = 0

  var holds: Bool { granted > ended }

  /// Returns whether anything has changed.
  mutating func grant(now: Int64) -> Bool {
    if holds { return false }
    granted = max(now, ended + 1)
    return true
  }

  mutating func revoke(now: Int64) -> Bool {
    guard holds else { return false }
    ended = max(now, granted)
    return true
  }

  /// Takes what the other side has told. Returns whether it holds now and did not before, or the
  /// other way round.
  mutating func hear(_ other: ConsentStamps) -> Bool {
    let before = holds
    granted = max(granted, other.granted)
    ended = max(ended, other.ended)
    return holds != before
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

  var endedLast: Int64 { max(given.ended, held.ended) }
  var holds: Bool { given.holds || held.holds }
}

struct ConsentKey: RowKey {
  var player = PlayerID()
  var other = PlayerID()
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("other", &other)
  }
}

/// What one player knows of the consents with a friend. It goes with the friendship.
struct ConsentRow: Row {
  static let tableID: UInt16 = 37
  static let tableName = "consent"
  var key = ConsentKey()
  /// No more than `ConsentLimits.gamesMax`; those that hold no more too, so that late news of them
  /// are known to be old.
  var games: [GameConsent] = []
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("games", &games)
  }

  func consent(in game: String) -> GameConsent {
    games.first { $0.game == game } ?? GameConsent(game: game)
  }

  /// Puts a consent in the place of the one before; false where there is no room for another game.
  mutating func put(_ consent: GameConsent, now: Int64) -> Bool {
    if let place = games.firstIndex(where: { $0.game == consent.game }) {
      games[place] = consent
      return true
    }
    if games.count >= ConsentLimits.gamesMax {
      let old = games.firstIndex {
        !$0.holds && $0.endedLast + FriendEdges.memoryMilliseconds <= now
      }
      guard let old else { return false }
      games.remove(at: old)
    }
    games.append(consent)
    return true
  }
}
