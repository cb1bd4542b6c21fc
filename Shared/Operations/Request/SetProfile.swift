public import Wire

/// Sent by a player: changes what others may know of the caller.
///
/// Errors: `invalidArgument` (displayName, see `ProfileRules`). Cost: one row.
public struct SetProfile: Operation {
  public static let opcode = Opcode(.request, 0x11)
  public typealias Reply = Empty
  public var displayName = ""
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("displayName", &displayName)
  }
}
