public import Wire

/// A timer's: forgets the key's player's client processes that were silent for too long, and stores
/// that those connected are in use. It is set again for the next one, by half of that time at most.
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
