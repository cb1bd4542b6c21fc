public import Wire

/// A timer's: an invite token that nobody has claimed in time expires, and requests that wait for
/// it are dropped. One that has ended long ago is forgotten.
///
/// Cost: a row for the token, and a row and an event for each of at most
/// `InviteTokenLimits.requestsMax` requests.
public struct ExpireInviteToken: Operation {
  public static let opcode = Opcode(.request, 0x3A)
  public typealias Reply = Empty
  public static var access: Access { .timersAlone }
  public var token = InviteTokenID()
  public init() {}
  public init(_ token: InviteTokenID) { self.token = token }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("token", &token)
  }
}
