public import Wire

/// Signs an operator of the deployment in on this connection, with the secret from the
/// configuration. That of an operator with a name, by which the audit knows the operator, begins
/// with the name and a colon. An operator signs in again on every connection. The game need not be
/// declared.
///
/// Errors: `alreadyExists` (the connection has a session), `invalidCredential`, `invalidArgument`
/// (game), `rateLimited` per address.
public struct SignInOperator: Operation {
  public static let opcode = Opcode(.gateway, 0x06)
  public typealias Reply = TrustedSessionStarted
  public static var access: Access { .anonymous }
  public static var isReadOnly: Bool { true }
  public static var changesSession: Bool { true }
  public var secret = ""
  /// The game that the calls on this connection are about; empty for the whole deployment.
  public var game = ""
  /// A number that the client's process chooses at random when it first signs in, and keeps over
  /// lost connections: it may then repeat its open calls under their keys. With 0 the keys of one
  /// connection mean nothing on the next.
  public var client: UInt64 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("secret", &secret)
    visit.field("game", &game)
    visit.field("client", &client)
  }
}

/// Signs a game's own server in on this connection. It signs in again on every connection.
///
/// Errors: `alreadyExists` (the connection has a session), `requiredArgument` and `invalidArgument`
/// (game), `invalidCredential`, `rateLimited` per address.
public struct SignInGameServer: Operation {
  public static let opcode = Opcode(.gateway, 0x07)
  public typealias Reply = TrustedSessionStarted
  public static var access: Access { .anonymous }
  public static var isReadOnly: Bool { true }
  public static var changesSession: Bool { true }
  public var game = ""
  public var credential = ""
  /// As in `SignInOperator`; the processes of a game's server choose one each.
  public var client: UInt64 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("game", &game)
    visit.field("credential", &credential)
    visit.field("client", &client)
  }
}

/// The session of an operator or of a game's server. It ends with its connection, and it has
/// neither a token nor a stream of events.
public struct TrustedSessionStarted: Message {
  /// The client instance, which names the client's process in idempotency keys.
  public var instance: UInt64 = 0
  /// What this deployment allows the client.
  public var limits = ClientLimits()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("instance", &instance)
    visit.field("limits", &limits)
  }
}

/// Sent by an operator: returns the credential of a game's own server.
///
/// Errors: `requiredArgument` and `invalidArgument` (game), `notFound` (game, which no operator has
/// declared).
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
