/// A fact that an operation declares it needs, and the key that it is about. The gateway fetches it
/// from the key's owner and attaches it to the call.
public struct FactNeed: Hashable, Sendable {
  public enum Key: Hashable, Sendable {
    case caller
    case game
    /// The identifier in the field of that name. A call that leaves it out comes without the fact.
    case field(String)
    /// Each identifier of the list in the field of that name.
    case each(String)
  }

  public let opcode: Opcode
  /// Of the operation whose reply the fact is.
  public let name: String
  public let key: Key

  /// - Parameter type: of the shape of a `FactQuestion`. Any other is a mistake of ours and traps:
  ///   the gateway sends the key alone, in nobody's name.
  public static func fact<O: Operation>(_ type: O.Type, at key: Key) -> Self {
    precondition(
      O.isReadOnly && O.access == .service && O.routing == .firstIdentifier,
      "\(O.name) is no read-only operation between services that begins with its key")
    return Self(opcode: O.opcode, name: O.name, key: key)
  }
}

/// A question whose reply is a fact: a read-only operation between services whose first field is
/// the key that the fact is about.
public protocol FactQuestion: Operation {}

extension FactQuestion {
  @inlinable public static var access: Access { .service }
  @inlinable public static var isReadOnly: Bool { true }
  @inlinable public static var routing: Routing { .firstIdentifier }
}

/// How a gateway finds the keys of a declared fact in the bytes of a call, whose type it does not
/// know. A service works it out from the operation's field list and tells it with the route.
public struct FactKeySource: Message, Hashable {
  /// Of the operation whose reply the fact is.
  public var opcode: UInt16 = 0
  public var form = KeyForm()
  /// The forms of the fields before the one with the key, one after the other: see `FieldForm`.
  public var skipped = Bytes()

  @inlinable public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("opcode", &opcode)
    visit.field("form", &form)
    visit.field("skipped", &skipped)
  }
}

/// What the key of a fact is, or how the field lies on the wire that holds it.
public struct KeyForm: OpenEnum {
  public var rawValue: UInt8
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let caller = Self(rawValue: 0)
  public static let game = Self(rawValue: 1)
  public static let identifier = Self(rawValue: 2)
  public static let optionalIdentifier = Self(rawValue: 3)
  public static let identifiers = Self(rawValue: 4)

  public static let names = [
    "caller", "game", "identifier", "optionalIdentifier", "identifiers",
  ]
}

extension FactKeySource {
  /// - Parameter shape: the operation's. A need that names no fitting field of it traps.
  public init(_ need: FactNeed, in shape: Shape) {
    opcode = need.opcode.rawValue
    switch need.key {
    case .caller: form = .caller
    case .game: form = .game
    case .field(let name): locate(name, in: shape, asList: false)
    case .each(let name): locate(name, in: shape, asList: true)
    }
  }

  private mutating func locate(_ name: String, in shape: Shape, asList: Bool) {
    guard case .message(let owner, let fields, _) = shape,
      let place = fields.firstIndex(where: { $0.name == name })
    else { preconditionFailure("\(shape) has no field \(name)") }
    switch fields[place].shape {
    case .identifier where !asList: form = .identifier
    case .optional(.identifier) where !asList: form = .optionalIdentifier
    case .list(.identifier) where asList: form = .identifiers
    default: preconditionFailure("the field \(name) of \(owner) holds no such key")
    }
    skipped = Bytes(fields[..<place].flatMap { FieldForm.of($0.shape) })
  }

  /// False for a route of a service that is newer than this process, which cannot follow it.
  public var isKnown: Bool { form.isKnown && FieldForm.areKnown(skipped.array) }

  /// Calls `body` with each key that the call needs the fact at. A field that is missing, or that
  /// holds the nil identifier, gives none.
  ///
  /// - Parameter operation: the call's own bytes; they are read as far as the keys.
  public func forEachKey(
    in operation: RawSpan, of principal: Principal, _ body: (RoutingKey) -> Void
  ) throws(WireError) {
    func give(_ key: RoutingKey) { if !key.isNil { body(key) } }
    switch form {
    case .caller: give(RoutingKey(reinterpreting: principal.player))
    case .game: give(RoutingKey(game: principal.game))
    default:
      try Reader.read(operation) { reader in
        reader.skip(fieldsOfForms: skipped.array)
        if reader.isAtEnd { return }
        switch form {
        case .identifiers:
          for _ in 0..<reader.count() where reader.error == nil {
            give(RoutingKey.decode(from: &reader))
          }
        case .optionalIdentifier: give(RoutingKey?.decode(from: &reader) ?? RoutingKey())
        default: give(RoutingKey.decode(from: &reader))
        }
      }.get()
    }
  }
}
