import Domain
import Operations
import Wire

extension Simulation {
  /// Of those who were erased nothing is left (rule 7.3): no row of any process says the id or a
  /// word of theirs, and the stand-in is nobody with whom anything can be done.
  func checkErasures() throws(Violation) {
    let erasures = deployment.ledger.erasures
    for player in deployment.doomed.sorted() {
      try require(erasures[player] != nil, "7.3 \(player) is not erased")
    }
    let gone = workload.leaving.filter { $0.device == nil }
    if gone.isEmpty { return }
    for process in deployment.processes {
      try require(
        process.openErasureCount == 0,
        "7.3 \(process.address) has \(process.openErasureCount) open erasures")
      try checkRows(of: process, gone)
    }
    for client in workload.clients { try checkStandIns(client.player) }
    deployment.ledger.completeErasures()
    happenings.set(.playersErased, erasures.all.count)
    happenings.set(.lateEffectsOfErased, deployment.ledger.lateEffectsOfErased)
  }

  private func checkRows(of process: SimulatedProcess, _ gone: [SimulatedClient]) throws(Violation)
  {
    var fault: String?
    process.eachRow { table, row in
      for client in gone where client.isNamed(in: row) {
        fault = fault ?? "7.3 a row of \(table) at \(process.address) names \(client.player)"
      }
    }
    if let fault { throw Violation(description: fault) }
  }

  /// Nobody has to do with the stand-in of somebody who is erased.
  private func checkStandIns(_ player: PlayerID) throws(Violation) {
    let erasures = deployment.ledger.erasures
    let friends = try reply(ListFriends(), as: player).friends.map(\.player)
    let consents = try reply(ListConsents(), as: player).consents.map(\.player)
    let senders = try inbox(of: player).map(\.sender)
    for other in friends + consents + senders {
      try require(
        !erasures.isErased(other), "7.3 \(player) has to do with \(other), who is erased")
    }
  }
}

extension SimulatedClient {
  /// Whether the bytes say its player's id or name, which is in all that the player writes.
  func isNamed(in bytes: [UInt8]) -> Bool {
    PlayerTrace(player).isIn(bytes) || bytes.contains(sequence: Array(displayName.utf8))
  }
}
