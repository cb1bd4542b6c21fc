public import Wire

/// Sent by a player: accepts or declines a request and takes it off the caller's list. The sender
/// is told once.
///
/// Errors: `notFound` when it is not on the list: unknown, answered before, deleted, expired or of
/// another game. Cost: one row and one effect.
public struct AnswerRequest: Operation {
  public static let opcode = Opcode(.request, 0x32)
  public typealias Reply = Empty
  public var request = RequestID()
  public var accept = false
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("request", &request)
    visit.field("accept", &accept)
  }
}
