/// Appends values in wire form, big-endian, to a growing array.
public struct Writer: FieldVisitor, Sendable, Equatable {
  public var bytes: [UInt8]

  @inlinable
  public init(capacity: Int = 0) {
    bytes = []
    if capacity > 0 { bytes.reserveCapacity(capacity) }
  }

  @inlinable
  public mutating func field<Value: FieldValue>(_ name: StaticString, _ value: inout Value) {
    value.encode(to: &self)
  }

  @inlinable
  public mutating func integer<Value: FixedWidthInteger>(_ value: Value) {
    if MemoryLayout<Value>.size > 4 {
      unsafe withUnsafeBytes(of: value.bigEndian) { unsafe bytes.append(contentsOf: $0) }
      return
    }
    // One by one, a few bytes cost less than a copy of any number of them.
    for place in (0..<MemoryLayout<Value>.size).reversed() {
      bytes.append(UInt8(truncatingIfNeeded: value &>> Value(truncatingIfNeeded: place * 8)))
    }
  }

  /// Appends a count of bytes or of elements.
  @inlinable
  public mutating func count(_ value: Int) {
    integer(UInt32(value))
  }

  @inlinable
  public mutating func raw(_ value: [UInt8]) {
    bytes.append(contentsOf: value)
  }

  /// Appends a length and what `body` writes; the length is filled in afterwards.
  @inlinable
  public mutating func lengthPrefixed(_ body: (inout Writer) -> Void) {
    let start = bytes.count
    integer(UInt32(0))
    body(&self)
    let length = UInt32(bytes.count - start - 4)
    bytes[start] = UInt8(truncatingIfNeeded: length >> 24)
    bytes[start + 1] = UInt8(truncatingIfNeeded: length >> 16)
    bytes[start + 2] = UInt8(truncatingIfNeeded: length >> 8)
    bytes[start + 3] = UInt8(truncatingIfNeeded: length)
  }
}
