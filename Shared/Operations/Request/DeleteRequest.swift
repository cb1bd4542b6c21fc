public import Wire

/// Sent by a player: takes a request off the caller's list. The sender is not told.
///
/// Errors: `notFound` (not on the list). Cost: one row.
public struct DeleteRequest: Operation {
  public static let opcode = Opcode(.request, 0x33)
  public typealias Reply = Empty
  public var request = RequestID()
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("request", &request)
  }
}
