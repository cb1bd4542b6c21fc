import MusterKit
import Operations
import Wire

extension Simulation {
  /// An identity is in the list of one player at most: of who has linked it last, where that is
  /// clear.
  func checkIdentities() throws(Violation) {
    let owners = try identityOwners()
    for subject in Workload.subjects {
      let acts = workload.society.acts.filter { $0.subject == subject }
        .sorted { $0.span.upperBound < $1.span.upperBound }
      guard let last = acts.last, [.linked, .unlinked].contains(last.kind),
        acts.dropLast().allSatisfy({ act in
          let late = act.kind == .unknown ? Self.lateActMilliseconds : 0
          return act.span.upperBound + late < last.span.lowerBound
        })
      else { continue }
      try require(
        owners[subject] == (last.kind == .linked && !isErased(last.player) ? last.player : nil),
        "2.8 \(subject) was \(last.kind) by \(last.player), and is of "
          + "\(String(describing: owners[subject]))")
    }
  }

  private func isErased(_ player: PlayerID) -> Bool { deployment.ledger.erasures[player] != nil }

  /// Longer than a call whose client has given up may still take effect.
  private static let lateActMilliseconds: Int64 = 30_000

  private func identityOwners() throws(Violation) -> [String: PlayerID] {
    var owners: [String: PlayerID] = [:]
    for client in workload.clients {
      for identity in try reply(ListIdentities(), as: client.player).identities {
        try require(
          owners.updateValue(client.player, forKey: identity.subject) == nil,
          "2.8 \(identity.subject) is an identity of two players")
      }
    }
    return owners
  }

  /// Who comes with an identity is the player who lists it, or a new one: the identity's own key
  /// says the same as the lists. This changes whose it is, and comes last.
  func checkSignUps() throws(Violation) {
    let owners = try identityOwners()
    for (place, subject) in Workload.subjects.enumerated() {
      let client = SimulatedClient(900 + 3 * UInt64(place), deployment: deployment)
      var told: Result<SignUpWithIdentity.Reply, Failure>?
      client.signUpAlone(with: subject) { told = $0 }
      try run(until: "\(subject) has signed up") { told != nil }
      guard case .success(let reply)? = told else {
        throw Violation(
          description: "2.8 who comes as \(subject) is refused: \(String(describing: told))")
      }
      try require(
        reply.isNew ? owners[subject] == nil : reply.player == owners[subject],
        "2.8 who comes as \(subject) is \(reply.player), not \(String(describing: owners[subject]))"
      )
      client.disconnectForGood()
    }
  }
}
