public import Wire

/// The bytes of a message, field by field, each with what it says.
///
/// It is told nothing of the message but the message itself: every piece is what the field's own
/// encoder writes.
public struct AnnotatedBytes: FieldVisitor {
  public struct Piece {
    public var bytes: [UInt8]
    var depth: Int
    var note: String
  }

  public private(set) var pieces: [Piece] = []
  private var depth: Int
  /// Messages whose bytes a field of type `Bytes` holds, by the field's name.
  private let opened: [String: any Message]

  /// The fields of a message, without a count before them.
  public init(fieldsOf message: any Message, opened: [String: any Message] = [:], depth: Int = 0) {
    self.depth = depth
    self.opened = opened
    add(fieldsOf: message)
  }

  public mutating func field<Value: FieldValue>(_ name: StaticString, _ value: inout Value) {
    add("\(name)", value)
  }

  private mutating func add(fieldsOf message: some Message) {
    var copy = message
    copy.fields(&self)
  }

  private mutating func add(_ name: String, _ value: any FieldValue) {
    // By its shape: a cast alone would also see the message in an optional.
    if case .message = type(of: value).shape, let message = value as? any Message {
      return add(name, message: message)
    }
    let bytes = Self.bytes(of: value)
    switch type(of: value).shape {
    case .scalar("String"), .scalar("Bytes"):
      let content = Array(bytes.dropFirst(4))
      put(bytes.prefix(4), "\(name): \(Self.count(content.count, "byte"))")
      if let inner = opened[name] {
        add(inside: inner, holding: content)
      } else if !content.isEmpty {
        put(content[...], Self.text(of: value, content))
      }
    case .scalar, .identifier, .enumeration, .message:
      put(bytes[...], "\(name) \(Self.text(of: value, bytes))")
    case .optional:
      put(bytes.prefix(1), "\(name): \(bytes[0] == 0 ? "absent" : "present")")
      if let inner = Mirror(reflecting: value).children.first?.value as? any FieldValue {
        add(name, inner)
      }
    case .list:
      let elements = value as? [any FieldValue] ?? []
      put(bytes.prefix(4), "\(name): \(Self.count(elements.count, "element"))")
      for (index, element) in elements.enumerated() { add("\(name)[\(index)]", element) }
    }
  }

  private mutating func add(_ name: String, message: any Message) {
    let bytes = Self.bytes(of: message)
    if type(of: message).isFrozen {
      put([], "\(name), frozen:")
    } else {
      put(bytes.prefix(4), "\(name): \(Self.count(bytes.count - 4, "byte"))")
    }
    depth += 1
    add(fieldsOf: message)
    depth -= 1
  }

  private mutating func add(inside message: any Message, holding content: [UInt8]) {
    precondition(message.encoded == content, "the field holds another message")
    depth += 1
    add(fieldsOf: message)
    depth -= 1
  }

  private mutating func put(_ bytes: ArraySlice<UInt8>, _ note: String) {
    pieces.append(Piece(bytes: Array(bytes), depth: depth, note: note))
  }

  // MARK: Texts

  private static func bytes(of value: some FieldValue) -> [UInt8] {
    var writer = Writer()
    value.encode(to: &writer)
    return writer.bytes
  }

  private static func count(_ count: Int, _ noun: String) -> String {
    count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
  }

  private static func text(of value: any FieldValue, _ bytes: [UInt8]) -> String {
    switch value.tree {
    case .text(let text):
      if case .enumeration = type(of: value).shape { return "\(bytes[0]), \(text)" }
      if case .identifier = type(of: value).shape { return text }
      return "\"\(text)\""
    case .bool(let value): return "\(value)"
    case .integer(let value): return "\(value)"
    case .unsigned(let value): return "\(value)"
    case .real(let value): return "\(value)"
    case .bytes, .null, .list, .object: return "opaque"
    }
  }

  /// Hex bytes in lines of up to sixteen, each piece with its note.
  var text: String {
    pieces.flatMap { piece -> [String] in
      let margin = String(repeating: "  ", count: piece.depth)
      var rest = piece.bytes[...]
      var lines: [String] = []
      repeat {
        let hex = Hex.text(of: rest.prefix(Self.bytesPerLine), separator: " ")
        rest = rest.dropFirst(Self.bytesPerLine)
        let space = String(repeating: " ", count: Self.column - hex.count)
        lines.append(lines.isEmpty ? hex + space + margin + piece.note : hex)
      } while !rest.isEmpty
      return lines
    }.joined(separator: "\n")
  }

  private static let bytesPerLine = 16
  private static let column = 3 * bytesPerLine + 1
}

extension AnnotatedBytes {
  /// A whole frame: its header, the envelope of a request with its count, and the fields of the
  /// message.
  init(
    _ header: FrameHeader, _ message: any Message, envelope: ClientEnvelope? = nil,
    opened: [String: any Message] = [:]
  ) {
    self.init(fieldsOf: message, opened: opened)
    if let envelope {
      let body = AnnotatedBytes(fieldsOf: envelope, depth: 1).pieces
      let count = body.map(\.bytes.count).reduce(0, +)
      let note = "envelope: \(Self.count(count, "byte"))"
      pieces = [Piece(bytes: Self.bytes(of: UInt32(count)), depth: 0, note: note)] + body + pieces
    }
    pieces = Self.pieces(of: header, pieces.map(\.bytes.count).reduce(0, +)) + pieces
  }

  private static func pieces(of header: FrameHeader, _ bodyCount: Int) -> [Piece] {
    var rest = header.frame(body: [UInt8](repeating: 0, count: bodyCount))[...]
    let notes = [
      (4, "length \(8 + bodyCount)"), (1, "version"), (1, "kind: \(header.kind)"),
      (2, "opcode \(Opcode(rawValue: header.opcode))"), (4, "correlation \(header.correlation)"),
    ]
    return notes.map { count, note in
      defer { rest = rest.dropFirst(count) }
      return Piece(bytes: Array(rest.prefix(count)), depth: 0, note: note)
    }
  }
}
