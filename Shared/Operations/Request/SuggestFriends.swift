public import Wire

/// Sent by a player: returns friends of friends whom the caller may want to invite, those first
/// whom most of the friends that were asked know. Players whom the caller has invited or blocks,
/// who have invited the caller, who block the caller and who were erased are left out.
///
/// Errors: none of its own. Cost: the same for everybody, at most: facts from
/// `FriendLimits.askedFriendsMax` friends, each of whom names `FriendLimits.sampleMax` at most, and
/// then from `FriendLimits.candidatesMax` players, side by side; three ways back and forth.
public struct SuggestFriends: Operation {
  public static let opcode = Opcode(.request, 0x8B)
  public static var isReadOnly: Bool { true }
  /// Whose friends to look at: those with many friends have several rounds, after which they begin
  /// again. Of friends with many friends others are looked at each day.
  public var round: UInt32 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("round", &round)
  }

  public struct Reply: Message {
    /// No more than `FriendLimits.suggestionsMax`.
    public var suggestions: [FriendSuggestion] = []
    public init() {}
    @inlinable
    public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("suggestions", &suggestions)
    }
  }
}

public struct FriendSuggestion: Message, Hashable {
  public var profile = Profile()
  /// How many of the friends that were asked have named the player.
  public var mutualFriends: UInt32 = 0
  public init() {}
  @inlinable
  public mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("profile", &profile)
    visit.field("mutualFriends", &mutualFriends)
  }
}
