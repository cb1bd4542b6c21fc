public import Wire

/// A timer's: forgets the player's sessions that nobody was connected with for too long, and stores
/// the connected ones as in use. It sets itself again: for when the next one may be idle, at the
/// latest after half of the idle time.
///
/// Cost: a row for each.
public struct ExpireInstances: Operation {
  public static let opcode = Opcode(.request, 0x08)
  public typealias Reply = Empty
  public static var access: Access { .timersAlone }
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {}
}
