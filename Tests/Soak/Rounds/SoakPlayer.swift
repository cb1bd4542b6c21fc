import Locking
package import MusterKit
import Operations
package import Stack
import Transport
package import Wire

/// One player of a soak: makes calls, remembers what was promised to it, and hears its events.
package final class SoakPlayer: Sendable {
  /// What the service has acknowledged to this player; calls with an unknown outcome are counted
  /// apart.
  struct Promises {
    var sum: Int64 = 0
    var unknownSum: Int64 = 0
    var best: Int64?
    /// The best value that may have been submitted, acknowledged or not.
    var bestMaybe: Int64?
    /// Requests sent, by recipient.
    var sent: [RequestID: PlayerID] = [:]
    /// Requests to others of which nobody knows whether they were sent.
    var sentMaybe = 0
    /// Requests that this player has answered.
    var answered: [RequestID: Bool] = [:]
    var answeredMaybe: Set<RequestID> = []
    /// Challenges issued, by receiver.
    var issued: [ChallengeID: PlayerID] = [:]
    var issuedMaybe = 0
    var counts = LoadCounts()
    var violations: [String] = []
  }

  package let client: MusterClient
  package let identifier: PlayerID
  let promises = Locked(Promises())
  private let heard = Locked<[PlayerEvent]>([])

  private init(client: MusterClient, identifier: PlayerID) {
    self.client = client
    self.identifier = identifier
  }

  static func join(_ number: Int, _ configuration: MusterConfiguration, on thread: LoopThread)
    async throws -> SoakPlayer
  {
    let client = MusterClient(configuration, on: thread)
    let credential = try await client.signUp(displayName: "Player \(number)")
    try await client.signIn(credential)
    let player = SoakPlayer(client: client, identifier: credential.player)
    Task { for await event in client.events { player.heard.withLock { $0.append(event) } } }
    return player
  }

  var events: [PlayerEvent] { heard.withLock { $0 } }
  func events<E: Event>(_ type: E.Type) -> [E] { events.compactMap { $0.decode(type) } }

  // MARK: Load

  /// One random call.
  package func act(_ random: inout SeededRandom, friends: [PlayerID]) async {
    let friend = friends.randomElement(using: &random) ?? identifier
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<9: await submitSum(.random(in: 1...100, using: &random))
    case 9..<13: await submitDuel(.random(in: 1...1_000_000, using: &random))
    case 13..<14: await send(to: friend)
    case 14..<18: await answerNext(.random(using: &random))
    default: await challenge(friend)
    }
  }

  private func submitSum(_ value: Int64) async {
    var submit = SubmitScore()
    submit.board = Soak.sumBoard
    submit.value = value
    let isKnown = await attempt(submit) { promises, reply in
      promises.sum += value
      promises.counts.submissions += 1
    }
    if !isKnown { promises.withLock { $0.unknownSum += value } }
  }

  private func submitDuel(_ value: Int64) async {
    var submit = SubmitScore()
    submit.board = Soak.duelBoard
    submit.value = value
    promises.withLock { $0.bestMaybe = max($0.bestMaybe ?? .min, value) }
    _ = await attempt(submit) { promises, reply in
      promises.best = max(promises.best ?? .min, value)
      promises.counts.submissions += 1
      promises.counts.completions += reply.completedChallenges.count
    }
  }

  private func send(to friend: PlayerID) async {
    var send = SendRequest()
    send.message = "Your turn"
    send.recipients = [friend.description]
    let isKnown = await attempt(send) { promises, reply in
      promises.counts.requests += 1
      if reply.recipients.first?.outcome.rawValue ?? .max <= DeliveryOutcome.queued.rawValue {
        promises.sent[reply.request] = friend
      }
    }
    if !isKnown { promises.withLock { $0.sentMaybe += 1 } }
  }

  /// Answers the oldest request that this player heard of and has not answered.
  private func answerNext(_ accept: Bool) async {
    let received = events(RequestReceived.self).map(\.request.request)
    let next = promises.withLock { promises in
      received.first {
        promises.answered[$0] == nil && !promises.answeredMaybe.contains($0)
      }
    }
    guard let next else { return }
    var answer = AnswerRequest()
    answer.request = next
    answer.accept = accept
    let isKnown = await attempt(answer) { promises, _ in
      promises.answered[next] = accept
      promises.counts.answers += 1
    }
    if !isKnown { promises.withLock { _ = $0.answeredMaybe.insert(next) } }
  }

  private func challenge(_ friend: PlayerID) async {
    guard promises.withLock({ $0.best != nil }) else { return }
    var issue = IssueScoreChallenge()
    issue.board = Soak.duelBoard
    issue.receivers = [friend]
    let isKnown = await attempt(issue) { promises, reply in
      guard let challenge = reply.outcomes.first?.challenge else {
        promises.counts.refused += 1
        return
      }
      promises.issued[challenge] = friend
      promises.counts.challenges += 1
    }
    if !isKnown { promises.withLock { $0.issuedMaybe += 1 } }
  }

  /// Makes a call; false when nobody knows whether it was carried out.
  private func attempt<O: MusterKit.Operation & Sendable>(
    _ operation: O, _ keep: (inout Promises, O.Reply) -> Void
  ) async -> Bool {
    do {
      let reply = try await client.call(operation)
      promises.withLock { keep(&$0, reply) }
      return true
    } catch let error where error.isOutcomeUnknown {
      promises.withLock { $0.counts.unknown += 1 }
      return false
    } catch let error where error.code == .rateLimited || error.code == .backpressure {
      promises.withLock { $0.counts.refused += 1 }
      return true
    } catch {
      promises.withLock { $0.violations.append("\(O.name) of \(identifier): \(error)") }
      return true
    }
  }
}
