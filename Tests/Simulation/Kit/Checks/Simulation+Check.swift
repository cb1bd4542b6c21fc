import Operations
import Wire

extension Simulation {
  /// Compares everything with the models. Nothing must be under way.
  func check() throws(Violation) {
    try checkParked()
    for client in workload.clients { try checkStream(client) }
    try checkBoards()
    try checkFriends()
    if options.isSociety { try checkSociety() } else { try checkRequests() }
    try checkContexts()
    try checkTurns()
    try checkTickets()
    try checkMatches()
  }

  func checkParked() throws(Violation) {
    for process in deployment.processes where process.parkedEffectCount > 0 {
      throw Violation(
        description: "\(process.address) has parked \(process.parkedEffectCount) effects")
    }
  }

  func require(_ isSo: Bool, _ text: @autoclosure () -> String) throws(Violation) {
    if !isSo { throw Violation(description: text()) }
  }

  /// Makes a call that must succeed and returns its reply.
  func reply<O: Operation>(
    _ operation: O, as player: PlayerID, key: RoutingKey? = nil, friends: [PlayerID] = []
  ) throws(Violation) -> O.Reply {
    switch try inspect(operation, as: player, key: key, friends: friends) {
    case .success(let reply): return reply
    case .failure(let failure):
      throw Violation(description: "\(O.name) of \(player) is refused: \(failure)")
    }
  }

  /// Calls of one kind that took effect, in order.
  func decoded<O: Operation>(_ type: O.Type, _ call: Ledger.Done) -> (O, O.Reply)? {
    call.decoded(type)
  }

  /// Compares how often each player was told what.
  ///
  /// - Parameter maybe: how often more it may have been.
  func checkTold(
    _ expected: [String: Int], _ actual: [String: Int], maybe: [String: Int] = [:]
  ) throws(Violation) {
    for (what, count) in expected.merging(actual, uniquingKeysWith: { first, _ in first }) {
      _ = count
      let (wanted, told) = (expected[what] ?? 0, actual[what] ?? 0)
      let most = wanted + (maybe[what] ?? 0)
      try require(
        wanted <= told && told <= most, "\(what): told \(told) times instead of \(wanted)")
    }
  }
}
