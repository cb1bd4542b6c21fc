/// Sixteen bytes that name something. `Kind` says what, so that the compiler does not let a
/// player's id pass for a device's.
///
/// The text form is the same everywhere: 26 lower-case characters of Crockford's base 32
/// (no i, l, o, u), the most significant first.
public struct Identifier<Kind: IdentifierKind>: FieldValue, Hashable, Comparable,
  LosslessStringConvertible
{
  public var high: UInt64
  public var low: UInt64

  @inlinable
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// The nil identifier, which names nothing.
  @inlinable public init() { self.init(high: 0, low: 0) }
  @inlinable public var isNil: Bool { high == 0 && low == 0 }

  /// Makes an identifier of this kind from the bytes of another kind's.
  @inlinable
  public init<Other>(reinterpreting other: Identifier<Other>) {
    self.init(high: other.high, low: other.low)
  }

  @inlinable
  public static func < (left: Self, right: Self) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }

  public var bytes: [UInt8] {
    var writer = Writer(capacity: 16)
    encode(to: &writer)
    return writer.bytes
  }

  public init?(bytes: [UInt8]) {
    guard bytes.count == 16, let value = try? Reader.read(bytes, { Self.decode(from: &$0) }).get()
    else { return nil }
    self = value
  }

  public var description: String {
    var text = [UInt8](repeating: 0, count: IdentifierText.length)
    var (high, low) = (high, low)
    for index in text.indices.reversed() {
      text[index] = IdentifierText.alphabet[Int(low & 31)]
      low = low >> 5 | high << 59
      high >>= 5
    }
    return String(decoding: text, as: UTF8.self)
  }

  public init?(_ description: String) {
    guard description.utf8.count == IdentifierText.length else { return nil }
    let digits = IdentifierText.digits
    var (high, low) = (UInt64(0), UInt64(0))
    // 26 characters hold 130 bits; the first may carry only three.
    var digitMax: UInt8 = 7
    for character in description.utf8 {
      let digit = digits[Int(character)]
      if digit > digitMax { return nil }
      digitMax = 31
      high = high << 5 | low >> 59
      low = low << 5 | UInt64(digit)
    }
    self.init(high: high, low: low)
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
  public static var shape: Shape { .identifier(Kind.name) }
  public var tree: Tree { .text(description) }
  public static func arbitrary<G: RandomNumberGenerator>(using generator: inout G) -> Self {
    Self(high: generator.next(), low: generator.next())
  }
  public var cell: Cell { .blob(bytes) }
  public init?(cell: Cell) {
    guard case .blob(let bytes) = cell else { return nil }
    self.init(bytes: bytes)
  }
  public static var columnForm: ColumnForm { .blob(byteCount: 16) }
}

/// The kind of thing that an identifier names.
public protocol IdentifierKind: Sendable {
  static var name: String { get }
}

enum IdentifierText {
  static let length = 26
  static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)
  /// The digit that each byte stands for; 255 where it stands for none.
  static let digits = {
    var digits = [UInt8](repeating: 255, count: 256)
    for (digit, character) in alphabet.enumerated() { digits[Int(character)] = UInt8(digit) }
    return digits
  }()
}

public enum PlayerKind: IdentifierKind { public static let name = "PlayerID" }
public enum DeviceKind: IdentifierKind { public static let name = "DeviceID" }
public enum EventKind: IdentifierKind { public static let name = "EventID" }
public enum StoreKind: IdentifierKind { public static let name = "StoreID" }
public enum RoutingKind: IdentifierKind { public static let name = "RoutingKey" }

public typealias PlayerID = Identifier<PlayerKind>
public typealias DeviceID = Identifier<DeviceKind>
public typealias EventID = Identifier<EventKind>
/// Names one life of a store: a store that was lost and made anew has another one.
public typealias StoreID = Identifier<StoreKind>
/// Names the owner of state, such as a player, a context or a board. It decides to which slot, and
/// so to which process, a call goes.
public typealias RoutingKey = Identifier<RoutingKind>
