public import Wire

/// Ends the session: every gateway refuses its token from then on, and the connection becomes
/// anonymous.
///
/// A call that is repeated after it was done is refused with `notAuthenticated`, and on a new
/// connection its token with `invalidCredential`. Both mean that the session is over.
public struct SignOut: Operation {
  public static let opcode = Opcode(.gateway, 0x05)
  public typealias Reply = Empty
  public static var isReadOnly: Bool { true }
  public static var changesSession: Bool { true }
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {}
}
