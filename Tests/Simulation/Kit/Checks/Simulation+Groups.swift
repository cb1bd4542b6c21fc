import Operations
import Wire

extension Simulation {
  /// Everybody agrees on who is in each group: the group itself, and whom it holds. Whom it does
  /// not hold knows nothing of it.
  func checkGroups(_ groups: GroupModels) throws(Violation) {
    for id in groups.all.keys.sorted() {
      guard let model = groups.all[id] else { continue }
      var get = GetContext()
      get.context = id
      for client in workload.clients {
        let told = try inspect(get, as: client.player, key: RoutingKey(reinterpreting: id))
        switch told {
        case .success(let info):
          try require(model.holds(client.player), "1.8 \(client.player) is stranded in \(id)")
          try model.compare(info)
        case .failure(let failure):
          try require(
            !model.holds(client.player) && failure.code == .notFound,
            "1.8 \(client.player) is not let into \(model): \(failure)")
        }
      }
      try require(
        !model.isOpen || model.form != .group || model.order.contains(where: model.isActive),
        "1.8 \(id) is open, and nobody is there")
    }
    happenings.take(groups)
    happenings.take(deployment.ledger, deployment.secrets)
  }
}
