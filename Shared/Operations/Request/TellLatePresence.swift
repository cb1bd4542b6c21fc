public import Wire

/// A timer's: tells the key's player of friends' presence that had no room when it came.
///
/// Cost: a push for each hint that the player's budget has room for; it sets itself again until all
/// are told.
public struct TellLatePresence: Operation {
  public static let opcode = Opcode(.request, 0x8D)
  public typealias Reply = Empty
  public static var access: Access { .timersAlone }
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {}
}
