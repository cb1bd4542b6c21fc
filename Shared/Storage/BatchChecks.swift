import Domain

// What every store checks before it writes a batch: one that could not be folded later must not
// get into the journal.

/// Returns where each change of a batch lies in its bytes.
///
/// Throws `.other` when the bytes cannot be read or a change names a table that the store lacks.
@discardableResult
func check(_ changes: RowChanges, _ tables: [UInt16: Residence]) throws(StoreError)
  -> [RowChange.Place]
{
  let places: [RowChange.Place]
  do {
    places = try changes.places()
  } catch {
    throw .other("the row changes cannot be read (\(error))")
  }
  for place in places where tables[place.table] == nil {
    throw .other("no table has the number \(place.table)")
  }
  return places
}

func checkFollows(_ number: UInt64, _ last: UInt64) throws(StoreError) {
  if number != last + 1 { throw .other("batch \(number) does not follow batch \(last)") }
}

/// Resident tables are in memory, and read from the store by whoever looks through all rows alone.
func check(_ range: ColdRange, _ tables: [UInt16: Residence]) throws(StoreError) {
  guard let residence = tables[range.table] else {
    throw .other("no table has the number \(range.table)")
  }
  guard residence == .cold || range.through.isEmpty && !range.isDescending else {
    throw .other("table \(range.table) is resident, and read from a key to its end alone")
  }
}
