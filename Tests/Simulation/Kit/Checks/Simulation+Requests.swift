import Operations
import Wire

extension Simulation {
  /// One recipient's copy of a request.
  private struct Copy: Hashable {
    var request: RequestID
    var recipient: PlayerID
  }

  /// What became of a copy, and how often.
  private struct Fate {
    var received = 0
    var listed = 0
    var deleted = 0
    var accepted = 0
    var declined = 0
    var expired = 0
    var dropped = 0

    var ended: Int { deleted + accepted + declined + expired }
    /// Whether the copy was dropped on the way, or is on the list, or has ended once.
    var isOne: Bool {
      dropped == 1
        ? received + listed + ended == 0
        : dropped == 0 && received == 1 && listed + ended == 1
    }
  }

  /// Checks that each queued copy is in one place, and that its sender got one event about its end.
  func checkRequests(isAged: Bool) throws(Violation) {
    var fates: [Copy: Fate] = [:]
    for client in workload.clients {
      gatherEvents(client, &fates)
      var inbox = Inbox()
      inbox.limit = 100
      repeat {
        let page = try reply(inbox, as: client.player)
        for request in page.requests {
          fates[Copy(request: request.request, recipient: client.player), default: Fate()]
            .listed += 1
          try require(!isAged, "request \(request.request) is still listed after its lifetime")
        }
        inbox.cursor = page.cursor
      } while !inbox.cursor.isEmpty
    }
    var queued: [Copy: PlayerID] = [:]
    var answers: [Copy: Bool] = [:]
    for call in deployment.ledger.done {
      if let (_, reply) = decoded(SendRequest.self, call) {
        for outcome in reply.recipients where outcome.outcome == .queued {
          guard let recipient = PlayerID(outcome.recipient) else { continue }
          queued[Copy(request: reply.request, recipient: recipient)] = call.player
        }
      } else if let (delete, _) = decoded(DeleteRequest.self, call) {
        fates[Copy(request: delete.request, recipient: call.player), default: Fate()].deleted += 1
      } else if let (answer, _) = decoded(AnswerRequest.self, call) {
        answers[Copy(request: answer.request, recipient: call.player)] = answer.accept
      }
    }
    for (copy, sender) in queued {
      var fate = fates[copy] ?? Fate()
      if !fate.isOne, try isBlocked(sender, by: copy.recipient) { fate.listed += 1 }
      try require(fate.isOne, "request \(copy.request) to \(copy.recipient) came to \(fate)")
    }
    for (copy, fate) in fates {
      try require(queued[copy] != nil, "request \(copy.request) came from nowhere: \(fate)")
      let answer = fate.accepted + fate.declined == 0 ? nil : fate.accepted == 1
      try require(answers[copy] == answer, "the answer to \(copy.request) was told as \(fate)")
    }
  }

  /// A request is on the list and hidden while its recipient blocks the sender (rule 2.9).
  private func isBlocked(_ sender: PlayerID, by recipient: PlayerID) throws(Violation) -> Bool {
    try reply(ListFriends(), as: recipient).friends
      .contains { $0.player == sender && $0.state == .blocked }
  }

  private func gatherEvents(_ client: SimulatedClient, _ fates: inout [Copy: Fate]) {
    for event in heard(RequestReceived.self, by: client) {
      fates[Copy(request: event.request.request, recipient: client.player), default: Fate()]
        .received += 1
    }
    for event in heard(RequestAnswered.self, by: client) {
      let copy = Copy(request: event.request, recipient: event.recipient)
      if event.accepted {
        fates[copy, default: Fate()].accepted += 1
      } else {
        fates[copy, default: Fate()].declined += 1
      }
    }
    for event in heard(RequestExpired.self, by: client) {
      fates[Copy(request: event.request, recipient: event.recipient), default: Fate()].expired += 1
    }
    for event in heard(RequestDropped.self, by: client) {
      fates[Copy(request: event.request, recipient: event.recipient), default: Fate()].dropped += 1
    }
  }
}
