public import Wire

/// Sent by a player: takes back an invite token of the caller's. Requests that wait for it are
/// dropped, each with a `RequestDropped`.
///
/// Errors: `notFound` (token: none of the caller's in this game that is remembered);
/// `alreadyExists` (token: it was claimed). One that was revoked or has expired stays so. Cost: a
/// row for the token and one for each request.
public struct RevokeInviteToken: Operation {
  public static let opcode = Opcode(.request, 0x38)
  public typealias Reply = Empty
  public var token = ""
  public init() {}
  public init(_ token: String) { self.token = token }
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("token", &token)
  }
}
