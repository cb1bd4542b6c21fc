import Domain
import Operations
import Wire

extension NumberSetting {
  static let sessionIdle = NumberSetting(
    "session-idle-days", .days, default: 30, 1...3650,
    "How long a session that nobody is connected with can be resumed.")
  static let sessionsPerPlayerMax = NumberSetting(
    "sessions-per-player-max", .count, default: 64, 1...1000,
    "Sessions that one player can resume; for a new one the one unused for longest makes room.")
}

/// The client processes that may resume a session.
struct Instances {
  private let perPlayerMax: Int64
  private let idleMillisecondsMax: Int64
  /// Each player here has a timer for the one that is unused for longest.
  private var table = GroupedTable<InstanceRow, PlayerID> { $0.player }

  init(_ settings: SettingValues) {
    perPlayerMax = settings[.sessionsPerPlayerMax]
    idleMillisecondsMax = settings[.sessionIdle]
  }

  subscript(key: InstanceKey) -> InstanceRow? { table[key] }

  /// The one to give up before `player` can have another; nil while there is room.
  func surplus(of player: PlayerID) -> InstanceKey? {
    guard table.count(of: player) >= perPlayerMax else { return nil }
    return table.rows(of: player).min { ($0.lastUsed, $0.key) < ($1.lastUsed, $1.key) }?.key
  }

  /// Adds one that is not there yet.
  mutating func add(_ row: InstanceRow, _ transaction: inout Transaction) {
    table.put(row, &transaction)
    if table.count(of: row.key.player) == 1 { setTimer(of: row.key.player, &transaction) }
  }

  mutating func touch(_ key: InstanceKey, _ transaction: inout Transaction) {
    guard var row = table[key] else { return }
    row.lastUsed = transaction.now
    table.put(row, &transaction)
  }

  mutating func remove(_ key: InstanceKey, _ transaction: inout Transaction) {
    guard table.remove(key, &transaction) != nil, table.count(of: key.player) == 0 else { return }
    transaction.cancelTimer(ExpireInstances.self, on: key.player)
  }

  /// Removes the player's idle ones, and looks again when the next one may be idle.
  mutating func expire(
    of player: PlayerID, isConnected: (InstanceKey) -> Bool, _ transaction: inout Transaction
  ) {
    for row in table.rows(of: player).sorted(by: { $0.key < $1.key })
    where row.lastUsed + idleMillisecondsMax <= transaction.now && !isConnected(row.key) {
      remove(row.key, &transaction)
    }
    setTimer(of: player, isConnected: isConnected, &transaction)
  }

  /// One that is connected is in use now.
  private func setTimer(
    of player: PlayerID, isConnected: (InstanceKey) -> Bool = { _ in false },
    _ transaction: inout Transaction
  ) {
    let lastUsed = table.rows(of: player).map {
      isConnected($0.key) ? transaction.now : $0.lastUsed
    }
    guard let first = lastUsed.min() else { return }
    transaction.setTimer(ExpireInstances(), on: player, at: first + idleMillisecondsMax)
  }

  mutating func load(_ row: InstanceRow) { table.load(row) }

  func loaded(_ transaction: inout Transaction) {
    for player in table.groups { setTimer(of: player, &transaction) }
  }
}
