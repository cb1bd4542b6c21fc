public import Wire

/// Resumes a session after a lost connection. It keeps the client instance, so that open calls can
/// be repeated, and pushes the events after `cursor`. Repeating it on another connection is
/// harmless.
///
/// Errors: `alreadyExists` (the connection has a session), `sessionExpired`, `invalidCredential`
/// (forged or revoked token), `notAuthenticated` (the player was erased: forget the credential),
/// `banned`, `requiredArgument` (cursorEvent, of a cursor above 0; cursor, of a cursorEvent),
/// `cursorLost` (cursor), `rateLimited` (of the player's calls, or of the sign-ins from this
/// address where the token is refused).
public struct Resume: Operation {
  public static let opcode = Opcode(.gateway, 0x04)
  public typealias Reply = SessionStarted
  public static var access: Access { .anonymous }
  public static var isReadOnly: Bool { true }
  public static var changesSession: Bool { true }
  public var token = Bytes()
  /// The sequence number after which to push events; nil takes the acknowledged one.
  public var cursor: UInt64?
  /// The event at `cursor`, by which a stream is noticed that has gone back to a backup since. Nil
  /// where `cursor` is 0.
  public var cursorEvent = EventID()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("token", &token)
    visit.field("cursor", &cursor)
    visit.field("cursorEvent", &cursorEvent)
  }
}
