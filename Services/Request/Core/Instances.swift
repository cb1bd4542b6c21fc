import Domain
import Wire

/// The client processes that may resume a session.
struct Instances {
  /// A player's devices and restarts of their clients; the one unused for longest makes room.
  static let perPlayerMax = 64
  static let idleMillisecondsMax: Int64 = 30 * 24 * 3600 * 1000

  private var table = ResidentTable<InstanceRow>()
  private var byPlayer: [PlayerID: Set<UInt64>] = [:]
  private var idling = Deadlines<InstanceKey>()

  subscript(key: InstanceKey) -> InstanceRow? { table[key] }

  /// The one to give up before `player` can have another; nil while there is room.
  func surplus(of player: PlayerID) -> InstanceKey? {
    guard let own = byPlayer[player], own.count >= Self.perPlayerMax else { return nil }
    return own.compactMap { table[InstanceKey(player: player, instance: $0)] }
      .min { ($0.lastUsed, $0.key) < ($1.lastUsed, $1.key) }?.key
  }

  mutating func put(_ row: InstanceRow, _ transaction: inout Transaction) {
    if table[row.key] == nil {
      byPlayer[row.key.player, default: []].insert(row.key.instance)
      idling.add(row.key, due: row.lastUsed + Self.idleMillisecondsMax)
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

  /// The next one that is due for a look: gone meanwhile, used meanwhile (and due again later), or
  /// idle for so long that it must be removed.
  mutating func popIdle(now: Int64, isConnected: (InstanceKey) -> Bool) -> IdleLook {
    guard let key = idling.popDue(now: now) else { return .nothingDue }
    guard let row = table[key] else { return .lives }
    if isConnected(key) || row.lastUsed + Self.idleMillisecondsMax > now {
      idling.add(key, due: max(row.lastUsed, now) + Self.idleMillisecondsMax)
      return .lives
    }
    return .idle(key)
  }

  enum IdleLook {
    case nothingDue
    case lives
    case idle(InstanceKey)
  }

  mutating func load(_ bytes: [UInt8]) throws(WireError) {
    let row = try table.load(bytes)
    byPlayer[row.key.player, default: []].insert(row.key.instance)
  }

  mutating func loaded() {
    idling.fill(table.rows.values.map { ($0.key, $0.lastUsed + Self.idleMillisecondsMax) })
  }
}
