package import Domain
import Operations
import Wire

extension NumberSetting {
  package static let streamDeviceLag = NumberSetting(
    "stream-device-lag", .count, default: 10_000, 0...1_000_000,
    "How far a device may be behind the end of its player's stream while events that other devices "
      + "have acknowledged are kept for it.")
}

// Where each device of a player is. An event is read when one device has acknowledged it, and kept
// until all have.

extension RequestCore {
  /// How far the events of a game have come.
  struct Reach {
    /// Up to here one device has acknowledged all: these count as unread no more.
    var read: UInt64
    /// Up to here all devices have that events are kept for.
    var settled: UInt64
  }

  func reach(of player: PlayerID, _ game: String) -> Reach {
    Reach(read: read(of: player, game), settled: settled(of: player, game))
  }

  /// Every event of a game up to here was acknowledged by all devices that events are kept for.
  /// Those of no game are for all games with a session that can be resumed, as in `read`.
  func settled(of player: PlayerID, _ game: String) -> UInt64 {
    let read = read(of: player, game)
    guard game.isEmpty else {
      return min(read, max(stream(of: player).expired, cursors.least(of: player, game) ?? read))
    }
    let behind = cursors.games(of: player)
    let inUse = instances.games(of: player)
    // With no session at all the devices may come back to any game.
    return (inUse.isEmpty ? behind : behind.intersection(inUse))
      .reduce(read) { min($0, settled(of: player, $1)) }
  }

  /// Looks again at what all devices have acknowledged since, and counts what is unread.
  func moved(
    from before: Reach, of player: PlayerID, _ game: String, _ transaction: inout Transaction
  ) {
    let now = reach(of: player, game)
    lookAgain(before.settled, now.settled, of: player, &transaction)
    if now.read > before.read {
      transaction.setTimer(SweepStream(), on: player, at: transaction.now)
    }
  }

  /// Every event up to here was acknowledged by a device.
  func place(of device: DeviceID, in game: PlayerGameRow) -> UInt64 {
    cursors[cursorKey(device, game.key)]?.acknowledged ?? game.acknowledged
  }

  private func cursorKey(_ device: DeviceID, _ game: PlayerGameKey) -> DeviceCursorKey {
    DeviceCursorKey(player: game.player, device: device, game: game.game)
  }

  /// Moves the place of a device on.
  func move(
    _ device: DeviceID, through sequence: UInt64, in game: PlayerGameRow,
    _ transaction: inout Transaction
  ) {
    let key = cursorKey(device, game.key)
    if sequence < game.acknowledged {
      return cursors.put(DeviceCursorRow(key: key, acknowledged: sequence), &transaction)
    }
    if sequence > game.acknowledged {
      for other in instances.devices(of: game.key) where other != device {
        keepPlace(of: other, in: game, &transaction)
      }
      var game = game
      game.acknowledged = sequence
      games.put(game, &transaction)
    }
    if cursors[key] != nil { cursors.remove(key, &transaction) }
  }

  /// Gives a device a row where it is, unless it has one.
  private func keepPlace(
    of device: DeviceID, in game: PlayerGameRow, _ transaction: inout Transaction
  ) {
    let key = cursorKey(device, game.key)
    if cursors[key] != nil { return }
    cursors.put(DeviceCursorRow(key: key, acknowledged: game.acknowledged), &transaction)
  }

  /// A session has ended, perhaps the last one of its device in its game.
  ///
  /// - Parameter isLeft: the player has ended it: what the device has not acknowledged is kept for
  ///   it no longer. A device whose session ended by itself may come back with its credential.
  func ended(_ session: InstanceRow, isLeft: Bool, _ transaction: inout Transaction) {
    let key = PlayerGameKey(player: session.key.player, game: session.game)
    guard let game = games[key], !instances.devices(of: key).contains(session.device) else {
      return
    }
    if !isLeft { return keepPlace(of: session.device, in: game, &transaction) }
    forgetPlace(cursorKey(session.device, key), &transaction)
  }

  private func forgetPlace(_ key: DeviceCursorKey, _ transaction: inout Transaction) {
    guard cursors[key] != nil else { return }
    let before = reach(of: key.player, key.game)
    let beforeOfNone = reach(of: key.player, "")
    cursors.remove(key, &transaction)
    moved(from: before, of: key.player, key.game, &transaction)
    moved(from: beforeOfNone, of: key.player, "", &transaction)
  }

  /// Forgets all places of a device that has no credential any more.
  func forgetPlaces(of device: DeviceKey, _ transaction: inout Transaction) {
    for row in cursors.rows(of: device) { forgetPlace(row.key, &transaction) }
  }

  /// Keeps nothing more for devices that are far behind. They learn by the place of what was
  /// removed that they have missed something.
  func leaveBehind(_ stream: StreamRow, _ transaction: inout Transaction) {
    for var row in cursors.farBehind(stream, lagMax: UInt64(settings[.streamDeviceLag])) {
      let before = reach(of: stream.key, row.key.game)
      let beforeOfNone = reach(of: stream.key, "")
      row.isLeftBehind = true
      cursors.put(row, &transaction)
      moved(from: before, of: stream.key, row.key.game, &transaction)
      moved(from: beforeOfNone, of: stream.key, "", &transaction)
    }
  }
}
