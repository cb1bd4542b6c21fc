internal import MusterKit

/// Says from which contexts a player may choose.
public final class ChooseContextContent {
  public var filter = ChooseContextFilter.none
  public var minParticipants = 0
  /// The greatest number of participants; 0 for no upper bound.
  public var maxParticipants = 0

  public init() {}

  public func validate() throws(GamingServicesError) {
    if minParticipants < 0 {
      throw GamingServicesError(
        .invalidArgument, argument: "minParticipants", "minParticipants is negative.")
    }
    if maxParticipants < 0 {
      throw GamingServicesError(
        .invalidArgument, argument: "maxParticipants", "maxParticipants is negative.")
    }
    if maxParticipants != 0 && minParticipants > maxParticipants {
      throw GamingServicesError(
        .requiredArgument, argument: "minParticipants",
        "minParticipants is greater than maxParticipants.")
    }
  }
}

/// Which contexts are offered to the player.
public enum ChooseContextFilter: Sendable {
  /// All contexts.
  case none
  /// Contexts with open challenges, on a board that is linked to the context.
  case existingChallenges
  /// Contexts with other players, none of whom has ever signed in to this game.
  case newPlayersOnly
  /// Contexts in which nothing was played yet.
  case newContextOnly

  var filter: ChooseFilter {
    switch self {
    case .none: .none
    case .existingChallenges: .existingChallenges
    case .newPlayersOnly: .newPlayersOnly
    case .newContextOnly: .newContextOnly
    }
  }
}
