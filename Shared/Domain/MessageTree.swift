import Wire

/// Reads an encoded message by its shape, for people: see `Message.tree`.
struct MessageTree {
  /// The shapes of encoded messages in it: a field `body` of bytes holds the one whose opcode is in
  /// the field `kind`.
  let nested: (Opcode) -> Shape?

  /// An object with one member, whose name is the message's; nil when the bytes are not of the
  /// shape.
  func tree(of message: [UInt8], _ shape: Shape) -> Tree? {
    guard case .message(let name, let fields, _) = shape else {
      preconditionFailure("only a message is read")
    }
    let read = Reader.read(message) { reader in members(fields, &reader) }
    guard case .success(let members) = read else { return nil }
    return .object([Tree.Member(name: name, value: .object(members))])
  }

  /// The same members, with the message in place of the bytes where its shape is known.
  func opened(_ members: [Tree.Member]) -> [Tree.Member] {
    let kind = members.first { $0.name == "kind" }?.value
    guard case .unsigned(let number)? = kind, let opcode = UInt16(exactly: number),
      let shape = nested(Opcode(rawValue: opcode))
    else { return members }
    return members.map { $0.name == "body" ? opened($0, shape) : $0 }
  }

  func opened(_ member: Tree.Member, _ shape: Shape) -> Tree.Member {
    guard case .bytes(let bytes) = member.value, let tree = tree(of: bytes, shape) else {
      return member
    }
    return Tree.Member(name: member.name, value: tree)
  }

  // MARK: Fields

  /// Fields that are missing at the end are left out: they have their defaults.
  private func members(_ fields: [Shape.Field], _ reader: inout Reader) -> [Tree.Member] {
    var members: [Tree.Member] = []
    for field in fields where !reader.isAtEnd {
      members.append(Tree.Member(name: field.name, value: value(field.shape, &reader)))
    }
    // Of a newer build: an export leaves nothing out.
    let rest = reader.rest()
    if !rest.isEmpty { members.append(Tree.Member(name: "unknown", value: .bytes(rest))) }
    return opened(members)
  }

  private func value(_ shape: Shape, _ reader: inout Reader) -> Tree {
    switch shape {
    case .scalar(let name): return scalar(name, &reader)
    case .identifier: return RoutingKey.decode(from: &reader).tree
    case .enumeration(_, let names):
      let value: UInt8 = reader.integer()
      return .text(Int(value) < names.count ? names[Int(value)] : "unknown(\(value))")
    case .optional(let inner): return reader.flag() ? value(inner, &reader) : .null
    case .list(let inner):
      var values: [Tree] = []
      for _ in 0..<reader.count() where reader.error == nil { values.append(value(inner, &reader)) }
      return .list(values)
    case .message(_, let fields, frozen: true):
      return .object(
        fields.map { Tree.Member(name: $0.name, value: value($0.shape, &reader)) })
    case .message(_, let fields, frozen: false):
      var inner: [Tree.Member] = []
      reader.lengthPrefixed { reader in inner = members(fields, &reader) }
      return .object(inner)
    }
  }

  private func scalar(_ name: String, _ reader: inout Reader) -> Tree {
    switch name {
    case "Bool": Bool.decode(from: &reader).tree
    case "UInt8": UInt8.decode(from: &reader).tree
    case "UInt16": UInt16.decode(from: &reader).tree
    case "UInt32": UInt32.decode(from: &reader).tree
    case "UInt64": UInt64.decode(from: &reader).tree
    case "Int32": Int32.decode(from: &reader).tree
    case "Int64": Int64.decode(from: &reader).tree
    case "Double": Double.decode(from: &reader).tree
    case "String": String.decode(from: &reader).tree
    case "Bytes": Bytes.decode(from: &reader).tree
    default: preconditionFailure("how a \(name) is read is not listed")
    }
  }
}
