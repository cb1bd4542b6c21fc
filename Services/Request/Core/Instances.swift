import Domain
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
  private var table = ResidentTable<InstanceRow>()
  private var byPlayer: [PlayerID: Set<UInt64>] = [:]
  /// The players that have instances.
  private var idling = RoundRobin<PlayerID>()

  init(_ settings: SettingValues) {
    perPlayerMax = settings[.sessionsPerPlayerMax]
    idleMillisecondsMax = settings[.sessionIdle]
  }

  subscript(key: InstanceKey) -> InstanceRow? { table[key] }

  /// The one to give up before `player` can have another; nil while there is room.
  func surplus(of player: PlayerID) -> InstanceKey? {
    guard let own = byPlayer[player], own.count >= perPlayerMax else { return nil }
    return own.compactMap { table[InstanceKey(player: player, instance: $0)] }
      .min { ($0.lastUsed, $0.key) < ($1.lastUsed, $1.key) }?.key
  }

  mutating func put(_ row: InstanceRow, _ transaction: inout Transaction) {
    if table[row.key] == nil {
      byPlayer[row.key.player, default: []].insert(row.key.instance)
      idling.add(row.key.player)
    }
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
    if byPlayer[key.player]?.isEmpty == true { byPlayer[key.player] = nil }
  }

  /// Looks at those of up to `playersMax` players and removes the idle ones.
  mutating func expire(
    playersMax: Int, isConnected: (InstanceKey) -> Bool, _ transaction: inout Transaction
  ) {
    for _ in 0..<min(playersMax, idling.count) {
      guard let player = idling.next(), let own = byPlayer[player] else { continue }
      for instance in own.sorted() {
        let key = InstanceKey(player: player, instance: instance)
        guard let row = table[key], !isConnected(key),
          row.lastUsed + idleMillisecondsMax <= transaction.now
        else { continue }
        remove(key, &transaction)
      }
      if byPlayer[player] != nil { idling.add(player) }
    }
  }

  mutating func load(_ row: InstanceRow) {
    table.load(row)
    byPlayer[row.key.player, default: []].insert(row.key.instance)
  }

  mutating func loaded() {
    idling.fill(byPlayer.keys)
  }
}
