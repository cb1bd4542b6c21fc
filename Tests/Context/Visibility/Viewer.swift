import Operations
import TestKit
import Wire

/// Who looks at what is not theirs. Each plays a player of its own; only `elsewhere` is somebody
/// who is in it.
enum Viewer: UInt64, CaseIterable, Sendable {
  /// Plays the same game and is nobody's friend.
  case stranger = 31
  /// The owner, who asks from another game.
  case elsewhere = 1
  /// The owner blocks the viewer, whose own list of friends has not heard of it.
  case blocked = 33
  /// Blocks the owner.
  case blocking = 34
  /// Has played along in the match and the game, and has left the context.
  case left = 35
  /// As `left`, but was removed.
  case removed = 36
  /// Was invited, and blocked by the owner after that.
  case apart = 37
  /// Has an open invitation.
  case invited = 38
  /// Is in the context, and neither in its match nor in its game.
  case member = 39
  /// A member who watches the game, where it has spectators.
  case spectator = 40
  /// A member who plays the game with the owner and `ben`, and not the match.
  case seated = 41

  var player: PlayerID { .sample(rawValue) }
  var game: String { self == .elsewhere ? "another" : "game" }

  /// Whom no call of theirs may bring anything to anybody.
  static let kept: [Viewer] = [.blocked, .blocking, .apart, .elsewhere]
  /// Who is to be told nothing by what others do there.
  static let outside: [Viewer] = [.stranger, .blocked, .blocking, .left, .removed, .apart]
  /// Who is in the context, or may come in.
  static let inside: [Viewer] = [.invited, .member, .spectator, .seated]
}

/// What is looked at.
enum Place: CaseIterable, Sendable {
  /// A group with a match and a game that may be watched.
  case watchedGroup
  /// A group with a link, and a game with sealed rounds and without spectators.
  case sealedGroup
  /// A group with a game that has both: sealed rounds and spectators.
  case sealedWatchedGroup
  /// A group that players ask to be let in.
  case askedGroup
  case closedGroup
  /// For each viewer another one: the blocks have closed some, and `left` has left one.
  case pair
  /// Of players whom matchmaking has put together.
  case matched
  case solo

  var policy: JoinPolicy {
    switch self {
    case .sealedGroup: .byLink
    case .askedGroup: .byRequest
    default: .byInvite
    }
  }

  /// Whether there is a game that may be watched.
  var isWatched: Bool { [.watchedGroup, .sealedWatchedGroup, .askedGroup].contains(self) }
  var isSealed: Bool { [.sealedGroup, .sealedWatchedGroup].contains(self) }

  var viewers: [Viewer] {
    switch self {
    case .watchedGroup, .sealedGroup, .sealedWatchedGroup, .askedGroup, .closedGroup:
      Viewer.allCases
    case .pair, .solo: [.stranger, .elsewhere, .blocked, .blocking, .left]
    case .matched: [.stranger, .elsewhere, .left]
    }
  }
}

/// What a call must come to.
enum Expectation: Equatable, Sendable {
  /// The refusal that the same call gets about what there is not, in the same words.
  case unseen
  case refused(FailureCode)
  case answered
}

/// What calls name.
struct VisibilityTarget: Sendable {
  var context = ContextID.sample(9_001)
  /// Another player.
  var player = PlayerID.sample(9_002)
  var ticket = MatchTicketID.sample(9_003)
  var invite = MatchInviteID.sample(9_004)
  /// Of the game and of the match.
  var number: UInt32 = 1
  var exchange: UInt32 = 1
  var incarnation: UInt64 = 1

  /// Names nothing that there is.
  static let unknown = VisibilityTarget()
}
