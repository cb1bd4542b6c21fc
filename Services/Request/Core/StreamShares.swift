import Domain
import Wire

/// What is unread of each sender and each game, and so whether there is room for one event more.
///
/// The idea: nothing unread is ever removed; what has no room is not taken. So a flood costs only
/// whoever floods. All games that the player never signed in to share the room of one.
///
/// One sender has at most half of a game's bound: whatever the settings are, a flood leaves room
/// for others.
struct StreamShares {
  private let perSender: UnreadBound
  private let perGame: UnreadBound
  private(set) var table = GroupedTable<StreamShareRow, PlayerID> { $0.player }

  init(_ settings: SettingValues) {
    perGame = UnreadBound(countedMax: UInt64(settings[.streamEventsMax]))
    perSender = UnreadBound(
      countedMax: min(UInt64(settings[.streamEventsPerSender]), perGame.countedMax / 2))
  }

  /// Where an event is going.
  struct Place {
    var key: ShareKey
    /// Every event up to here was read in the event's game.
    var read: UInt64
    /// The player has never signed in to the game.
    var isForeign: Bool
    /// The games of the player, by which the rows of others are known.
    var isOwn: (String) -> Bool
  }

  /// Whether a player is so far behind that events are counted.
  func counts(_ place: Place, newest: UInt64) -> Bool {
    newest - min(newest, place.read) >= perSender.uncounted || table[place.key] != nil
  }

  /// The share that has no room for an event: the sender's, or the whole game's; nil when both
  /// have.
  func full(_ place: Place, newest: UInt64) -> ShareKey? {
    var whole = ShareKey(player: place.key.player, game: place.isForeign ? "" : place.key.game)
    whole.sender = PlayerID()
    let unread = newest - min(newest, place.read)
    if unread >= perGame.countedMax, total(place, of: nil) >= perGame.countedMax { return whole }
    if place.key.sender.isNil || unread < perSender.uncounted { return nil }
    let own = total(place, of: place.key.sender)
    if own < perSender.countedMax { return nil }
    // One row for each of any number of games would be no bound.
    return place.isForeign ? whole : place.key
  }

  /// The unread events of the place's game, or of all foreign games together.
  private func total(_ place: Place, of sender: PlayerID?) -> UInt64 {
    if !place.isForeign, sender != nil {
      return table[place.key]?.unread(after: place.read) ?? 0
    }
    return table.rows(of: place.key.player).reduce(0) { sum, row in
      let isCounted =
        (place.isForeign ? !place.isOwn(row.key.game) : row.key.game == place.key.game)
        && (sender == nil || row.key.sender == sender)
      return isCounted ? sum + row.unread(after: place.read) : sum
    }
  }

  func row(_ key: ShareKey) -> StreamShareRow { table[key] ?? StreamShareRow(key: key) }

  mutating func put(_ row: StreamShareRow, _ transaction: inout Transaction) {
    table.put(row, &transaction)
  }

  mutating func remove(_ key: ShareKey, _ transaction: inout Transaction) {
    table.remove(key, &transaction)
  }

  mutating func erase(
    _ key: ShareKey, _ erasure: Erasure, _ transaction: inout Transaction
  ) {
    table.erase(key, erasure, &transaction)
  }

  mutating func load(_ row: StreamShareRow) { table.load(row) }

  /// Counts an event that was appended.
  mutating func add(
    _ sequence: UInt64, to key: ShareKey, read: UInt64, _ transaction: inout Transaction
  ) {
    var row = row(key)
    let bound = key.sender.isNil ? perGame : perSender
    row.add(sequence, runMax: bound.runMax, read: read)
    table.put(row, &transaction)
  }
}

/// A bound on unread events, and what it comes to: events are counted only once a player is behind,
/// and then several at a time.
package struct UnreadBound {
  package let countedMax: UInt64

  package init(countedMax: UInt64) { self.countedMax = countedMax }

  /// Events that a player may be behind while none is counted.
  var uncounted: UInt64 { countedMax / 2 }
  /// Events that are counted as one run: all of them are unread until the last is read.
  var runMax: UInt64 { max(1, countedMax / 8) }
  /// The most unread events of a share.
  package var unreadMax: UInt64 { countedMax + uncounted }
  /// With so many unread, and any fewer, a share has room for one more.
  package var roomAgain: UInt64 { countedMax - runMax }
}
