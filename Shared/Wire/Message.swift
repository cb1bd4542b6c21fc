/// A struct with one list of its fields, from which follow its bytes, its description and its
/// tests.
///
/// `fields` names each stored property in wire order, once:
///
///     mutating func fields<V: FieldVisitor>(_ visit: inout V) {
///       visit.field("player", &player)
///       visit.field("name", &name)
///     }
///
/// New fields go at the end. A nested message is written with its length, so that the versions at
/// both ends may differ. A frozen one is written without, and never changes.
public protocol Message: FieldValue {
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor)
  /// Whether the struct will never gain a field.
  static var isFrozen: Bool { get }
  /// The name in `protocol.md`, in golden files and in logs.
  static var name: String { get }
}

extension Message {
  @inlinable public static var isFrozen: Bool { false }
  /// A nested type's name includes the outer one's: `SignUp.Reply`.
  public static var name: String {
    let qualified = String(reflecting: Self.self)
    guard let dot = qualified.firstIndex(of: ".") else { return qualified }
    return String(qualified[qualified.index(after: dot)...])
  }

  @inlinable
  public func encode(to writer: inout Writer) {
    if Self.isFrozen {
      encodeFields(to: &writer)
    } else {
      writer.lengthPrefixed { encodeFields(to: &$0) }
    }
  }

  @inlinable
  public func encodeFields(to writer: inout Writer) {
    // The list takes its values inout, so that the same list can decode.
    var copy = self
    copy.fields(&writer)
  }

  @inlinable
  public static func decode(from reader: inout Reader) -> Self {
    var message = Self()
    if isFrozen {
      var frozen = FrozenReader(reader)
      message.fields(&frozen)
      reader = frozen.reader
    } else {
      reader.lengthPrefixed { message.fields(&$0) }
    }
    return message
  }

  /// The message as the body of a frame or a row: its fields, without a length before them.
  @inlinable
  public var encoded: [UInt8] {
    var writer = Writer(capacity: 64)
    encodeFields(to: &writer)
    return writer.bytes
  }

  /// Takes the message over, so that it is not copied to be written.
  ///
  /// - Parameter capacity: bytes that are allocated first; with as many as it takes, no more are.
  @inlinable
  public consuming func encoded(capacity: Int) -> [UInt8] {
    var writer = Writer(capacity: capacity)
    fields(&writer)
    return writer.bytes
  }

  @inlinable
  public init(decoding bytes: [UInt8]) throws(WireError) {
    var message = Self()
    try Reader.read(bytes) { message.fields(&$0) }.get()
    self = message
  }

  /// Decodes from borrowed bytes, which are not used after the call.
  @inlinable
  public init(decoding bytes: RawSpan) throws(WireError) {
    var message = Self()
    let fault = unsafe bytes.withUnsafeBytes { buffer in
      var reader = unsafe Reader(buffer)
      message.fields(&reader)
      return reader.error
    }
    if let fault { throw fault }
    self = message
  }

  public static var shape: Shape {
    var collector = ShapeCollector()
    var message = Self()
    message.fields(&collector)
    return .message(name, fields: collector.fields, frozen: isFrozen)
  }

  public var tree: Tree {
    var collector = TreeCollector()
    var copy = self
    copy.fields(&collector)
    return .object(collector.members)
  }

  public static func arbitrary<G: RandomNumberGenerator>(using generator: inout G) -> Self {
    var message = Self()
    var filler = RandomFiller(generator: generator)
    message.fields(&filler)
    generator = filler.generator
    return message
  }
}

/// Reads the fields of a frozen message, of which none may be missing.
@usableFromInline
struct FrozenReader: FieldVisitor {
  @usableFromInline var reader: Reader

  @inlinable
  init(_ reader: Reader) { self.reader = reader }

  @inlinable
  mutating func field<Value: FieldValue>(_ name: StaticString, _ value: inout Value) {
    value = Value.decode(from: &reader)
  }
}

struct ShapeCollector: FieldVisitor {
  var fields: [Shape.Field] = []

  mutating func field<Value: FieldValue>(_ name: StaticString, _ value: inout Value) {
    fields.append(
      Shape.Field(name: "\(name)", shape: Value.shape, defaultText: value.tree.textUnlessZero))
  }
}

struct TreeCollector: FieldVisitor {
  var members: [Tree.Member] = []

  mutating func field<Value: FieldValue>(_ name: StaticString, _ value: inout Value) {
    members.append(Tree.Member(name: "\(name)", value: value.tree))
  }
}

struct RandomFiller<G: RandomNumberGenerator>: FieldVisitor {
  var generator: G

  mutating func field<Value: FieldValue>(_ name: StaticString, _ value: inout Value) {
    value = Value.arbitrary(using: &generator)
  }
}
