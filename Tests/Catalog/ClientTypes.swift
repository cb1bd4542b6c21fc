import Operations
public import Wire

/// The types that a client meets in fields: messages, enumerations and identifiers, each by its
/// name.
public struct ClientTypes {
  public private(set) var shapes: [String: Shape] = [:]

  init(operations: [any Operation.Type], events: [any Event.Type]) {
    for part in MessageCatalog.clientParts { collect(part.shape) }
    for operation in operations {
      collect(fieldsOf: operation.shape)
      collectReply(of: operation)
    }
    for event in events { collect(fieldsOf: event.shape) }
  }

  private mutating func collectReply<O: Operation>(of type: O.Type) {
    if O.hasOwnReply { collect(fieldsOf: O.Reply.shape) } else { collect(O.Reply.shape) }
  }

  private mutating func collect(fieldsOf shape: Shape) {
    guard case .message(_, let fields, _) = shape else { return }
    for field in fields { collect(field.shape) }
  }

  private mutating func collect(_ shape: Shape) {
    switch shape {
    case .scalar: break
    case .optional(let inner), .list(let inner): collect(inner)
    case .identifier(let name), .enumeration(let name, _): shapes[name] = shape
    case .message(let name, _, _):
      shapes[name] = shape
      collect(fieldsOf: shape)
    }
  }

  // MARK: As a tree

  var tree: Tree {
    .record(shapes.sorted { $0.key < $1.key }.map { ($0.key, description(of: $0.value)) })
  }

  private func description(of shape: Shape) -> Tree {
    switch shape {
    case .identifier: .record([("identifier", .integer(16))])
    case .enumeration(_, let names): .record([("values", .texts(names))])
    case .message(_, _, frozen: true):
      .record([("frozen", .bool(true)), ("fields", fields(of: shape))])
    case .message(_, _, frozen: false): .record([("fields", fields(of: shape))])
    case .scalar, .optional, .list: preconditionFailure("no type of its own")
    }
  }

  /// A message's fields in wire order.
  func fields(of shape: Shape) -> Tree {
    guard case .message(_, let fields, _) = shape else { return .list([]) }
    return .list(fields.map { field($0) })
  }

  private func field(_ field: Shape.Field) -> Tree {
    var members: [(String, Tree)] = [("name", .text(field.name)), ("type", type(field.shape))]
    if let value = field.unusualDefault { members.append(("default", value)) }
    return .record(members)
  }

  private func type(_ shape: Shape) -> Tree {
    switch shape {
    case .scalar(let name), .identifier(let name), .enumeration(let name, _): .text(name)
    case .message(let name, _, _): .text(name)
    case .optional(let inner): .record([("optional", type(inner))])
    case .list(let inner): .record([("list", type(inner))])
    }
  }
}

extension Shape.Field {
  /// The default of a missing field; nil when it is 0, false, empty, absent, the nil identifier or
  /// an enumeration's first value.
  var unusualDefault: Tree? {
    guard let text = defaultText else { return nil }
    switch shape {
    case .scalar("String"): return .text(text)
    case .scalar("Bool"): return .bool(text == "true")
    case .scalar("Double"): return Double(text).map { .real($0) }
    case .scalar: return Int64(text).map { .integer($0) } ?? UInt64(text).map { .unsigned($0) }
    case .enumeration(_, let names): return text == names.first ? nil : .text(text)
    case .identifier, .message, .optional, .list: return nil
    }
  }
}
