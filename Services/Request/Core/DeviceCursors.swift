import Domain
import Wire

struct DeviceCursorKey: RowKey {
  var player = PlayerID()
  var device = DeviceID()
  var game = ""
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("device", &device)
    visit.field("game", &game)
  }
}

/// How far a device has acknowledged the events of a game, where another device of the player is
/// further. Whoever has one device has none of these rows.
struct DeviceCursorRow: Row {
  static let tableID: UInt16 = 41
  static let tableName = "device_cursor"
  var key = DeviceCursorKey()
  var acknowledged: UInt64 = 0
  /// The device is so far behind that nothing is kept for it any more.
  var isLeftBehind = false
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("acknowledged", &acknowledged)
    visit.field("isLeftBehind", &isLeftBehind)
  }
}

/// The places of devices in their players' streams.
///
/// A device without a row is where `PlayerGameRow.acknowledged` is: as far as any device of the
/// player. Before that moves on, those that stay behind get their rows.
struct DeviceCursors {
  private var table = GroupedTable<DeviceCursorRow, PlayerID> { $0.player }

  subscript(key: DeviceCursorKey) -> DeviceCursorRow? { table[key] }

  /// The least place of a game's that events are kept for; nil where no device is behind.
  func least(of player: PlayerID, _ game: String) -> UInt64? {
    table.rows(of: player).lazy.filter { $0.key.game == game && !$0.isLeftBehind }
      .map(\.acknowledged).min()
  }

  /// The games in which some device is behind.
  func games(of player: PlayerID) -> Set<String> {
    Set(table.rows(of: player).lazy.filter { !$0.isLeftBehind }.map(\.key.game))
  }

  /// The rows of those that are more than `lagMax` events behind the end of the stream.
  func farBehind(_ stream: StreamRow, lagMax: UInt64) -> [DeviceCursorRow] {
    table.rows(of: stream.key)
      .filter { !$0.isLeftBehind && stream.newest - min(stream.newest, $0.acknowledged) > lagMax }
  }

  /// The rows of one device.
  func rows(of key: DeviceKey) -> [DeviceCursorRow] {
    table.rows(of: key.player).filter { $0.key.device == key.device }
  }

  mutating func put(_ row: DeviceCursorRow, _ transaction: inout Transaction) {
    table.put(row, &transaction)
  }

  mutating func remove(_ key: DeviceCursorKey, _ transaction: inout Transaction) {
    table.remove(key, &transaction)
  }

  mutating func erase(
    _ key: DeviceCursorKey, _ erasure: Erasure, _ transaction: inout Transaction
  ) {
    table.erase(key, erasure, &transaction)
  }

  mutating func load(_ row: DeviceCursorRow) { table.load(row) }
}
