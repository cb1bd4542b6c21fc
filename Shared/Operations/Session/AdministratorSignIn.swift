public import Wire

/// Signs the deployment's operator in on this connection, with the secret from the configuration.
/// An operator signs in again on every connection.
///
/// Errors: `invalidCredential`, `rateLimited` per address.
public struct SignInOperator: Operation {
  public static let opcode = Opcode(.gateway, 0x06)
  public typealias Reply = Empty
  public static var access: Access { .anonymous }
  public static var isReadOnly: Bool { true }
  public static var changesSession: Bool { true }
  public var secret = ""
  /// The game that the calls on this connection are about; empty for the whole deployment.
  public var game = ""
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("secret", &secret)
    visit.field("game", &game)
  }
}

/// Signs a game's own server in on this connection. It signs in again on every connection.
///
/// Errors: `invalidCredential`, `rateLimited` per address.
public struct SignInGameServer: Operation {
  public static let opcode = Opcode(.gateway, 0x07)
  public typealias Reply = SessionStarted
  public static var access: Access { .anonymous }
  public static var isReadOnly: Bool { true }
  public static var changesSession: Bool { true }
  public var game = ""
  public var credential = ""
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("game", &game)
    visit.field("credential", &credential)
  }
}

/// Sent by an operator: returns the credential of a game's own server.
public struct GameServerCredential: Operation {
  public static let opcode = Opcode(.gateway, 0x08)
  public static var access: Access { .deploymentOperator }
  public static var isReadOnly: Bool { true }
  public var game = ""
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("game", &game)
  }

  public struct Reply: Message {
    public var credential = ""
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("credential", &credential)
    }
  }
}
