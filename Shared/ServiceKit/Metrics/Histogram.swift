/// Numbers in buckets whose bounds grow by an eighth of a power of two: the error of a quantile is
/// at most an eighth, in 4 KiB whatever the count.
public struct Histogram: Sendable {
  private static let stepsPerDoubling = 8
  private var buckets = [UInt64](repeating: 0, count: 64 * stepsPerDoubling)
  public private(set) var count: UInt64 = 0
  public private(set) var sum: UInt64 = 0
  public private(set) var maximum: UInt64 = 0

  public init() {}

  public mutating func record(_ value: UInt64) {
    buckets[Self.bucket(of: value)] += 1
    count += 1
    sum &+= value
    maximum = max(maximum, value)
  }

  /// Adds the numbers that another histogram holds.
  public mutating func add(_ other: Histogram) {
    for (index, number) in other.buckets.enumerated() { buckets[index] += number }
    count += other.count
    sum &+= other.sum
    maximum = max(maximum, other.maximum)
  }

  /// The upper bound of the bucket that holds the quantile.
  public func quantile(_ share: Double) -> UInt64 { packed.quantile(share) }

  /// Forgets everything; the memory is used again.
  mutating func clear() {
    if count == 0 { return }
    for index in buckets.indices { buckets[index] = 0 }
    (count, sum, maximum) = (0, 0, 0)
  }

  /// The same in as much memory as there are different numbers.
  var packed: PackedHistogram {
    if count == 0 { return PackedHistogram() }
    var entries: [PackedHistogram.Entry] = []
    for (index, number) in buckets.enumerated() where number > 0 {
      entries.append(.init(bucket: UInt16(index), count: UInt32(clamping: number)))
    }
    return PackedHistogram(entries, maximum: maximum)
  }

  private static func bucket(of value: UInt64) -> Int {
    guard value >= 8 else { return Int(value) }
    let exponent = 63 - value.leadingZeroBitCount
    let step = Int(value >> UInt64(exponent - 3)) & 7
    return (exponent - 2) * stepsPerDoubling + step
  }

  static func upperBound(of bucket: Int) -> UInt64 {
    guard bucket >= stepsPerDoubling else { return UInt64(bucket) }
    let exponent = bucket / stepsPerDoubling + 2
    let step = UInt64(bucket % stepsPerDoubling)
    let width = UInt64(1) << UInt64(exponent - 3)
    // The last bound is the greatest number there is, so one is taken away before the shift.
    return (UInt64(1) << UInt64(exponent)) - 1 + (step + 1) * width
  }
}

/// The buckets of a histogram that hold something, in order: 8 bytes each.
struct PackedHistogram: Sendable, Equatable {
  struct Entry: Sendable, Equatable {
    var bucket: UInt16
    var count: UInt32
  }

  private(set) var entries: [Entry] = []
  private(set) var maximum: UInt64 = 0

  init() {}

  fileprivate init(_ entries: [Entry], maximum: UInt64) {
    (self.entries, self.maximum) = (entries, maximum)
  }

  var count: UInt64 { entries.reduce(0) { $0 + UInt64($1.count) } }

  /// Adds the numbers that another one holds.
  mutating func add(_ other: PackedHistogram) {
    maximum = max(maximum, other.maximum)
    if other.entries.isEmpty { return }
    var merged: [Entry] = []
    merged.reserveCapacity(entries.count + other.entries.count)
    var (left, right) = (entries[...], other.entries[...])
    while let first = left.first, let second = right.first {
      if first.bucket == second.bucket {
        let count = UInt64(first.count) + UInt64(second.count)
        merged.append(.init(bucket: first.bucket, count: UInt32(clamping: count)))
      } else {
        merged.append(first.bucket < second.bucket ? first : second)
      }
      if first.bucket <= second.bucket { left.removeFirst() }
      if second.bucket <= first.bucket { right.removeFirst() }
    }
    entries = merged + left + right
  }

  /// The upper bound of the bucket that holds the quantile; 0 where nothing is held.
  func quantile(_ share: Double) -> UInt64 {
    let wanted = max(1, UInt64((Double(count) * share).rounded(.up)))
    var seen: UInt64 = 0
    for entry in entries {
      seen += UInt64(entry.count)
      if seen >= wanted { return min(maximum, Histogram.upperBound(of: Int(entry.bucket))) }
    }
    return maximum
  }
}
