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
  private let perSenderMax: UInt64
  private let perGameMax: UInt64
  private(set) var table = GroupedTable<StreamShareRow, PlayerID> { $0.player }

  init(_ settings: SettingValues) {
    perGameMax = UInt64(settings[.streamEventsMax])
    perSenderMax = min(UInt64(settings[.streamEventsPerSender]), perGameMax / 2)
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

  /// Whether a player is so far behind that events are counted. A sender may have half a bound
  /// more unread than is counted.
  func counts(_ place: Place, newest: UInt64) -> Bool {
    newest - min(newest, place.read) >= perSenderMax / 2 || table[place.key] != nil
  }

  /// The share that has no room for an event: the sender's, or the whole game's; nil when both
  /// have.
  func full(_ place: Place, newest: UInt64) -> ShareKey? {
    var whole = ShareKey(player: place.key.player, game: place.isForeign ? "" : place.key.game)
    whole.sender = PlayerID()
    let unread = newest - min(newest, place.read)
    if unread >= perGameMax, total(place, of: nil) >= perGameMax { return whole }
    if place.key.sender.isNil || unread < perSenderMax / 2 { return nil }
    let own = total(place, of: place.key.sender)
    if own < perSenderMax { return nil }
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

  mutating func load(_ row: StreamShareRow) { table.load(row) }

  /// Counts an event that was appended.
  mutating func add(
    _ sequence: UInt64, to key: ShareKey, read: UInt64, _ transaction: inout Transaction
  ) {
    var row = row(key)
    let bound = key.sender.isNil ? perGameMax : perSenderMax
    row.add(sequence, runMax: max(1, bound / 8), read: read)
    table.put(row, &transaction)
  }
}
