public import Wire

/// Sent by a player: returns what the caller's friendships suggest in this game: groups that
/// anybody may join and that friends are in, and friends with whom there is no context yet. Up to
/// 32 friends are asked for one page, in the order of their ids.
///
/// A suggested group may be full, closed or out of reach by the time somebody joins it:
/// `JoinContext` decides. It is out of reach also where somebody in it and the caller are kept
/// apart by a block, or where the caller was removed: only the group's players could be asked, by a
/// fact of each, and so a suggestion that cannot be joined says that there is such a reason.
/// Errors: `invalidArgument` (cursor) for a text that is not of this list. Changes nothing; costs
/// two facts for each friend that is asked.
public struct SuggestContexts: Operation {
  public static let opcode = Opcode(.context, 0x24)
  public static var isReadOnly: Bool { true }
  public static var needs: [FactNeed] { [.fact(FetchFriends.self, at: .caller)] }
  /// Where the page begins: the last reply's cursor, or empty for the start.
  public var cursor = ""
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("cursor", &cursor)
  }

  /// A page of suggestions.
  public struct Reply: Message {
    /// Groups whose policy is `open`, each once, without those that the caller is in.
    public var contexts: [ContextInfo] = []
    /// Friends with whom the caller has no context yet: see `CreatePairContext`.
    public var friends: [PlayerID] = []
    /// Where the next page begins; empty after the last one.
    public var cursor = ""
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("contexts", &contexts)
      visit.field("friends", &friends)
      visit.field("cursor", &cursor)
    }
  }
}
