import Wire

/// How far the effects of each source were applied, so that none is applied twice.
///
/// Effects come in lanes: between a slot of a service and one of ours. A slot is of one process, so
/// that one store has a lane at a time: where a second one speaks, it has taken the place of the
/// first, which was lost or gave way to another backup. What is known of the first is needed while
/// that one may still be put back in its turn. So it goes when its successor speaks and it was not
/// heard for long, or when more successors came than a lane remembers. No service can have more
/// rows than lanes times stores, whatever it names.
struct EffectInbox {
  private struct Lane: Hashable {
    let service: UInt8
    let source: UInt16
    let target: UInt16

    init(_ key: InboxKey) {
      (service, source, target) = (key.service, key.sourceSlot, key.slot)
    }
  }

  /// Of each lane the row of the store that was heard last.
  private var newest: [Lane: InboxRow] = [:]
  /// Those of the stores before, in the order in which they were heard last; few lanes have any.
  private var earlier: [Lane: [InboxRow]] = [:]
  /// Those that have no time in the store yet.
  private var undated: [InboxKey] = []

  var rowCount: Int { newest.count + earlier.values.reduce(0) { $0 + $1.count } }

  /// Takes a stored row.
  ///
  /// - Parameter now: becomes the time of a row of an older version, which has none.
  mutating func load(_ row: InboxRow, now: Int64) {
    var row = row
    if row.time == 0 {
      row.time = now
      undated.append(row.key)
    }
    let lane = Lane(row.key)
    guard let other = newest[lane] else {
      newest[lane] = row
      return
    }
    if row.time > other.time { newest[lane] = row }
    var rows = earlier[lane] ?? []
    rows.append(row.time > other.time ? other : row)
    rows.sort { $0.time < $1.time }
    earlier[lane] = rows
  }

  func reached(_ key: InboxKey) -> ReachedEffect {
    row(key).map(ReachedEffect.init) ?? ReachedEffect()
  }

  private func row(_ key: InboxKey) -> InboxRow? {
    let lane = Lane(key)
    if let row = newest[lane], row.key == key { return row }
    return earlier[lane]?.first { $0.key == key }
  }

  var hasUndated: Bool { !undated.isEmpty }

  /// Returns rows that are to be written with the times that they got when they were loaded: a
  /// bounded number. Else each start would make them young again.
  mutating func takeUndated() -> [InboxRow] {
    let keys = undated.suffix(EffectLimits.forgottenPerStep)
    undated.removeLast(keys.count)
    return keys.compactMap { row($0) }
  }

  /// Takes the row of an effect that was applied or refused, and returns the keys of those that are
  /// to be removed: a bounded number.
  mutating func take(_ row: InboxRow) -> [InboxKey] {
    let lane = Lane(row.key)
    let before = newest.updateValue(row, forKey: lane)
    guard let before, before.key != row.key else {
      return earlier.isEmpty ? [] : removeOld(of: lane, now: row.time)
    }
    var rows = earlier[lane] ?? []
    rows.removeAll { $0.key == row.key }
    rows.append(before)
    earlier[lane] = rows
    return removeOld(of: lane, now: row.time)
  }

  private mutating func removeOld(of lane: Lane, now: Int64) -> [InboxKey] {
    guard let rows = earlier[lane] else { return [] }
    let excess = rows.count - (EffectLimits.laneStoresMax - 1)
    let place = rows.firstIndex { $0.time + EffectLimits.supersededKeptMilliseconds >= now }
    let count = min(max(excess, place ?? rows.count), EffectLimits.forgottenPerStep)
    if count <= 0 { return [] }
    earlier[lane] = count == rows.count ? nil : Array(rows[count...])
    return rows[..<count].map(\.key)
  }
}

extension EffectSource {
  /// Why no effect of the source is applied; nil for one that may be.
  var refusal: Failure? {
    if slot < Slot.count { return nil }
    return Failure(.malformed, "An effect comes from slot \(slot), which no service has.")
  }
}
