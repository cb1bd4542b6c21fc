import Domain

/// What the journal has of one table that the table has not yet: the last change of each key.
///
/// A start asks it about every row of the table. Most were not changed, and a few bits of a hash say
/// so without a look at the keys.
struct TableOverlay {
  private var changes: [[UInt8]: RowChange] = [:]
  private var isChanged: [Bool] = []

  /// Places for each changed key: that many in a hundred rows, at most, are looked for in vain.
  private static var placesPerKey: Int { 16 }

  init(_ entries: ArraySlice<JournalTail.Entry>, table: UInt16) throws(StoreError) {
    for entry in entries {
      do {
        for change in try entry.changes.decoded(table: table) { changes[change.key] = change }
      } catch {
        throw .corrupt("batch \(entry.number) of the journal cannot be read (\(error))")
      }
    }
    isChanged = Array(repeating: false, count: changes.count * Self.placesPerKey)
    for key in changes.keys { isChanged[place(of: key[...])] = true }
  }

  /// Whether the row with this key has a newer form here, or was removed.
  func replaces(_ key: ArraySlice<UInt8>) -> Bool {
    if changes.isEmpty || !isChanged[place(of: key)] { return false }
    return changes[Array(key)] != nil
  }

  /// The newer forms of rows that are there.
  var rows: some Sequence<[UInt8]> {
    changes.values.lazy.filter { $0.kind == .put }.map(\.bytes)
  }

  /// The 64-bit FNV-1a hash of a key, brought to the number of places.
  private func place(of key: ArraySlice<UInt8>) -> Int {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in key { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return Int(hash.multipliedFullWidth(by: UInt64(isChanged.count)).high)
  }
}
