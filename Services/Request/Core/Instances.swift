import Domain
import Operations
import Wire

extension NumberSetting {
  static let sessionIdle = NumberSetting(
    "session-idle-days", .days, default: 30, 1...3650,
    "How long a session that nobody is connected with is kept and listed. To resume it takes a "
      + "token that is still good: see the gateway's session-token-seconds.")
  static let sessionsPerPlayerMax = NumberSetting(
    "sessions-per-player-max", .count, default: 64, 1...1000,
    "Sessions of one player that are kept; those unused for longest make room, connected ones "
      + "last.")
}

/// The client processes that may resume a session.
struct Instances {
  /// Sessions revoked at most when one is added: two, so that a bound that was lowered is reached.
  static let revokedPerAdditionMax = 2
  /// A session that comes back so soon is not stored as used once more.
  static let resumptionMilliseconds: Int64 = 60_000

  private let perPlayerMax: Int64
  private let idleMillisecondsMax: Int64
  /// Each player here has a timer: see `setTimer`.
  private var table = GroupedTable<InstanceRow, PlayerID> { $0.player }

  init(_ settings: SettingValues) {
    perPlayerMax = settings[.sessionsPerPlayerMax]
    idleMillisecondsMax = settings[.sessionIdle]
  }

  subscript(key: InstanceKey) -> InstanceRow? { table[key] }

  /// Returns the session to give up before `player` can have another; nil while there is room. A
  /// connected one is given up only when all are connected.
  func surplus(of player: PlayerID, connected: Set<UInt64>) -> InstanceKey? {
    guard table.count(of: player) >= perPlayerMax else { return nil }
    let rows = Array(table.rows(of: player))
    let idle = rows.filter { !connected.contains($0.key.instance) }
    return (idle.isEmpty ? rows : idle)
      .min { ($0.lastUsed, $0.key) < ($1.lastUsed, $1.key) }?.key
  }

  /// The games in which the player has a session that can be resumed.
  func games(of player: PlayerID) -> Set<String> { Set(table.rows(of: player).map(\.game)) }

  /// The player's sessions that can be resumed, in the order of their keys.
  func rows(of player: PlayerID) -> [InstanceRow] {
    table.rows(of: player).sorted { $0.key < $1.key }
  }

  /// Adds one that is not there yet.
  mutating func add(_ row: InstanceRow, _ transaction: inout Transaction) {
    table.put(row, &transaction)
    if table.count(of: row.key.player) == 1 { setTimer(of: row.key.player, &transaction) }
  }

  /// The session has a connection again. Nothing is stored within a minute of its last use: where a
  /// gateway ends and thousands come back at once, each was stored as used when its connection was
  /// lost.
  mutating func resume(_ key: InstanceKey, _ transaction: inout Transaction) {
    guard let row = table[key],
      !(0..<Self.resumptionMilliseconds ~= transaction.now - row.lastUsed)
    else { return }
    touch(key, &transaction)
  }

  mutating func touch(_ key: InstanceKey, _ transaction: inout Transaction) {
    guard var row = table[key] else { return }
    row.lastUsed = transaction.now
    table.put(row, &transaction)
  }

  /// The devices with a session in a game of a player.
  func devices(of game: PlayerGameKey) -> Set<DeviceID> {
    Set(table.rows(of: game.player).lazy.filter { $0.game == game.game }.map(\.device))
  }

  @discardableResult
  mutating func remove(_ key: InstanceKey, _ transaction: inout Transaction) -> InstanceRow? {
    let row = table.remove(key, &transaction)
    if row != nil, table.count(of: key.player) == 0 {
      transaction.cancelTimer(ExpireInstances.self, on: key.player)
    }
    return row
  }

  /// Removes the player's idle ones, and stores the connected ones as used now, because after a
  /// restart they are not connected for a while. Then sets the next timer. Returns those removed.
  mutating func expire(
    of player: PlayerID, connected: Set<UInt64>, _ transaction: inout Transaction
  ) -> [InstanceRow] {
    var expired: [InstanceRow] = []
    for row in table.rows(of: player).sorted(by: { $0.key < $1.key }) {
      if connected.contains(row.key.instance) {
        touch(row.key, &transaction)
      } else if row.lastUsed + idleMillisecondsMax <= transaction.now {
        remove(row.key, &transaction)
        expired.append(row)
      }
    }
    setTimer(of: player, &transaction)
    return expired
  }

  /// For when the first instance may be idle, or after half of the idle time: the stored `lastUsed`
  /// of one that is connected is never older than that.
  private func setTimer(of player: PlayerID, _ transaction: inout Transaction) {
    guard let oldest = table.rows(of: player).map(\.lastUsed).min() else { return }
    let date = min(oldest + idleMillisecondsMax, transaction.now + idleMillisecondsMax / 2)
    transaction.setTimer(ExpireInstances(), on: player, at: date)
  }

  /// Forgets a session whose player is erased; the timers of the player's key go by themselves.
  mutating func erase(_ key: InstanceKey, _ transaction: inout Transaction) {
    table.remove(key, &transaction)
  }

  mutating func load(_ row: InstanceRow) { table.load(row) }

  func loaded(_ transaction: inout Transaction) {
    for player in table.groups { setTimer(of: player, &transaction) }
  }
}
