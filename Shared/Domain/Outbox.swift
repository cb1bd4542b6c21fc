import Wire

/// The effects that were neither confirmed nor refused yet.
struct Outbox {
  private(set) var rows: [OutboxKey: OutboxRow] = [:]
  private let service: Service
  /// How many are for the service's own keys, for each two slots that have one.
  private var ownCounts: [Lane: Int] = [:]

  private struct Lane: Hashable {
    var source: UInt16
    var target: UInt16
  }

  init(of service: Service) { self.service = service }

  mutating func insert(_ row: OutboxRow) {
    rows[row.key] = row
    if let lane = ownLane(row) { ownCounts[lane, default: 0] += 1 }
  }

  mutating func remove(_ key: OutboxKey) -> OutboxRow? {
    guard let row = rows.removeValue(forKey: key) else { return nil }
    if let lane = ownLane(row), let count = ownCounts[lane] {
      ownCounts[lane] = count > 1 ? count - 1 : nil
    }
    return row
  }

  /// True when an effect between two slots of the service itself is open.
  func hasOwn(from source: Int, to target: Int) -> Bool {
    !ownCounts.isEmpty
      && ownCounts[Lane(source: UInt16(source), target: UInt16(target))] != nil
  }

  private func ownLane(_ row: OutboxRow) -> Lane? {
    guard Opcode(rawValue: row.opcode).service == service else { return nil }
    return Lane(source: row.key.slot, target: UInt16(Slot.of(row.routingKey)))
  }
}
