import Operations

/// The relation of two players, as one of them holds it.
///
/// Each side changes its own edge at once and tells the other later, so their news cross. The edge
/// is therefore made of stamps (milliseconds since 1970) that only grow: when each side last wished
/// to be friends, and when either last ended or refused it. A wish holds while it is younger than
/// the end. A side that hears the other's stamps takes the greater one of each, which gives the
/// same edge whatever came first or twice: the two are friends on both sides or on neither.
///
/// A block is its owner's own business and is never told. Behind it the stamps go on changing, so
/// that nothing has to be repaired when it ends.
struct FriendEdge: Equatable {
  var mine: Int64 = 0
  var theirs: Int64 = 0
  var ended: Int64 = 0
  var isBlocked = false

  var wishes: Bool { mine > ended }
  private var isWished: Bool { theirs > ended }

  var state: FriendState {
    if isBlocked { return .blocked }
    switch (wishes, isWished) {
    case (false, false): return .none
    case (true, false): return .invited
    case (false, true): return .received
    case (true, true): return .friends
    }
  }

  /// What the owner of the edge is told of the other side's news.
  enum Notice {
    case nothing
    case invitation
    case friendship
  }

  // Each event of the owner says whether the other side must be told.

  /// The owner invites, or accepts the other's invitation.
  mutating func wish(now: Int64) -> Bool {
    precondition(!isBlocked, "a wish to be friends with a blocked player")
    if wishes { return false }
    mine = max(now, mine + 1, ended + 1)
    return true
  }

  /// The owner removes, withdraws or declines.
  mutating func end(now: Int64) -> Bool {
    if !wishes && !isWished { return false }
    ended = max(now, mine, theirs)
    return true
  }

  /// Ends the owner's invitation, because it was not answered in time. Only the owner's own timer
  /// calls this, so that a silent player and one who blocks the owner look the same. Nothing else
  /// ends: an acceptance that was already on its way arrives as an invitation to the owner.
  mutating func expire() -> Bool {
    if state != .invited { return false }
    ended = mine
    return true
  }

  /// A wish of the other alone is left as it is, so that it looks unanswered to them.
  mutating func block(now: Int64) -> Bool {
    isBlocked = true
    return wishes ? end(now: now) : false
  }

  /// Wishes that came during the block are void, and the other side learns that as if they were
  /// declined.
  mutating func unblock(now: Int64) -> Bool {
    isBlocked = false
    return end(now: now)
  }

  /// The two were friends elsewhere since a time, on both sides. Returns whether they are friends
  /// here: not where either has ended it since, or the owner blocks the other.
  mutating func befriend(since: Int64) -> Bool {
    if isBlocked || since <= ended { return false }
    (mine, theirs) = (max(mine, since), max(theirs, since))
    return true
  }

  /// Takes the other side's news: its wish, and the end as far as it knows.
  mutating func hear(wished: Int64, ended told: Int64) -> Notice {
    let before = state
    theirs = max(theirs, wished)
    ended = max(ended, told)
    let after = state
    if after == before { return .nothing }
    switch after {
    case .received: return .invitation
    case .friends: return .friendship
    default: return .nothing
    }
  }
}
