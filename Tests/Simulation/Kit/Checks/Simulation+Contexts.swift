import Operations
import Wire

extension Simulation {
  /// Plays everything about contexts again on the models; contexts, lists and events must agree.
  func checkContexts() throws(Violation) {
    var models: [ContextID: ContextModel] = [:]
    var expected: [String: Int] = [:]
    for call in deployment.ledger.done { try replay(call, &models, &expected) }
    try checkTold(expected, toldOfContexts)
    for client in workload.clients {
      try checkList(client.player, models)
      let current = try reply(CurrentContext(), as: client.player).context
      if let current {
        try require(
          models[current]?.states[client.player] == .active,
          "\(client.player) is in \(current), which it is not active in")
      }
    }
  }

  private func replay(
    _ call: Ledger.Done, _ models: inout [ContextID: ContextModel],
    _ told: inout [String: Int]
  ) throws(Violation) {
    let player = call.player
    if let (_, info) = decoded(CreateSoloContext.self, call) {
      models[info.context, default: ContextModel()].createSolo(player)
      try compare(info, models)
    } else if let (create, info) = decoded(CreatePairContext.self, call) {
      models[info.context, default: ContextModel()]
        .createPair(info.context, player, create.player, &told)
      try compare(info, models)
    } else if let (enter, info) = decoded(SwitchContext.self, call) {
      models[enter.context]?.enter(enter.context, player, &told)
      try compare(info, models)
    } else if let (leave, _) = decoded(LeaveContext.self, call) {
      models[leave.context]?.leave(leave.context, player, &told)
    }
  }

  private func compare(_ info: ContextInfo, _ models: [ContextID: ContextModel]) throws(Violation) {
    let model = models[info.context] ?? ContextModel()
    let states = Dictionary(
      info.players.map { ($0.player, $0.state) }, uniquingKeysWith: { first, _ in first })
    try require(
      states == model.states && info.generation == model.generation && info.form == model.form,
      "context \(info) should be \(model)")
    try require(
      info.players.count { $0.role == .owner } == 1, "context \(info) has not one owner")
  }

  /// The player's list has what the player is in, as the contexts themselves tell it.
  private func checkList(_ player: PlayerID, _ models: [ContextID: ContextModel]) throws(Violation)
  {
    var list = ListContexts()
    list.limit = 100
    let shown = try reply(list, as: player).contexts
    let wanted = Set(models.filter { $0.value.holds(player) }.keys)
    guard wanted.count <= 100 else { return }
    try require(
      Set(shown.map(\.context)) == wanted && shown.count == wanted.count,
      "the contexts of \(player) are \(shown.map(\.context)) instead of \(wanted)")
    for info in shown {
      var get = GetContext()
      get.context = info.context
      let own = try reply(get, as: player, key: RoutingKey(reinterpreting: info.context))
      try require(own == info, "\(player) lists \(info), the context itself says \(own)")
      try compare(own, models)
    }
  }

  private var toldOfContexts: [String: Int] {
    var told: [String: Int] = [:]
    for client in workload.clients {
      let player = client.player
      for event in client.feed.all(ContextInvitation.self) {
        told["\(player) invited to \(event.info.context) by \(event.inviter)", default: 0] += 1
      }
      for event in client.feed.all(ContextPlayerChanged.self) {
        told["\(player) saw \(event.player) as \(event.state) in \(event.context)", default: 0] += 1
      }
    }
    return told
  }
}
