public import Wire

/// Sent by the owner or a moderator of a group: answers a player's request to be let in. A player
/// who is let in counts in the size, is told so by a `ContextRequestAnswered`, and enters with
/// `SwitchContext`, as an invited one does. Blocks are asked for then: who answers does not learn
/// of them.
///
/// Errors, in this order: `requiredArgument` (context), `notFound` (context) as with
/// `SwitchContext`, `notAllowed` (context) for anybody else in it, `notFound` (player) when there
/// is no such request, `limitReached` (context) when the group is full; the request then stays.
/// Cost: one context row, two effects for each player at most.
public struct AnswerContextRequest: Operation {
  public static let opcode = Opcode(.context, 0x1A)
  public typealias Reply = ContextInfo
  public static var routing: Routing { .firstIdentifier }
  public static var needs: [FactNeed] {
    [.fact(FetchPlayer.self, at: .field("player")), .fact(FetchPlayer.self, at: .caller)]
  }
  public var context = ContextID()
  public var player = PlayerID()
  public var accept = false
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("player", &player)
    visit.field("accept", &accept)
  }
}
