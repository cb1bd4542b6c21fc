public import Wire

extension QueueDefinition {
  /// The first rule that the definition breaks; nil when there is none.
  public var fault: Failure? {
    if let fault = PlayerGroup.fault(of: playerGroup) { return fault }
    guard (2...UInt32(MatchmakingLimits.playersMax)).contains(minPlayers) else {
      return .unfit("minPlayers", "A match has 2 to \(MatchmakingLimits.playersMax) players.")
    }
    guard (minPlayers...UInt32(MatchmakingLimits.playersMax)).contains(maxPlayers) else {
      return .unfit(
        "maxPlayers", "The most players are from the least to \(MatchmakingLimits.playersMax).")
    }
    guard (1...UInt32(MatchmakingLimits.lifetimeSecondsMax)).contains(lifetimeSeconds) else {
      return .unfit(
        "lifetimeSeconds", "A ticket lives 1 to \(MatchmakingLimits.lifetimeSecondsMax) seconds.")
    }
    guard regions.count <= MatchmakingLimits.regionsMax, Set(regions).count == regions.count,
      regions.allSatisfy(PlayerGroup.isProperty)
    else {
      return .unfit(
        "regions", "A queue has at most \(MatchmakingLimits.regionsMax) regions, each once.")
    }
    return rulesFault
  }

  private var rulesFault: Failure? {
    guard rules.count <= MatchmakingLimits.rulesMax else {
      return .unfit("rules", "A queue has at most \(MatchmakingLimits.rulesMax) rules.")
    }
    for rule in rules {
      if let fault = rule.fault { return fault }
      if rule.kind == .latency && regions.isEmpty {
        return .unfit("regions", "A rule about latency needs regions.")
      }
    }
    for kind in [MatchRuleKind.number, .latency, .size]
    where rules.count(where: { $0.kind == kind }) > 1 {
      return .unfit("rules", "A queue has one rule of the kind \(kind).")
    }
    let words = rules.filter { $0.kind == .word }.map(\.property)
    guard words.count <= MatchmakingLimits.wordRulesMax, Set(words).count == words.count else {
      return .unfit(
        "rules", "A queue has at most \(MatchmakingLimits.wordRulesMax) words, each once.")
    }
    let times = Set(rules.flatMap { $0.steps.map(\.after) }).union([0])
    return times.count <= MatchmakingLimits.loosenTimesMax
      ? nil
      : .unfit(
        "rules",
        "The rules of a queue loosen at no more than \(MatchmakingLimits.loosenTimesMax) times, "
          + "the first one included.")
  }
}

extension MatchRule {
  var fault: Failure? {
    switch kind {
    case .number, .word:
      guard PlayerGroup.isProperty(property) else {
        return .unfit("property", "The rule names no property.")
      }
    case .latency, .size:
      guard property.isEmpty else {
        return .unfit("property", "A rule of this kind is about no property.")
      }
    default: return .unfit("kind", "The kind \(kind) is no rule of a queue.")
    }
    guard let first = steps.first, first.after == 0 else {
      return .unfit("steps", "The first step of a rule is at 0 seconds.")
    }
    if kind == .size && (steps.contains { $0.isAny || $0.limit < 2 }) {
      return .unfit("steps", "A match has at least 2 players.")
    }
    for (step, next) in zip(steps, steps.dropFirst()) {
      let isLooser =
        next.isAny
        || !step.isAny
          && (kind == .size
            ? next.limit <= step.limit
            : next.limit >= step.limit)
      guard step.after < next.after, isLooser else {
        return .unfit("steps", "The steps of a rule follow on each other and only loosen it.")
      }
    }
    return nil
  }
}

/// The rules for the names of player groups and of properties.
public enum PlayerGroup {
  public static func fault(of name: String) -> Failure? {
    if name.isEmpty {
      return Failure(.requiredArgument, argument: "playerGroup", "A player group must be named.")
    }
    if name.utf8.count <= MatchmakingLimits.playerGroupBytesMax
      && name.utf8.allSatisfy(LeaderboardName.isAllowed)
    {
      return nil
    }
    return .unfit(
      "playerGroup",
      "A player group has 1 to \(MatchmakingLimits.playerGroupBytesMax) letters (a to z, A to Z), "
        + "digits, dots, underscores or hyphens.")
  }

  static func isProperty(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= MatchmakingLimits.propertyBytesMax
  }
}

extension Failure {
  static func unfit(_ argument: String, _ text: String) -> Failure {
    Failure(.invalidArgument, argument: argument, text)
  }
}
