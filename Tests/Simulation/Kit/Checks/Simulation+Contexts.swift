import Operations
import Wire

extension Simulation {
  /// Plays everything about contexts again on the models; contexts, lists and events must agree.
  func checkContexts() throws(Violation) {
    let models = try ContextModels(deployment.ledger.done)
    let groups = try GroupModels(deployment.ledger.steps)
    try checkTold(models.told.merging(groups.told) { $0 + $1 }, toldOfContexts)
    try checkGroups(groups)
    for client in workload.clients {
      try checkList(client.player, models, groups)
      for hint in client.hints where hint.kind == ContextLeft.opcode.rawValue {
        let context = (try? ContextLeft(decoding: hint.body.array))?.context
        try require(
          context.map { models.all[$0] != nil || groups.all[$0] != nil } == true,
          "1.8 \(client.player) is told to be in \(String(describing: context)) no more")
      }
      let current = try reply(CurrentContext(), as: client.player).context
      if let current {
        try require(
          models.all[current]?.states[client.player] == .active
            || groups.all[current]?.isActive(client.player) == true,
          "\(client.player) is in \(current), which it is not active in")
      }
    }
  }

  /// The player's list has what the player is in, as the contexts themselves tell it.
  private func checkList(
    _ player: PlayerID, _ models: ContextModels, _ groups: GroupModels
  ) throws(Violation) {
    var list = ListContexts()
    list.limit = 100
    let shown = try reply(list, as: player).contexts
    let wanted = Set(models.all.filter { $0.value.holds(player) }.keys)
      .union(groups.all.filter { $0.value.holds(player) }.keys)
    guard wanted.count <= 100 else { return }
    try require(
      Set(shown.map(\.context)) == wanted && shown.count == wanted.count,
      "the contexts of \(player) are \(shown.map(\.context)) instead of \(wanted)")
    for info in shown {
      if let group = groups.all[info.context] {
        try group.compare(info, isSummary: true)
        continue
      }
      var get = GetContext()
      get.context = info.context
      var own = try reply(get, as: player, key: RoutingKey(reinterpreting: info.context))
      own.details = nil
      try require(own == info, "\(player) lists \(info), the context itself says \(own)")
      try models.compare(own)
    }
  }

  private var toldOfContexts: [String: Int] {
    var told: [String: Int] = [:]
    for client in workload.clients {
      let player = client.player
      for event in heard(ContextInvitation.self, by: client) {
        told["\(player) invited to \(event.info.context) by \(event.inviter)", default: 0] += 1
      }
      for event in heard(ContextPlayerChanged.self, by: client) {
        told["\(player) saw \(event.player) as \(event.state) in \(event.context)", default: 0] += 1
      }
      for event in heard(ContextRequestAnswered.self, by: client) {
        told["\(player) answered \(event.isAccepted) in \(event.context)", default: 0] += 1
      }
      for event in heard(JoiningEnded.self, by: client) {
        told["\(player) heard who joined \(event.context)", default: 0] += 1
      }
      for event in heard(ContextClosed.self, by: client) {
        told["\(player) heard of the end of \(event.context)", default: 0] += 1
      }
    }
    return told
  }
}
