import Domain
import Wire

/// The changes to one table that are in the journal and not yet in the table: the last one of each
/// key.
///
/// A start asks it about every row of the table. Most rows were not changed, and a hash of the key
/// tells that without a look-up in the dictionary.
struct TableOverlay {
  private var changes: [[UInt8]: RowChange] = [:]
  /// At the place that a key's hash leads to: whether some changed key leads there.
  private var isChanged: [Bool] = []

  /// Places in `isChanged` for each changed key. With 16, at most one unchanged row in 16 leads to
  /// the place of a changed key and is looked up in vain.
  private static var placesPerKey: Int { 16 }

  init(_ entries: ArraySlice<JournalTail.Entry>, table: UInt16) throws(StoreError) {
    for entry in entries {
      for change in try entry.changes(to: table) { changes[change.key] = change }
    }
    isChanged = Array(repeating: false, count: changes.count * Self.placesPerKey)
    for key in changes.keys { isChanged[place(of: key[...])] = true }
  }

  /// Returns whether the row with this key was changed or removed.
  func replaces(_ key: ArraySlice<UInt8>) -> Bool {
    if changes.isEmpty || !isChanged[place(of: key)] { return false }
    return changes[Array(key)] != nil
  }

  /// The rows that were added or changed, encoded.
  var rows: some Sequence<[UInt8]> {
    changes.values.lazy.filter { $0.kind == .put }.map(\.bytes)
  }

  /// Scales the hash of a key down to a place in `isChanged`.
  private func place(of key: ArraySlice<UInt8>) -> Int {
    var hash = FNVHash()
    hash.add(key)
    return Int(hash.value.multipliedFullWidth(by: UInt64(isChanged.count)).high)
  }
}
