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

func checkCold(_ table: UInt16, _ tables: [UInt16: Residence]) throws(StoreError) {
  if tables[table] != .cold { throw .other("no cold table has the number \(table)") }
}
