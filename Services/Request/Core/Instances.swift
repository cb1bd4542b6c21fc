import Domain
import Operations
import Wire

extension NumberSetting {
  static let sessionIdle = NumberSetting(
    "session-idle-days", .days, default: 30, 1...3650,
    "How long a session that nobody is connected with can be resumed.")
  static let sessionsPerPlayerMax = NumberSetting(
    "sessions-per-player-max", .count, default: 64, 1...1000,
    "Sessions that one player can resume; those unused for longest make room, connected ones last.")
}

/// The client processes that may resume a session.
struct Instances {
  /// Sessions revoked at most when one is added: two, so that a bound that was lowered is reached.
  static let revokedPerAddition = 2

  private let perPlayerMax: Int64
  private let idleMillisecondsMax: Int64
  private var table = ResidentTable<InstanceRow>()
  /// Each player here has a timer: see `expire`.
  private var byPlayer: [PlayerID: Set<UInt64>] = [:]

  init(_ settings: SettingValues) {
    perPlayerMax = settings[.sessionsPerPlayerMax]
    idleMillisecondsMax = settings[.sessionIdle]
  }

  subscript(key: InstanceKey) -> InstanceRow? { table[key] }

  /// The one to give up before `player` can have another; nil while there is room. One that is
  /// connected is in use, however long ago its connection was opened: it goes where all are.
  func surplus(of player: PlayerID, connected: Set<UInt64>) -> InstanceKey? {
    guard let own = byPlayer[player], own.count >= perPlayerMax else { return nil }
    let idle = own.subtracting(connected)
    return (idle.isEmpty ? own : idle)
      .compactMap { table[InstanceKey(player: player, instance: $0)] }
      .min { ($0.lastUsed, $0.key) < ($1.lastUsed, $1.key) }?.key
  }

  mutating func put(_ row: InstanceRow, _ transaction: inout Transaction) {
    if byPlayer[row.key.player] == nil {
      let date = nextLook(oldest: row.lastUsed, now: transaction.now)
      transaction.setTimer(ExpireInstances(), on: row.key.player, at: date)
    }
    byPlayer[row.key.player, default: []].insert(row.key.instance)
    table.put(row, &transaction)
  }

  mutating func touch(_ key: InstanceKey, _ transaction: inout Transaction) {
    guard var row = table[key] else { return }
    row.lastUsed = transaction.now
    table.put(row, &transaction)
  }

  mutating func remove(_ key: InstanceKey, _ transaction: inout Transaction) {
    guard table.remove(key, &transaction) != nil else { return }
    byPlayer[key.player]?.remove(key.instance)
    guard byPlayer[key.player]?.isEmpty == true else { return }
    byPlayer[key.player] = nil
    transaction.cancelTimer(ExpireInstances.self, on: key.player)
  }

  /// Removes the player's idle ones, and looks again when the next one may be idle. Those that are
  /// connected are stored as used now: after a restart they are not connected for a while.
  mutating func expire(
    of player: PlayerID, connected: Set<UInt64>, _ transaction: inout Transaction
  ) {
    var oldest = Int64.max
    for instance in (byPlayer[player] ?? []).sorted() {
      let key = InstanceKey(player: player, instance: instance)
      if connected.contains(instance) { touch(key, &transaction) }
      let lastUsed = table[key]?.lastUsed ?? 0
      if lastUsed + idleMillisecondsMax <= transaction.now {
        remove(key, &transaction)
      } else {
        oldest = min(oldest, lastUsed)
      }
    }
    if byPlayer[player] == nil { return }
    let date = nextLook(oldest: oldest, now: transaction.now)
    transaction.setTimer(ExpireInstances(), on: player, at: date)
  }

  /// When the first instance may be idle, or after half of the idle time: the stored `lastUsed` of
  /// one that is connected is never older than that.
  private func nextLook(oldest lastUsed: Int64, now: Int64) -> Int64 {
    min(lastUsed + idleMillisecondsMax, now + idleMillisecondsMax / 2)
  }

  mutating func load(_ row: InstanceRow) {
    table.load(row)
    byPlayer[row.key.player, default: []].insert(row.key.instance)
  }

  func loaded(_ transaction: inout Transaction) {
    for (player, instances) in byPlayer {
      let lastUsed = instances.compactMap {
        table[InstanceKey(player: player, instance: $0)]?.lastUsed
      }
      guard let first = lastUsed.min() else { continue }
      let date = nextLook(oldest: first, now: transaction.now)
      transaction.ensureTimer(ExpireInstances(), on: player, by: date)
    }
  }
}
