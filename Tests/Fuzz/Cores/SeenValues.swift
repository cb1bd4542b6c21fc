import Wire

/// What replies have shown so far. A call with identifiers, tokens and cursors of its own invention
/// would find nothing, and come to no handler's second line.
struct SeenValues {
  /// The last of each kind, so that a long script asks for what is still there.
  private static let keptMax = 32
  private static let textBytesMax = 256

  /// By what they name.
  private var byKind: [String: [RoutingKey]] = [:]
  private(set) var texts = ["", "high", "first", "pair", "Anna", "e\u{301}\u{200b}漢", "1"]
  private(set) var blobs: [[UInt8]] = [[], [1, 2, 3]]

  /// All of them, in an order that is the same each time.
  var identifiers: [RoutingKey] { byKind.sorted { $0.key < $1.key }.flatMap(\.value) }

  func identifiers(of kind: String) -> [RoutingKey] { byKind[kind] ?? [] }

  mutating func note(_ identifier: RoutingKey, of kind: String) {
    if identifier.isNil || identifiers(of: kind).contains(identifier) { return }
    Self.add(identifier, &byKind[kind, default: []])
  }

  /// Takes the values out of the fields of a message.
  mutating func note(_ bytes: [UInt8], of shape: Shape) {
    var seen = self
    _ = Reader.read(bytes) { seen.read(shape.fields, &$0) }
    self = seen
  }

  private mutating func read(_ fields: [Shape.Field], _ reader: inout Reader) {
    for field in fields where !reader.isAtEnd { read(field.shape, &reader) }
  }

  private mutating func read(_ shape: Shape, _ reader: inout Reader) {
    switch shape {
    case .identifier(let kind): note(RoutingKey.decode(from: &reader), of: kind)
    case .scalar("String"):
      let text = String.decode(from: &reader)
      if text.utf8.count <= Self.textBytesMax && !texts.contains(text) { Self.add(text, &texts) }
    case .scalar("Bytes"):
      let bytes = Bytes.decode(from: &reader).array
      if bytes.count <= Self.textBytesMax && !blobs.contains(bytes) { Self.add(bytes, &blobs) }
    case .message(_, let fields, frozen: false):
      var seen = self
      reader.lengthPrefixed { seen.read(fields, &$0) }
      self = seen
    case .message(_, let fields, frozen: true): for field in fields { read(field.shape, &reader) }
    case .optional(let inner): if reader.flag() { read(inner, &reader) }
    case .list(let inner):
      for _ in 0..<reader.count() where reader.error == nil { read(inner, &reader) }
    case .scalar, .enumeration: reader.skip(fieldsOfForms: FieldForm.of(shape))
    }
  }

  private static func add<Value>(_ value: Value, _ values: inout [Value]) {
    if values.count >= keptMax { values.removeFirst() }
    values.append(value)
  }
}

extension Shape {
  /// Those of a message.
  var fields: [Field] {
    guard case .message(_, let fields, _) = self else { return [] }
    return fields
  }
}
