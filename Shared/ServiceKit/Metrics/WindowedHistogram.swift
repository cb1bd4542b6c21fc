/// A histogram of the last minute and the last hour.
///
/// Numbers go into one histogram of 4 KiB, whose time is ten seconds. Then it is packed, as one of
/// the six that make a minute, and into the one of five minutes that is under way, twelve of which
/// make an hour. A packed one takes 8 bytes for each different bucket, for most things some 20 of
/// them: with 19 of these a distribution takes about 7 KiB, and never more than 80.
struct WindowedHistogram: Sendable {
  static let sliceSeconds = 10
  static let slicesPerMinute = 6
  static let slicesPerPart = 30
  static let partsPerHour = 12

  private var present = Histogram()
  /// Of the last minute, the oldest first.
  private var slices: [PackedHistogram] = []
  /// The part under way, and the slices that are in it.
  private var part = PackedHistogram()
  private var partSliceCount = 0
  /// Of the last hour, the oldest first.
  private var parts: [PackedHistogram] = []
  private var pastCount: UInt64 = 0
  private var pastSum: UInt64 = 0

  mutating func record(_ value: UInt64) { present.record(value) }

  /// Ten seconds have passed.
  mutating func turn() {
    let slice = present.packed
    pastCount += present.count
    pastSum &+= present.sum
    present.clear()
    if slices.count == Self.slicesPerMinute { slices.removeFirst() }
    slices.append(slice)
    part.add(slice)
    partSliceCount += 1
    guard partSliceCount == Self.slicesPerPart else { return }
    if parts.count == Self.partsPerHour { parts.removeFirst() }
    parts.append(part)
    (part, partSliceCount) = (PackedHistogram(), 0)
  }

  var values: DistributionValues {
    let packed = present.packed
    var (minute, hour) = (packed, packed)
    for slice in slices { minute.add(slice) }
    hour.add(part)
    for part in parts { hour.add(part) }
    return DistributionValues(
      count: pastCount + present.count, sum: pastSum &+ present.sum, minute: minute, hour: hour)
  }
}

/// What a distribution says: how many there were since the start of the process and their sum, and
/// which there were in the last minute (of up to ten seconds more) and the last hour (of up to five
/// minutes more).
struct DistributionValues: Sendable, Equatable {
  var count: UInt64 = 0
  var sum: UInt64 = 0
  var minute = PackedHistogram()
  var hour = PackedHistogram()

  mutating func add(_ other: DistributionValues) {
    count += other.count
    sum &+= other.sum
    minute.add(other.minute)
    hour.add(other.hour)
  }
}
