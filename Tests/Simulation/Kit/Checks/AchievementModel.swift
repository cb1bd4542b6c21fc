import Operations
import Wire

/// The simplest model of achievements: the progress of each player in each.
struct AchievementModel {
  let definitions: [AchievementDefinition]
  private(set) var progress: [PlayerID: [String: AchievementProgress]] = [:]
  var challenges = ChallengeBook()
  /// The players who completed an achievement at least once, resets or not.
  private var earned: [String: Set<PlayerID>] = [:]

  init(_ definitions: [AchievementDefinition]) { self.definitions = definitions }

  /// Applies a report that took effect. Returns the reply that the service must have given.
  mutating func report(_ player: PlayerID, _ report: ReportAchievements, at now: Int64)
    -> ReportAchievements.Reply
  {
    var full: Set<String> = []
    for one in report.reports {
      var reached = progress[player]?[one.achievement] ?? AchievementProgress()
      reached.achievement = one.achievement
      reached.percentComplete = max(reached.percentComplete, one.percentComplete)
      reached.lastReportedDate = now
      reached.showsCompletionBanner = one.showsCompletionBanner
      if reached.percentComplete == 100 && reached.completionDate == nil {
        reached.completionDate = now
      }
      progress[player, default: [:]][one.achievement] = reached
      if one.percentComplete == 100 { full.insert(one.achievement) }
    }
    for name in full { earned[name, default: []].insert(player) }
    let met = challenges.eligible(
      for: player, at: now, report.eligibility, report.eligibleChallenges
    ).filter { full.contains($0.achievement) }
    for challenge in met {
      challenges.complete(challenge.id, ChallengeBook.Completion(), at: now)
    }
    var reply = ReportAchievements.Reply()
    reply.achievements = report.reports.compactMap { progress[player]?[$0.achievement] }
    reply.completedChallenges = met.map(\.id).sorted()
    return reply
  }

  mutating func reset(_ player: PlayerID) { progress[player] = nil }

  mutating func issue(
    _ issuer: PlayerID, _ issue: IssueAchievementChallenge, _ outcome: ChallengeOutcome,
    at now: Int64
  ) throws(Violation) {
    if let fault = fault(issuer, issue, outcome) { throw Violation(description: fault) }
    guard let id = outcome.challenge else { return }
    var challenge = Challenge()
    challenge.id = id
    challenge.achievement = issue.achievement
    challenge.issuer = issuer
    challenge.receiver = issue.receiver
    challenge.message = issue.message
    challenge.issueDate = now
    challenge.expiryDate = issue.lifetimeMilliseconds.map { now + Int64($0) }
    try challenges.add(challenge)
  }

  /// What is wrong with the answer to a challenge.
  private func fault(
    _ issuer: PlayerID, _ issue: IssueAchievementChallenge, _ outcome: ChallengeOutcome
  ) -> String? {
    guard let definition = definitions.first(where: { $0.achievement == issue.achievement }),
      earned[issue.achievement]?.contains(issuer) == true
    else { return "\(issuer) challenged to \(issue.achievement) without having it" }
    let percent = progress[issue.receiver]?[issue.achievement]?.percentComplete
    let isHidden = definition.isHidden && percent == nil
    let hasIt = percent == 100 && !definition.isReplayable
    let isFull = challenges.isFull(issue.receiver, from: issuer)
    let isOneself = issue.receiver == issuer
    // Whether the two are friends is known elsewhere.
    let isRight =
      switch outcome.refusal {
      case .none: !isOneself && !isHidden && !hasIt && !isFull && outcome.challenge != nil
      case .oneself: isOneself
      case .hidden: isHidden
      case .alreadyEarned: hasIt
      case .limitReached: isFull
      default: outcome.refusal == .notReachable && !isOneself
      }
    return isRight ? nil : "\(issuer) challenged \(issue.receiver) with the outcome \(outcome)"
  }
}
