/// Takes values in wire form from the front of borrowed bytes.
///
/// After the first fault every later value is a default, and the caller looks at `error` once at
/// the end. So field lists need no `try`. Nothing is ever allocated by a length that was not first
/// checked against the bytes that are left.
@safe
public struct Reader: FieldVisitor {
  @usableFromInline let base: UnsafeRawBufferPointer
  @usableFromInline var offset: Int
  /// Where the message that is being read ends; a nested message moves it while it is read.
  @usableFromInline var end: Int
  public private(set) var error: WireError?

  /// - Parameter bytes: must outlive the reader; `read` makes sure of that.
  @inlinable @unsafe
  public init(_ bytes: UnsafeRawBufferPointer) {
    unsafe base = bytes
    offset = 0
    end = bytes.count
  }

  /// Lends a reader over `bytes` to `body`, and returns the value of `body` or the first fault.
  @inlinable
  public static func read<Value>(_ bytes: [UInt8], _ body: (inout Reader) -> Value)
    -> Result<Value, WireError>
  {
    unsafe read(bytes.span.bytes, body)
  }

  /// The same over borrowed bytes.
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

  /// How many bytes were taken or skipped so far.
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

  /// Takes a byte that is 0 or 1.
  @inlinable
  public mutating func flag() -> Bool {
    let raw: UInt8 = integer()
    if raw > 1 { fail(.invalidFlag(raw)) }
    return raw == 1
  }

  /// Takes a length or a count. More than the bytes that are left is a fault.
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

  /// Skips bytes without copying them.
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
    // Most texts are ASCII, and checking for that costs a fraction of checking for valid UTF-8.
    if unsafe slice.allSatisfy({ $0 < 0x80 }) {
      return unsafe String(decoding: slice, as: UTF8.self)
    }
    guard let text = unsafe String(validating: slice, as: UTF8.self) else {
      fail(.invalidUTF8)
      return ""
    }
    return text
  }

  /// Reads a nested message, and skips the fields at its end that `body` does not know.
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

  /// Takes all bytes up to the end.
  @inlinable
  public mutating func rest() -> [UInt8] { raw(remaining) }

  @usableFromInline
  mutating func fail(_ fault: WireError) {
    if error == nil { error = fault }
    offset = end
  }
}

extension Reader {
  /// Notes a fault that a caller has found: a value that no valid encoder writes.
  public mutating func reject(_ fault: WireError) { fail(fault) }
}
