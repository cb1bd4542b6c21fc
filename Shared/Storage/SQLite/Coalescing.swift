import Domain

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Returns the last change of each key, ordered by table and key, so that a fold writes each row
/// once and goes through the pages of a table in order.
///
/// Most of a busy journal are rows that change all the time, so only what is left when the older
/// changes of each key were dropped is sorted and copied out. A row of a table in `writtenOnce` that
/// is put first and removed last was not in the table before, and is not there after it: nothing is
/// left of it.
///
/// - Parameter writtenOnce: the tables of `Row.isWrittenOnce`.
func coalesced(_ entries: [JournalTail.Entry], writtenOnce: Set<UInt16> = [])
  throws(StoreError) -> [RowChange]
{
  // The bytes of all entries lie in one array, so that keys are compared in place.
  var bytes: [UInt8] = []
  bytes.reserveCapacity(entries.reduce(0) { $0 + $1.changes.bytes.count })
  var places: [RowChange.Place] = []
  for entry in entries {
    for var place in try entry.places() {
      place.start += bytes.count
      places.append(place)
    }
    bytes += entry.changes.bytes
  }
  let newest = unsafe bytes.withUnsafeBytes { bytes in
    unsafe newestChanges(places, bytes, writtenOnce: writtenOnce)
  }
  let all = RowChanges(bytes: bytes)
  return newest.map(all.change(at:))
}

@unsafe
private func newestChanges(
  _ places: [RowChange.Place], _ bytes: UnsafeRawBufferPointer, writtenOnce: Set<UInt16>
) -> [RowChange.Place] {
  var newest: [RowName: (place: RowChange.Place, isPutFirst: Bool)] = [:]
  for place in places {
    let name = unsafe RowName(place, bytes)
    newest[name, default: (place, isPutFirst: place.kind == .put)].place = place
  }
  return newest.values.lazy
    .filter { $0.place.kind == .put || !$0.isPutFirst || !writtenOnce.contains($0.place.table) }
    .map(\.place)
    .sorted { unsafe keyOrder($0, $1, bytes) < 0 }
}

/// The table and the key of a row, whose bytes are lent while changes are looked through.
@safe
private struct RowName: Hashable {
  private let table: UInt16
  private let key: UnsafeRawBufferPointer

  @unsafe
  init(_ place: RowChange.Place, _ bytes: UnsafeRawBufferPointer) {
    table = place.table
    unsafe key = UnsafeRawBufferPointer(
      rebasing: bytes[place.start..<place.start + place.keyCount])
  }

  static func == (left: Self, right: Self) -> Bool {
    guard left.table == right.table, unsafe left.key.count == right.key.count else { return false }
    guard let first = unsafe left.key.baseAddress, let second = unsafe right.key.baseAddress else {
      return true
    }
    return unsafe memcmp(first, second, left.key.count) == 0
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(table)
    unsafe hasher.combine(bytes: key)
  }
}

/// Compares two changes by table, then by key: below 0 when the left one comes first. No two are of
/// the same row.
@unsafe
private func keyOrder(
  _ left: RowChange.Place, _ right: RowChange.Place, _ bytes: UnsafeRawBufferPointer
) -> Int {
  if left.table != right.table { return Int(left.table) - Int(right.table) }
  guard let base = bytes.baseAddress else { return 0 }
  let order = unsafe memcmp(
    base + left.start, base + right.start, min(left.keyCount, right.keyCount))
  return order == 0 ? left.keyCount - right.keyCount : Int(order)
}
