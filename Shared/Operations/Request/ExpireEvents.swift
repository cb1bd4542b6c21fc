public import Wire

/// A timer's: removes events of the player that are older than events get, read or not.
///
/// Cost: one range of cold rows, and the removal of as many; it sets itself again for the next
/// event.
public struct ExpireEvents: Operation {
  public static let opcode = Opcode(.request, 0x0B)
  public typealias Reply = Empty
  public static var access: Access { .timersAlone }
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {}
}
