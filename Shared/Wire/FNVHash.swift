/// The 64-bit FNV-1a hash of Fowler, Noll and Vo: quick, and no defence against whoever chooses the
/// bytes. So a collision must cost nobody more than time, or nobody but the one who made it.
public struct FNVHash: Sendable {
  public var value: UInt64 = 0xcbf2_9ce4_8422_2325

  @inlinable
  public init() {}

  @inlinable
  public init(_ bytes: RawSpan) { add(bytes) }

  @inlinable
  public mutating func add(_ byte: UInt8) {
    value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
  }

  @inlinable
  public mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { add(byte) }
  }

  @inlinable
  public mutating func add(_ bytes: RawSpan) {
    unsafe bytes.withUnsafeBytes { unsafe add($0) }
  }
}
