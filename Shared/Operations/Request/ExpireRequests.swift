public import Wire

/// A timer's: takes requests that nobody answered for too long off the key's player's list, and
/// tells their senders. It is set again for the next one.
///
/// Cost: a row and an effect for each of at most 64 requests.
public struct ExpireRequests: Operation {
  public static let opcode = Opcode(.request, 0x34)
  public typealias Reply = Empty
  public static var access: Access { .timersAlone }
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {}
}
