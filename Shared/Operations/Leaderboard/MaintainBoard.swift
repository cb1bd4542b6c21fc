public import Wire

/// A timer's: what time does to what the key's board keeps besides its ranking. It is set again for
/// when there is more to do.
///
/// Cost: at most 4,096 rows, and an effect for each round over older rows that begins.
public struct MaintainBoard: Operation {
  public static let opcode = Opcode(.leaderboard, 0x34)
  public typealias Reply = Empty
  public static var access: Access { .timersAlone }
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {}
}
