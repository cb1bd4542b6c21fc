import Operations
import Wire

extension Simulation {
  /// Plays all reports and achievement challenges again on the model, whose challenges are then held
  /// against events and lists together with those of the boards.
  func playAchievements() throws(Violation) -> AchievementModel {
    var model = AchievementModel(Workload.achievements)
    for call in deployment.ledger.done { try replay(call, &model) }
    for client in workload.clients {
      var list = ListAchievements()
      list.limit = 100
      let shown = try reply(list, as: client.player).achievements
      let percents = Dictionary(
        shown.map { ($0.achievement, $0.percentComplete) }, uniquingKeysWith: { first, _ in first })
      let wanted = model.percents[client.player] ?? [:]
      try require(
        percents == wanted && shown.count == wanted.count,
        "the achievements of \(client.player) are \(percents) instead of \(wanted)")
    }
    return model
  }

  private func replay(_ call: Ledger.Done, _ model: inout AchievementModel) throws(Violation) {
    if let (report, reply) = decoded(ReportAchievements.self, call) {
      let met = model.report(call.player, report)
      try require(
        met == Set(reply.completedChallenges) && met.count == reply.completedChallenges.count,
        "a report completed \(reply.completedChallenges) instead of \(met)")
    } else if decoded(ResetAchievements.self, call) != nil {
      model.reset(call.player)
    } else if let (issue, reply) = decoded(IssueAchievementChallenge.self, call) {
      if let fault = model.issue(call.player, issue, reply.outcome) {
        throw Violation(description: fault)
      }
    } else if let (answer, _) = decoded(AnswerAchievementChallenge.self, call) {
      model.set(answer.accept ? .accepted : .declined, answer.challenge)
    }
  }
}
