import Domain

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Returns the last change of each key, ordered by table and key, so that a fold writes each row
/// once and goes through the pages of a table in order.
///
/// Most of a busy journal are rows that change all the time, so changes are copied out only after
/// the older ones of each key were dropped. A row of a table in `writtenOnce` that is put first and
/// removed last was not in the table before, and is not there after it: nothing is left of it.
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
  unsafe bytes.withUnsafeBytes { bytes in
    places.sort { left, right in
      let order = unsafe keyOrder(left, right, bytes)
      return order == 0 ? left.start < right.start : order < 0
    }
    // Changes of one key now stand side by side, the newest last: a change whose successor has
    // another key is the one to take.
    var first = 0
    places = places.indices.filter { index in
      if index + 1 < places.count,
        unsafe keyOrder(places[index], places[index + 1], bytes) == 0
      {
        return false
      }
      defer { first = index + 1 }
      let hasGone = places[index].kind == .remove && places[first].kind == .put
      return !hasGone || !writtenOnce.contains(places[index].table)
    }.map { places[$0] }
  }
  let all = RowChanges(bytes: bytes)
  return places.map(all.change(at:))
}

/// Compares two changes by table, then by key: below 0 when the left one comes first, 0 when both
/// are of the same row.
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
