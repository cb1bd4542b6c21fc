import Operations
import Wire

/// Achievements as simply as they can be: the most that each player has reported.
struct AchievementModel {
  let definitions: [AchievementDefinition]
  private(set) var percents: [PlayerID: [String: Double]] = [:]
  private(set) var challenges: [ChallengeID: (achievement: String, issued: BoardModel.Issued)] = [:]
  /// By whom an achievement was completed once, whatever was reset since.
  private var earned: [String: Set<PlayerID>] = [:]

  init(_ definitions: [AchievementDefinition]) { self.definitions = definitions }

  /// The challenges that the report completes.
  mutating func report(_ player: PlayerID, _ report: ReportAchievements) -> Set<ChallengeID> {
    var full: Set<String> = []
    for one in report.reports {
      let old = percents[player]?[one.achievement] ?? 0
      percents[player, default: [:]][one.achievement] = max(old, one.percentComplete)
      if one.percentComplete == 100 { full.insert(one.achievement) }
    }
    for name in full { earned[name, default: []].insert(player) }
    let met = challenges.filter { id, challenge in
      challenge.issued.receiver == player && challenge.issued.state.isOpen
        && full.contains(challenge.achievement)
        && (report.eligibility == .all || report.eligibleChallenges.contains(id))
    }.keys
    for id in met { challenges[id]?.issued.state = .completed }
    return Set(met)
  }

  mutating func reset(_ player: PlayerID) { percents[player] = nil }

  /// What is wrong with the answer to a challenge.
  mutating func issue(
    _ issuer: PlayerID, _ issue: IssueAchievementChallenge, _ outcome: ChallengeOutcome
  ) -> String? {
    guard let definition = definitions.first(where: { $0.achievement == issue.achievement }),
      earned[issue.achievement]?.contains(issuer) == true
    else { return "\(issuer) challenged to \(issue.achievement) without having it" }
    let percent = percents[issue.receiver]?[issue.achievement]
    let isHidden = definition.isHidden && percent == nil
    let hasIt = percent == 100 && !definition.isReplayable
    switch outcome.refusal {
    case .none:
      if isHidden || hasIt { return "\(issue.receiver) was challenged, but cannot earn it" }
    case .hidden: if !isHidden { return "\(issue.achievement) was not hidden" }
    case .alreadyEarned: if !hasIt { return "\(issue.receiver) did not have it" }
    default: break
    }
    if let id = outcome.challenge {
      let issued = BoardModel.Issued(issuer: issuer, receiver: issue.receiver, value: 0)
      challenges[id] = (issue.achievement, issued)
    }
    return nil
  }

  mutating func set(_ state: ChallengeState, _ challenge: ChallengeID) {
    challenges[challenge]?.issued.state = state
  }
}
