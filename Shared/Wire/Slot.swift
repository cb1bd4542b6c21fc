/// Keys are spread over a fixed number of slots, and each process of a service owns some slots.
public enum Slot {
  /// The number of slots: enough to divide evenly over any sensible number of processes, few enough
  /// for plain arrays.
  public static let count = 1024

  /// Returns the slot of a key. Random ids and hashes are spread evenly already; the mixing (the
  /// finaliser of MurmurHash3) spreads keys of any origin.
  @inlinable
  public static func of(_ key: RoutingKey) -> Int {
    var mixed = key.high ^ (key.low &* 0x9e37_79b9_7f4a_7c15)
    mixed = (mixed ^ (mixed >> 33)) &* 0xff51_afd7_ed55_8ccd
    mixed = (mixed ^ (mixed >> 33)) &* 0xc4ce_b9fe_1a85_ec53
    mixed ^= mixed >> 33
    return Int(mixed & UInt64(count - 1))
  }
}

extension Slot {
  /// A key of each slot, for what concerns the slot and no key of its own.
  public static let keys: [RoutingKey] = {
    var keys = [RoutingKey?](repeating: nil, count: count)
    var (low, missing) = (UInt64(0), count)
    while missing > 0 {
      let key = RoutingKey(high: 0, low: low)
      if keys[of(key)] == nil {
        keys[of(key)] = key
        missing -= 1
      }
      low += 1
    }
    return keys.compactMap(\.self)
  }()
}

/// A process's share of the slots, as one of `count` processes of a service. The text form counts
/// from 1: `--partition 2/8` has the index 1.
public struct Partition: Hashable, Sendable, LosslessStringConvertible {
  public var index: Int
  public var count: Int

  public static let whole = Partition(index: 0, count: 1)

  public init(index: Int, count: Int) {
    precondition(count >= 1 && count <= Slot.count && index >= 0 && index < count)
    self.index = index
    self.count = count
  }

  public init?(_ description: String) {
    let parts = description.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let number = Int(parts[0]), let count = Int(parts[1]),
      count >= 1, count <= Slot.count, number >= 1, number <= count
    else { return nil }
    self.init(index: number - 1, count: count)
  }

  public var description: String { "\(index + 1)/\(count)" }

  /// Returns the index of the partition that owns a slot. Each owns a contiguous run of slots, and
  /// the runs are as equal as they can be.
  @inlinable
  public static func owner(of slot: Int, count: Int) -> Int { slot * count / Slot.count }

  @inlinable
  public func owns(_ slot: Int) -> Bool { Partition.owner(of: slot, count: count) == index }
}
