public import Wire

/// A timer's: removes old events of the player that the clients of their game have acknowledged.
///
/// Cost: one range of cold rows, and the removal of as many; it sets itself again until none is
/// left.
public struct SweepStream: Operation {
  public static let opcode = Opcode(.request, 0x0A)
  public typealias Reply = Empty
  public static var access: Access { .timersAlone }
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {}
}
