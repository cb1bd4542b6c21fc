/// Takes values in wire form from the front of borrowed bytes.
///
/// The first fault sticks: every later value is its default, and the caller looks at `error` once
/// at the end, so field lists stay free of `try`. Nothing is ever allocated by a length that was not
/// first checked against the bytes that are there.
@safe
public struct Reader: FieldVisitor {
  @usableFromInline let base: UnsafeRawBufferPointer
  @usableFromInline var offset: Int
  /// Where the message being read ends; a nested message moves it for its own duration.
  @usableFromInline var end: Int
  public private(set) var error: WireError?

  /// - Parameter bytes: must outlive the reader; use `read` where that is not plain.
  @inlinable @unsafe
  public init(_ bytes: UnsafeRawBufferPointer) {
    unsafe base = bytes
    offset = 0
    end = bytes.count
  }

  /// Lends a reader over `bytes` to `body`, and gives what it read or the first fault.
  @inlinable
  public static func read<Value>(_ bytes: [UInt8], _ body: (inout Reader) -> Value)
    -> Result<Value, WireError>
  {
    unsafe read(bytes.span.bytes, body)
  }

  /// As `read`, over bytes that are lent.
  @inlinable
  public static func read<Value>(_ bytes: RawSpan, _ body: (inout Reader) -> Value)
    -> Result<Value, WireError>
  {
    unsafe bytes.withUnsafeBytes { buffer in
      var reader = unsafe Reader(buffer)
      let value = body(&reader)
      if let error = reader.error { return .failure(error) }
      return .success(value)
    }
  }

  @inlinable public var remaining: Int { end - offset }
  @inlinable public var isAtEnd: Bool { offset >= end }

  /// How many bytes were taken so far.
  @inlinable public var position: Int { offset }

  @inlinable
  public mutating func field<Value: FieldValue>(_ name: StaticString, _ value: inout Value) {
    // An older peer's message ends early: the fields it does not know keep their defaults.
    if isAtEnd { return }
    value = Value.decode(from: &self)
  }

  @inlinable
  public mutating func integer<Value: FixedWidthInteger>(_ type: Value.Type = Value.self) -> Value {
    let size = MemoryLayout<Value>.size
    guard remaining >= size else {
      fail(.truncated)
      return 0
    }
    let value = unsafe base.loadUnaligned(fromByteOffset: offset, as: Value.self)
    offset += size
    return Value(bigEndian: value)
  }

  /// A 0 or 1.
  @inlinable
  public mutating func flag() -> Bool {
    let raw: UInt8 = integer()
    if raw > 1 { fail(.invalidFlag(raw)) }
    return raw == 1
  }

  /// A length or count, never more than the bytes that are left.
  @inlinable
  public mutating func count() -> Int {
    let value: UInt32 = integer()
    guard Int(value) <= remaining else {
      fail(.lengthOverLimit(UInt64(value)))
      return 0
    }
    return Int(value)
  }

  @inlinable
  public mutating func raw(_ count: Int) -> [UInt8] {
    guard count >= 0, remaining >= count else {
      fail(.truncated)
      return []
    }
    let slice = unsafe UnsafeRawBufferPointer(rebasing: base[offset..<offset + count])
    offset += count
    return unsafe [UInt8](slice)
  }

  /// Passes over bytes without copying them.
  @inlinable
  public mutating func skip(_ count: Int) {
    guard count >= 0, remaining >= count else {
      fail(.truncated)
      return
    }
    offset += count
  }

  @inlinable
  public mutating func text(_ count: Int) -> String {
    guard count >= 0, remaining >= count else {
      fail(.truncated)
      return ""
    }
    let slice = unsafe UnsafeRawBufferPointer(rebasing: base[offset..<offset + count])
    offset += count
    // Names are mostly ASCII: that is seen at a glance, and costs a fraction of the whole check.
    if unsafe slice.allSatisfy({ $0 < 0x80 }) {
      return unsafe String(decoding: slice, as: UTF8.self)
    }
    guard let text = unsafe String(validating: slice, as: UTF8.self) else {
      fail(.invalidUTF8)
      return ""
    }
    return text
  }

  /// Reads a nested message; what it does not know at its end is skipped.
  @inlinable
  public mutating func lengthPrefixed(_ body: (inout Reader) -> Void) {
    let length = count()
    if error != nil { return }
    let outerEnd = end
    end = offset + length
    body(&self)
    offset = end
    end = outerEnd
    if error != nil { offset = end }
  }

  /// Everything up to the end, as bytes.
  @inlinable
  public mutating func rest() -> [UInt8] { raw(remaining) }

  @usableFromInline
  mutating func fail(_ fault: WireError) {
    if error == nil { error = fault }
    offset = end
  }
}

extension Reader {
  /// For callers that find a value which no valid encoder writes.
  public mutating func reject(_ fault: WireError) { fail(fault) }
}
