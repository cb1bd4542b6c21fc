public import Wire

/// Sent by a player: changes what others may know of the caller.
///
/// Errors: `invalidArgument` (displayName; alias; see `ProfileRules`). Cost: a row of each kind
/// that changes.
public struct SetProfile: Operation {
  public static let opcode = Opcode(.request, 0x11)
  public typealias Reply = Empty
  /// The empty one leaves it as it is.
  public var displayName = ""
  /// A name to be known by besides; the empty one takes it away, and nil leaves it as it is.
  public var alias: String?
  /// Whether friends are told when the player comes and goes, as they are at first; nil leaves it
  /// as it is. Who does not show it looks offline. Whoever changes it often is told of less often.
  public var showsPresence: Bool?
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("displayName", &displayName)
    visit.field("alias", &alias)
    visit.field("showsPresence", &showsPresence)
  }
}
