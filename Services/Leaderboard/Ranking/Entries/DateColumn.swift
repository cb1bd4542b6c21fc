/// Dates in milliseconds by entry number, in six bytes each: four thousand years on either side of
/// 1970.
struct DateColumn: ~Copyable {
  private var low = Column<UInt32>()
  private var high = Column<Int16>()

  var bytes: Int { low.bytes + high.bytes }

  mutating func giveBack(_ left: inout Int) {
    low.giveBack(&left)
    high.giveBack(&left)
  }

  subscript(_ number: UInt32) -> Int64 {
    Int64(high[Int(number)]) << 32 | Int64(low[Int(number)])
  }

  /// Sets the date of an entry whose number has a date already or is the next one.
  mutating func set(_ number: UInt32, _ date: Int64) {
    guard let upper = Int16(exactly: date >> 32) else {
      preconditionFailure("a date is within four thousand years of 1970")
    }
    let lower = UInt32(truncatingIfNeeded: date)
    if number == low.count {
      low.append(lower)
      high.append(upper)
    } else {
      low[Int(number)] = lower
      high[Int(number)] = upper
    }
  }
}
