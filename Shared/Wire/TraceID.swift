/// Names a call of a client together with its repetitions, and everything that they lead to: it is
/// in each log line about them, whichever process writes it. The nil trace stands for none.
///
/// Its text is that of a `trace-id` in W3C's Trace Context: 32 lower-case hexadecimal digits, the
/// most significant first. A trace of 64 bits is its low half, as there.
public struct TraceID: FieldValue, Hashable, LosslessStringConvertible {
  public var high: UInt64
  public var low: UInt64

  @inlinable
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// The nil trace.
  @inlinable public init() { self.init(high: 0, low: 0) }
  @inlinable public var isNil: Bool { high == 0 && low == 0 }

  public var description: String {
    String(decoding: Self.digits(high) + Self.digits(low), as: UTF8.self)
  }

  /// - Parameter description: 32 hexadecimal digits, of either case.
  public init?(_ description: String) {
    let digits = Array(description.utf8)
    guard digits.count == 2 * Self.digitCount, let high = Self.half(digits[..<Self.digitCount]),
      let low = Self.half(digits[Self.digitCount...])
    else { return nil }
    self.init(high: high, low: low)
  }

  private static let digitCount = 16

  private static func digits(_ half: UInt64) -> [UInt8] {
    (0..<digitCount).map { place in
      let digit = UInt8(truncatingIfNeeded: half >> UInt64(60 - 4 * place)) & 0xf
      return digit < 10 ? 0x30 + digit : 0x57 + digit
    }
  }

  /// Not by `UInt64(_:radix:)`, which also takes a sign.
  private static func half(_ digits: ArraySlice<UInt8>) -> UInt64? {
    var value: UInt64 = 0
    for character in digits {
      switch character {
      case 0x30...0x39: value = value << 4 | UInt64(character - 0x30)
      case 0x41...0x46: value = value << 4 | UInt64(character - 0x37)
      case 0x61...0x66: value = value << 4 | UInt64(character - 0x57)
      default: return nil
      }
    }
    return value
  }

  @inlinable
  public func encode(to writer: inout Writer) {
    writer.integer(UInt128(high) << 64 | UInt128(low))
  }
  @inlinable
  public static func decode(from reader: inout Reader) -> Self {
    let high: UInt64 = reader.integer()
    let low: UInt64 = reader.integer()
    return Self(high: high, low: low)
  }
  public static var shape: Shape { .identifier("TraceID") }
  public var tree: Tree { .text(description) }
  public static func arbitrary<G: RandomNumberGenerator>(using generator: inout G) -> Self {
    Self(high: generator.next(), low: generator.next())
  }
  public static var columnForm: ColumnForm { .blob(byteCount: 16) }
}

/// Draws traces, without a call into the system for each. They do not repeat, and one does not tell
/// which others come from the same source.
public struct TraceSource: Sendable {
  private var high: UInt64
  private var low: UInt64

  /// - Parameters:
  ///   - high: a random number.
  ///   - low: another one.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  public mutating func next() -> TraceID {
    // SplitMix64 in each half: it takes every value once in 2^64 numbers.
    high &+= 0x9e37_79b9_7f4a_7c15
    low &+= 0x9e37_79b9_7f4a_7c15
    return TraceID(high: Self.mixed(high), low: max(1, Self.mixed(low)))
  }

  private static func mixed(_ state: UInt64) -> UInt64 {
    var value = state
    value = (value ^ value >> 30) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ value >> 27) &* 0x94d0_49bb_1331_11eb
    return value ^ value >> 31
  }
}
