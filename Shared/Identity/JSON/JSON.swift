/// A value of a JSON text (RFC 8259).
enum JSON: Sendable {
  case null
  case boolean(Bool)
  case integer(Int64)
  case real(Double)
  case text(String)
  case list([JSON])
  case object([Member])

  struct Member: Sendable {
    let name: String
    let value: JSON
  }

  /// The member of this name; nil if there is none, or if this is no object.
  subscript(name: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members.first { isSame($0.name, name) }?.value
  }

  var text: String? {
    if case .text(let text) = self { return text }
    return nil
  }
  var list: [JSON]? {
    if case .list(let items) = self { return items }
    return nil
  }
  var boolean: Bool? {
    if case .boolean(let value) = self { return value }
    return nil
  }
  var integer: Int64? {
    if case .integer(let value) = self { return value }
    return nil
  }
  var isObject: Bool {
    if case .object = self { return true }
    return false
  }
}

/// Why bytes are no JSON text that is taken.
public enum JSONFault: Error, Hashable, Sendable {
  case tooLarge
  case tooDeep
  /// An object names a member twice. Readers differ in which one they believe.
  case doubledField
  case malformed
  /// It is JSON, but no object.
  case notAnObject

  /// The rest of a sentence whose subject is the text.
  var clause: String {
    switch self {
    case .tooLarge: "has too many bytes"
    case .tooDeep: "has too many levels"
    case .doubledField: "names a field twice"
    case .malformed: "is not JSON"
    case .notAnObject: "is no JSON object"
    }
  }
}
