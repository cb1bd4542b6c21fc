public import Wire

/// A timer's, after a restart: the players of the key's match have their grace time to come back.
///
/// Cost: none.
public struct ReviveMatch: Operation {
  public static let opcode = Opcode(.context, 0x35)
  public typealias Reply = Empty
  public static var access: Access { .timersAlone }
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {}
}
