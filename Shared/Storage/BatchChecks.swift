import Domain

// What every store checks before it writes: a batch that could not be folded later must not get
// into the journal.

/// The changes of a batch, when they can be read and name known tables.
func checked(_ changes: RowChanges, _ tables: [UInt16: Residence]) throws(StoreError)
  -> [RowChange]
{
  let decoded: [RowChange]
  do {
    decoded = try changes.decoded()
  } catch {
    throw .other("the row changes cannot be read (\(error))")
  }
  for change in decoded where tables[change.table] == nil {
    throw .other("no table has the number \(change.table)")
  }
  return decoded
}

func checkFollows(_ number: UInt64, _ last: UInt64) throws(StoreError) {
  if number != last + 1 { throw .other("batch \(number) does not follow batch \(last)") }
}

func checkCold(_ table: UInt16, _ tables: [UInt16: Residence]) throws(StoreError) {
  if tables[table] != .cold { throw .other("no cold table has the number \(table)") }
}
