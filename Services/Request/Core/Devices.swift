import Domain
import Operations
import Wire

/// The devices of all players, and how many of them need which of the gateways' keys.
struct Devices {
  private var rows = GroupedTable<DeviceRow, PlayerID> { $0.player }
  /// By the number of the key; 0 for one that no device needs any more.
  private(set) var countsByKey: [UInt16: Int] = [:]

  var groups: Dictionary<PlayerID, GroupRows<DeviceRow>>.Keys { rows.groups }
  subscript(key: DeviceKey) -> DeviceRow? { rows[key] }
  func count(of player: PlayerID) -> Int { rows.count(of: player) }
  func rows(of player: PlayerID) -> GroupRows<DeviceRow> { rows.rows(of: player) }

  mutating func load(_ row: DeviceRow) {
    count(rows[row.key], -1)
    rows.load(row)
    count(row, 1)
  }

  mutating func put(_ row: DeviceRow, _ transaction: inout Transaction) {
    count(rows[row.key], -1)
    rows.put(row, &transaction)
    count(row, 1)
  }

  @discardableResult
  mutating func remove(_ key: DeviceKey, _ transaction: inout Transaction) -> DeviceRow? {
    let row = rows.remove(key, &transaction)
    count(row, -1)
    return row
  }

  mutating func erase(_ key: DeviceKey, _ erasure: Erasure, _ transaction: inout Transaction) {
    guard let row = remove(key, &transaction), let rest = erasure.rest(of: row) else { return }
    put(rest, &transaction)
  }

  private mutating func count(_ row: DeviceRow?, _ difference: Int) {
    guard let number = row?.secretHash.keyNumber else { return }
    countsByKey[number, default: 0] += difference
  }
}
