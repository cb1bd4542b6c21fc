import MusterKit
import Wire

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A message that is read from a JSON object, whose names must be those of the message's fields.
struct DeclaredMessage<M: Message>: Decodable {
  var message = M()

  init(from decoder: any Decoder) throws {
    var reader = ObjectReader(object: try decoder.container(keyedBy: FieldName.self))
    message.fields(&reader)
    // First, because a field that is missing may be there under a mistyped name.
    try reader.object.refuseNames(besides: reader.names)
    if let fault = reader.fault { throw fault }
  }
}

/// Reads the fields of a message one after the other. A field that the object does not name keeps
/// its default; a title is then the first field, which is a name.
private struct ObjectReader: FieldVisitor {
  let object: KeyedDecodingContainer<FieldName>
  private(set) var names: [String] = []
  private(set) var fault: (any Error)?
  private var firstValue: Any?

  /// The fields without which nothing can be declared.
  private static let required: Set = [
    "board", "set", "boards", "achievement", "start", "duration", "interval",
    "playerGroup", "steps",
  ]

  init(object: KeyedDecodingContainer<FieldName>) { self.object = object }

  mutating func field<Value: FieldValue>(_ name: StaticString, _ value: inout Value) {
    let name = FieldName("\(name)")
    names.append(name.stringValue)
    do {
      if try object.contains(name) && !object.decodeNil(forKey: name) {
        value = try read(name)
      } else if Self.required.contains(name.stringValue) {
        throw DecodingError.keyNotFound(
          name, .init(codingPath: object.codingPath, debugDescription: "is missing"))
      } else if name.stringValue == "title", let own = firstValue as? Value {
        value = own
      }
    } catch {
      // The decoder's own error, as for a number out of bounds, does not say where.
      let placed = DecodingError.dataCorruptedError(
        forKey: name, in: object, debugDescription: "the value does not fit the field")
      fault = fault ?? (error as? DecodingError) ?? placed
    }
    firstValue = firstValue ?? value
  }

  private func read<Value: FieldValue>(_ name: FieldName) throws -> Value {
    let found: Any =
      switch Value.self {
      case is Recurrence?.Type:
        try object.decode(DeclaredMessage<Recurrence>.self, forKey: name).message
      case is [MatchRule].Type:
        try object.decode([DeclaredMessage<MatchRule>].self, forKey: name).map(\.message)
      case is [MatchRuleStep].Type:
        try object.decode([DeclaredMessage<MatchRuleStep>].self, forKey: name).map(\.message)
      case is ContextID?.Type:
        try named(name, "an id of 26 letters and digits", ContextID.init(_:))
      case let type as any OpenEnum.Type:
        try named(name, "one of \(type.names.joined(separator: ", "))") { type.init(named: $0) }
      case let type as any Decodable.Type: try object.decode(type, forKey: name)
      default: preconditionFailure("a \(Value.self) has no form in a declaration file")
      }
    guard let value = found as? Value else { preconditionFailure("\(found) is no \(Value.self)") }
    return value
  }

  private func named<Value>(
    _ name: FieldName, _ expected: String, _ make: (String) -> Value?
  ) throws -> Value {
    guard let value = make(try object.decode(String.self, forKey: name)) else {
      throw DecodingError.dataCorruptedError(
        forKey: name, in: object, debugDescription: "\(expected) is expected")
    }
    return value
  }
}

/// A name in a JSON object, whatever it is.
struct FieldName: CodingKey {
  var stringValue: String
  var intValue: Int? { nil }

  init(_ name: String) { stringValue = name }
  init?(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { nil }
}

extension KeyedDecodingContainer<FieldName> {
  /// Throws when the object has a name that is not one of `known`.
  func refuseNames(besides known: [String]) throws {
    let unknown = allKeys.map(\.stringValue).filter { !known.contains($0) }
    guard let first = unknown.min() else { return }
    throw DecodingError.dataCorruptedError(
      forKey: FieldName(first), in: self,
      debugDescription: "there is no such field, but \(known.joined(separator: ", "))")
  }
}
