import Locking
import MusterKit
import Operations
package import Stack
import Synchronization
package import Transport
package import Wire

/// The players of a soak, each a friend of the next three, and the operator who watches.
package final class SoakWorld: Sendable {
  package let players: [SoakPlayer]
  private let watcher: MusterClient

  /// - Parameter port: where the clients connect to; the gateway's, unless given.
  package init(_ stack: Stack, players count: Int, port: UInt16? = nil, on thread: LoopThread)
    async throws
  {
    var configuration = MusterConfiguration(
      host: "127.0.0.1", port: port ?? stack.gatewayPort, game: Stack.game,
      trust: .authority(stack.authority), callDeadline: .seconds(60))
    // Whoever has used up a budget does something else.
    configuration.retry.waitsForBudget = false
    watcher = MusterClient(configuration, on: thread)
    try await watcher.signInOperator(secret: Stack.operatorSecret, game: Stack.game)
    for (board, aggregation) in [
      (Soak.sumBoard, ScoreAggregation.sum), (Soak.duelBoard, ScoreAggregation.best),
    ] {
      var define = DefineLeaderboard()
      define.definition.board = board
      define.definition.aggregation = aggregation
      _ = try await watcher.call(define)
    }
    var players: [SoakPlayer] = []
    for number in 0..<count {
      players.append(try await SoakPlayer.join(number, configuration, on: thread))
    }
    self.players = players
    for (index, player) in players.enumerated() {
      for other in 1...3 {
        let friend = players[(index + other) % count]
        // Who asks somebody that has asked already is a friend at once.
        for (asker, asked) in [(player, friend), (friend, player)] {
          var invite = InviteFriend()
          invite.player = asked.identifier
          _ = try await asker.client.call(invite)
        }
      }
    }
    try await settle()
  }

  package func friends(of index: Int) -> [PlayerID] {
    (1...3).map { players[(index + $0) % players.count].identifier }
  }

  package var counts: LoadCounts {
    players.reduce(LoadCounts()) { sum, player in sum + player.promises.withLock { $0.counts } }
  }

  package func close() async {
    for player in players { await player.client.close() }
    await watcher.close()
  }

  // MARK: Settling

  /// Waits until no effect is open anywhere, and every player has heard its stream to the end.
  package func settle() async throws {
    let deadline = ContinuousClock.now + .seconds(60)
    while try await !isSettled() {
      guard ContinuousClock.now < deadline else {
        throw SoakFailure(description: "effects or events are still on their way after a minute")
      }
      try await Moments.pause(.milliseconds(20))
    }
  }

  private func isSettled() async throws -> Bool {
    let processes = try await watcher.call(DeploymentStatus()).processes
    for process in processes {
      guard !process.version.isEmpty else { return false }
      for metric in process.metrics where metric.name == "effects.open" && metric.value > 0 {
        return false
      }
    }
    for player in players {
      let heard = player.events.last?.sequence ?? 0
      var read = ReadEvents()
      read.after = heard
      read.limit = 1
      if try await !player.client.call(read).events.isEmpty { return false }
    }
    return true
  }

  // MARK: What must be so

  /// Everything that is not as it was promised.
  package func violations() async -> [String] {
    var found = players.flatMap { player in player.promises.withLock { $0.violations } }
    do {
      found += try await scoreViolations()
      found += try await challengeViolations()
      found += try await parkedEffects()
    } catch {
      found.append("the checks themselves failed: \(error)")
    }
    return found + streamViolations() + requestViolations()
  }

  /// How many violations are found when one player claims a point that nobody has submitted: a
  /// check that finds none then finds nothing.
  package func canary() async -> Int {
    players[0].promises.withLock { $0.sum += 1 }
    defer { players[0].promises.withLock { $0.sum -= 1 } }
    return await violations().count
  }

  private func page(_ board: String) async throws -> [LeaderboardEntry] {
    var top = TopScores()
    top.board = board
    top.count = UInt32(LeaderboardLimits.entryCountMax)
    return try await watcher.call(top).entries
  }

  private func scoreViolations() async throws -> [String] {
    var found: [String] = []
    let sums = try await page(Soak.sumBoard)
    let duels = try await page(Soak.duelBoard)
    for player in players {
      let promises = player.promises.withLock { $0 }
      let sum = sums.first { $0.player == player.identifier }?.value ?? 0
      if !(promises.sum...promises.sum + promises.unknownSum).contains(sum) {
        found.append(
          "\(player.identifier) has the sum \(sum), was promised \(promises.sum), "
            + "unknown \(promises.unknownSum)")
      }
      let best = duels.first { $0.player == player.identifier }?.value
      if best != promises.best, best != promises.bestMaybe {
        found.append(
          "\(player.identifier) has the best \(best ?? 0), was promised \(promises.best ?? 0)")
      }
    }
    for entries in [sums, duels] {
      found += try await rankViolations(entries, entries == sums ? Soak.sumBoard : Soak.duelBoard)
    }
    return found
  }

  /// The model: a sorted list, ties by date.
  private func rankViolations(_ entries: [LeaderboardEntry], _ board: String) async throws
    -> [String]
  {
    var found: [String] = []
    let sorted = entries.sorted { ($1.value, $0.date) < ($0.value, $1.date) }
    for (index, entry) in entries.enumerated() {
      if entry.rank != index + 1 || entry.value != sorted[index].value
        || entry.date != sorted[index].date
      {
        found.append("\(board): rank \(entry.rank) of \(entry.player) is not the model's")
      }
      var rank = RankOfPlayer()
      rank.board = board
      rank.player = entry.player
      if try await watcher.call(rank).entry != entry {
        found.append("\(board): \(entry.player) has one rank in the list and another alone")
      }
    }
    return found
  }

  private func streamViolations() -> [String] {
    players.compactMap { player in
      let sequences = player.events.map(\.sequence)
      let expected = (0..<UInt64(sequences.count)).map { $0 + 1 }
      if sequences == expected { return nil }
      let first = zip(sequences, expected).first { $0 != $1 }
      return "the stream of \(player.identifier) goes wrong at \(first?.1 ?? 0): it has "
        + "\(sequences.count) events up to \(sequences.last ?? 0)"
    }
  }

  private func requestViolations() -> [String] {
    var found: [String] = []
    var received: [PlayerID: [RequestID]] = [:]
    for player in players {
      received[player.identifier] = player.events(RequestReceived.self).map(\.request.request)
    }
    var (promised, maybe) = (0, 0)
    for player in players {
      let promises = player.promises.withLock { $0 }
      let answers = player.events(RequestAnswered.self)
      let dropped = Set(player.events(RequestDropped.self).map(\.request))
      maybe += promises.sentMaybe
      for (request, recipient) in promises.sent {
        let count = received[recipient]?.count { $0 == request } ?? 0
        promised += count
        if count != (dropped.contains(request) ? 0 : 1) {
          found.append("request \(request) came \(count) times to \(recipient)")
        }
        let other = players.first { $0.identifier == recipient }?.promises.withLock { $0 }
        let told = answers.filter { $0.request == request }
        if let accepted = other?.answered[request] {
          if told.map(\.accepted) != [accepted] {
            found.append("the answer to \(request) was told \(told.count) times")
          }
        } else if !told.isEmpty, other?.answeredMaybe.contains(request) != true {
          found.append("\(request) was answered by nobody, and its sender was told so")
        }
      }
    }
    let all = received.values.reduce(0) { $0 + $1.count }
    if !(promised...promised + maybe).contains(all) {
      found.append("\(all) requests came, \(promised) were sent, \(maybe) are unknown")
    }
    return found
  }

  private func challengeViolations() async throws -> [String] {
    var found: [String] = []
    for player in players {
      let promises = player.promises.withLock { $0 }
      let issued = try await issued(by: player)
      let remote = player.events(ChallengeCompleted.self).filter { !$0.isLocal }.map(\.challenge.id)
      for (challenge, receiver) in promises.issued {
        guard let other = players.first(where: { $0.identifier == receiver }) else { continue }
        let received = other.events(ChallengeReceived.self).count { $0.challenge.id == challenge }
        let local = other.events(ChallengeCompleted.self).count {
          $0.isLocal && $0.challenge.id == challenge
        }
        let told = remote.count { $0 == challenge }
        if received != 1 { found.append("challenge \(challenge) came \(received) times") }
        if local != told || local > 1 {
          found.append("\(challenge): completed \(local) times here, \(told) times there")
        }
        // Old ended ones leave the list.
        guard let listed = issued.first(where: { $0.id == challenge }) else { continue }
        if (listed.state == .completed) != (local == 1) {
          found.append("\(challenge) is \(listed.state) for its issuer, completed \(local) times")
        }
      }
    }
    return found
  }

  private func issued(by player: SoakPlayer) async throws -> [Challenge] {
    var (challenges, cursor): ([Challenge], String) = ([], "")
    repeat {
      var read = IssuedChallenges()
      read.cursor = cursor
      read.limit = UInt32(LeaderboardLimits.challengePageMax)
      let page = try await player.client.call(read)
      challenges += page.challenges
      cursor = page.cursor
    } while !cursor.isEmpty
    return challenges
  }

  private func parkedEffects() async throws -> [String] {
    try await watcher.call(DeploymentStatus()).processes.compactMap { process in
      let parked = process.metrics.first { $0.name == "effects.parked" }?.value ?? 0
      return parked == 0 ? nil : "\(process.name) has parked \(parked) effects"
    }
  }
}

package struct SoakFailure: Error, CustomStringConvertible {
  package let description: String
  package init(description: String) { self.description = description }
}
