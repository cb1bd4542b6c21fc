public import Wire

/// A timer's: those who have joined the key's match, which was found for them, have waited long
/// enough for the others. See `JoiningEnded`.
///
/// Cost: one context row and one match row, a few effects for each player.
public struct EndJoining: Operation {
  public static let opcode = Opcode(.context, 0x8A)
  public typealias Reply = Empty
  public static var access: Access { .timersAlone }
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {}
}
