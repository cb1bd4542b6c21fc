public import Foundation
internal import MusterKit

/// Says from which contexts a player may choose.
public class ChooseContextContent: NSObject, ValidatableProtocol, NSSecureCoding, NSCopying {
  public var filter = ChooseContextFilter.none
  /// The greatest number of participants; 0 for no upper bound.
  public var maxParticipants = 0
  public var minParticipants = 0

  public override init() { super.init() }

  /// The name of a filter among Facebook's parameters.
  public static func filtersName(forFilters filter: ChooseContextFilter) -> String { filter.name }

  public func validate() throws(GamingServicesError) {
    if minParticipants < 0 {
      throw GamingServicesError(
        .invalidArgument, argument: "minParticipants", value: minParticipants,
        "minParticipants is negative.")
    }
    if maxParticipants < 0 {
      throw GamingServicesError(
        .invalidArgument, argument: "maxParticipants", value: maxParticipants,
        "maxParticipants is negative.")
    }
    if maxParticipants != 0 && minParticipants > maxParticipants {
      throw GamingServicesError(
        .requiredArgument, argument: "minParticipants",
        "minParticipants is greater than maxParticipants.")
    }
  }

  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? ChooseContextContent else { return false }
    return filter == other.filter && minParticipants == other.minParticipants
      && maxParticipants == other.maxParticipants
  }

  public override var hash: Int {
    var hasher = Hasher()
    hasher.combine(filter)
    hasher.combine(minParticipants)
    hasher.combine(maxParticipants)
    return hasher.finalize()
  }

  public func copy(with zone: NSZone? = nil) -> Any {
    let copy = ChooseContextContent()
    copy.filter = filter
    copy.minParticipants = minParticipants
    copy.maxParticipants = maxParticipants
    return copy
  }

  public class var supportsSecureCoding: Bool { true }

  public required init?(coder: NSCoder) {
    let filter = coder.decodeInteger(forKey: "filter")
    self.filter = ChooseContextFilter(rawValue: filter) ?? .none
    minParticipants = coder.decodeInteger(forKey: "minParticipants")
    maxParticipants = coder.decodeInteger(forKey: "maxParticipants")
    super.init()
  }

  public func encode(with coder: NSCoder) {
    coder.encode(filter.rawValue, forKey: "filter")
    coder.encode(minParticipants, forKey: "minParticipants")
    coder.encode(maxParticipants, forKey: "maxParticipants")
  }
}

/// Which contexts are offered to the player.
public enum ChooseContextFilter: Int, CaseIterable, Sendable {
  /// All contexts.
  case none
  /// Contexts with open challenges, on a board that is linked to the context.
  case existingChallenges
  /// Contexts with other players, none of whom has ever signed in to this game.
  case newPlayersOnly
  /// Contexts in which nothing was played yet.
  case newContextOnly

  /// The filter's name among Facebook's parameters.
  public var name: String {
    switch self {
    case .none: "NO_FILTER"
    case .existingChallenges: "INCLUDE_EXISTING_CHALLENGES"
    case .newPlayersOnly: "NEW_PLAYERS_ONLY"
    case .newContextOnly: "NEW_CONTEXT_ONLY"
    }
  }

  var filter: ChooseFilter {
    switch self {
    case .none: .none
    case .existingChallenges: .existingChallenges
    case .newPlayersOnly: .newPlayersOnly
    case .newContextOnly: .newContextOnly
    }
  }
}
