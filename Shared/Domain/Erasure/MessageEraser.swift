package import Wire

/// Rewrites an encoded message by its shape, so that nothing in it is of an erased player.
struct MessageEraser {
  private let erasure: Erasure
  private let id: [UInt8]
  private let nested: (Opcode) -> Shape?
  private let isRecord: Bool

  /// - Parameter isRecord: whether nothing follows from the message any more. Hashes of identities
  ///   are replaced too then; elsewhere they say where an identity's state is.
  init(
    _ erasure: Erasure, isRecord: Bool = false,
    _ nested: @escaping (Opcode) -> Shape? = { _ in nil }
  ) {
    self.erasure = erasure
    self.isRecord = isRecord
    self.nested = nested
    id = erasure.player.bytes
  }

  /// Returns nil when the bytes are not of the shape.
  func rest(of message: [UInt8], _ shape: Shape) -> [UInt8]? {
    guard case .message(_, let fields, _) = shape else {
      preconditionFailure("only a message is rewritten")
    }
    var writer = Writer(capacity: message.count)
    let fault = Reader.read(message) { reader in
      copy(fields, isPersonal: false, &reader, &writer)
    }
    guard case .success = fault else { return nil }
    return writer.bytes
  }

  // MARK: Messages

  /// - Parameter isPersonal: whether the message around it is the player's: so is this one, unless
  ///   it has a player of its own.
  private func copy(
    _ fields: [Shape.Field], isPersonal: Bool, _ reader: inout Reader, _ writer: inout Writer
  ) {
    var first = reader
    let isPersonal =
      areOfPlayer(fields, &first) || isPersonal && !fields.contains { $0.shape.isPlayer }
    var kind: UInt16?
    for field in fields where !reader.isAtEnd {
      if field.name == "kind", field.shape == UInt16.shape {
        var ahead = reader
        kind = ahead.integer()
      }
      if field.name == "body", field.shape == Bytes.shape,
        let inner = kind.flatMap({ nested(Opcode(rawValue: $0)) })
      {
        copyMessage(inner, &reader, &writer)
      } else {
        copy(field.shape, of: field.name, isPersonal: isPersonal, &reader, &writer)
      }
    }
    // Fields that this build does not know keep their bytes, but for the id.
    writer.raw(erasure.renamed(reader.rest()))
  }

  private func copyMessage(_ shape: Shape, _ reader: inout Reader, _ writer: inout Writer) {
    let bytes = reader.raw(reader.count())
    let kept = rest(of: bytes, shape) ?? erasure.renamed(bytes)
    writer.count(kept.count)
    writer.raw(kept)
  }

  /// True when one of the fields is the player's id, by itself or in a frozen message, such as a
  /// key: a list of players says nothing of who wrote what is beside it.
  private func areOfPlayer(_ fields: [Shape.Field], _ reader: inout Reader) -> Bool {
    for field in fields where !reader.isAtEnd {
      if isPlayer(field.shape, &reader) { return true }
    }
    return false
  }

  private func isPlayer(_ shape: Shape, _ reader: inout Reader) -> Bool {
    switch shape {
    case .identifier: return reader.raw(id.count) == id
    case .optional(let inner): return reader.flag() ? isPlayer(inner, &reader) : false
    case .message(_, let fields, frozen: true): return areOfPlayer(fields, &reader)
    case .scalar, .enumeration, .list, .message:
      var unused = Writer()
      copy(shape, of: "", isPersonal: false, &reader, &unused)
      return false
    }
  }

  // MARK: Fields

  private func copy(
    _ shape: Shape, of field: String, isPersonal: Bool, _ reader: inout Reader,
    _ writer: inout Writer
  ) {
    switch shape {
    case .scalar("String"), .scalar("Bytes"):
      let bytes = reader.raw(reader.count())
      let kept = isPersonal && PersonalFields.names.contains(field) ? [] : erasure.renamed(bytes)
      writer.count(kept.count)
      writer.raw(kept)
    case .scalar, .enumeration:
      writer.raw(reader.raw(Int(FieldForm.of(shape)[0])))
    case .identifier:
      let bytes = reader.raw(id.count)
      let isHash = isRecord && isPersonal && PersonalFields.hashes.contains(field)
      writer.raw(bytes == id || isHash ? erasure.standIn.bytes : bytes)
    case .optional(let inner):
      let isThere = reader.flag()
      writer.raw([isThere ? 1 : 0])
      if isThere { copy(inner, of: field, isPersonal: isPersonal, &reader, &writer) }
    case .list(let inner):
      let count = reader.count()
      writer.count(count)
      for _ in 0..<count where reader.error == nil {
        copy(inner, of: field, isPersonal: isPersonal, &reader, &writer)
      }
    case .message(_, let fields, frozen: true):
      for inner in fields {
        copy(inner.shape, of: inner.name, isPersonal: isPersonal, &reader, &writer)
      }
    case .message(_, let fields, frozen: false):
      writer.lengthPrefixed { writer in
        reader.lengthPrefixed { reader in
          copy(fields, isPersonal: isPersonal, &reader, &writer)
        }
      }
    }
  }
}

extension Shape {
  /// Whether it can be a player's id, by itself or in a frozen message, such as a key.
  package var isPlayer: Bool {
    switch self {
    case .identifier(let kind): kind == PlayerKind.name
    case .optional(let inner): inner.isPlayer
    case .message(_, let fields, frozen: true): fields.contains { $0.shape.isPlayer }
    case .scalar, .enumeration, .list, .message: false
    }
  }
}
