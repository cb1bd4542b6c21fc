import Domain
import LeaderboardCore
import Operations
import Testing
import TestKit
import Wire

/// Players, boards, challenges, answers, scores, retries and restarts at random, against a list of
/// challenges that a few obvious lines keep.
struct ChallengeSimulation {
  struct Model {
    var order: [String: ScoreOrder] = [:]
    var best: [String: [PlayerID: Int64]] = [:]
    var challenges: [ChallengeID: Challenge] = [:]

    func open(for player: PlayerID, on board: String) -> [Challenge] {
      challenges.values.filter {
        $0.receiver == player && $0.board == board
          && ($0.state == .pending || $0.state == .accepted)
      }
    }

    func isMet(_ target: Int64, by value: Int64, on board: String) -> Bool {
      order[board] == .lowFirst ? value <= target : value >= target
    }
  }

  @Test("6.6 lists and events agree with the model after chaos", arguments: 0..<12)
  func chaos(seed: Int) throws {
    var random = RandomSource.seeded(UInt64(seed) &+ 1000)
    let world = World(seed: UInt64(seed))
    var model = Model()
    let players = (1...5).map { PlayerID.sample($0) }
    let boards = ["one", "two", "three"]
    for (number, board) in boards.enumerated() {
      model.order[board] = number == 1 ? .lowFirst : .highFirst
      try world.define(board) { $0.sortOrder = number == 1 ? .lowFirst : .highFirst }
    }
    var calls: UInt64 = 0
    for _ in 0..<250 {
      let player = players[Int.random(in: 0..<players.count, using: &random)]
      let board = boards[Int.random(in: 0..<boards.count, using: &random)]
      calls += 1
      let key = IdempotencyKey(instance: 77, counter: calls, floor: calls)
      world.driver.clock += Int64.random(in: 0...2, using: &random)
      switch Int.random(in: 0..<12, using: &random) {
      case 0..<4:
        let value = Int64.random(in: -9...9, using: &random)
        try submit(value, player, board, key, world, &model, &random)
      case 4..<6:
        try issue(players.shuffled(using: &random), player, board, key, world, &model, &random)
      case 6..<9: try answer(player, board, world, &model, &random)
      case 9: try world.driver.restart()
      default: if Bool.random(using: &random) { try world.settle() }
      }
    }
    try world.settle()
    for _ in 0..<2 {
      for player in players { try check(world, model, player) }
      try world.driver.restart()
    }
    checkEvents(world, model)
  }

  private func submit(
    _ value: Int64, _ player: PlayerID, _ board: String, _ key: IdempotencyKey, _ world: World,
    _ model: inout Model, _ random: inout RandomSource
  ) throws {
    let open = model.open(for: player, on: board)
    let chosen = open.filter { _ in Bool.random(using: &random) }.map(\.id)
    let eligible = Int.random(in: 0..<3, using: &random) == 0 ? chosen : nil
    let reply = try world.submit(value, as: player, to: board, eligible: eligible, key: key)
    if Int.random(in: 0..<4, using: &random) == 0 {
      if Bool.random(using: &random) { try world.driver.restart() }
      let again = try world.submit(value, as: player, to: board, eligible: eligible, key: key)
      #expect(again == reply)
    }
    var met: Set<ChallengeID> = []
    for challenge in open where model.isMet(challenge.value, by: value, on: board) {
      if let eligible, !eligible.contains(challenge.id) { continue }
      model.challenges[challenge.id]?.state = .completed
      model.challenges[challenge.id]?.completionDate = world.driver.clock
      met.insert(challenge.id)
    }
    #expect(Set(reply.completedChallenges) == met)
    #expect(reply.completedChallenges.count == met.count)
    let old = model.best[board]?[player]
    if old.map({ !model.isMet(value, by: $0, on: board) }) ?? true {
      model.best[board, default: [:]][player] = value
    }
  }

  private func issue(
    _ shuffled: [PlayerID], _ player: PlayerID, _ board: String, _ key: IdempotencyKey,
    _ world: World, _ model: inout Model, _ random: inout RandomSource
  ) throws {
    let receivers = Array(shuffled.prefix(3))
    let friends = Array(shuffled.dropFirst())
    guard let target = model.best[board]?[player] else {
      expectRefusal(.notFound, "value") {
        _ = try world.issue(to: receivers, as: player, friends: friends, on: board)
      }
      return
    }
    let outcomes = try world.issue(
      to: receivers, as: player, friends: friends, on: board, key: key)
    if Bool.random(using: &random) {
      let again = try world.issue(
        to: receivers, as: player, friends: friends, on: board, key: key)
      #expect(again == outcomes)
    }
    for outcome in outcomes {
      let open = model.open(for: outcome.receiver, on: board)
      if outcome.receiver == player {
        #expect(outcome.refusal == .oneself)
      } else if !friends.contains(outcome.receiver) {
        #expect(outcome.refusal == .notReachable)
      } else if open.count(where: { $0.issuer == player }) >= 10 {
        #expect(outcome.refusal == .limitReached)
      } else {
        var challenge = Challenge()
        challenge.id = try #require(outcome.challenge)
        challenge.board = board
        challenge.issuer = player
        challenge.receiver = outcome.receiver
        challenge.value = target
        challenge.message = "beat me"
        challenge.issueDate = world.driver.clock
        #expect(model.challenges[challenge.id] == nil)
        model.challenges[challenge.id] = challenge
      }
    }
  }

  private func answer(
    _ player: PlayerID, _ board: String, _ world: World, _ model: inout Model,
    _ random: inout RandomSource
  ) throws {
    let known = model.challenges.keys.sorted()
    guard !known.isEmpty else { return }
    let id = known[Int.random(in: 0..<known.count, using: &random)]
    let isOpenHere = model.open(for: player, on: board).contains { $0.id == id }
    let accepts = Bool.random(using: &random)
    let call = {
      accepts
        ? try world.accept(id, as: player, on: board) : try world.decline(id, as: player, on: board)
    }
    if isOpenHere {
      try call()
      model.challenges[id]?.state = accepts ? .accepted : .declined
    } else {
      expectRefusal(.notFound, "challenge") { try call() }
    }
  }

  private func check(_ world: World, _ model: Model, _ player: PlayerID) throws {
    let sorted = model.challenges.values.sorted {
      ($0.issueDate, $0.id) > ($1.issueDate, $1.id)
    }
    let outstanding = sorted.filter { $0.receiver == player && $0.state.isOpen }
    #expect(try world.received(by: player, limit: 7).map(\.unnumbered) == outstanding)
    let issued = sorted.filter { $0.issuer == player }
    #expect(try world.issued(by: player, limit: 11).map(\.unnumbered) == issued)
  }

  private func checkEvents(_ world: World, _ model: Model) {
    var told: [ChallengeID: [(PlayerID, World.StreamedEvent)]] = [:]
    for (player, event) in world.events {
      switch event {
      case .received(let challenge), .declined(let challenge), .expired(let challenge),
        .reopened(let challenge), .withdrawn(let challenge):
        told[challenge.id, default: []].append((player, event))
      case .completed(let completed):
        told[completed.challenge.id, default: []].append((player, event))
      case .unknown(let kind): Issue.record("an event of kind \(kind)")
      }
    }
    #expect(Set(told.keys) == Set(model.challenges.keys))
    for challenge in model.challenges.values {
      let events = told[challenge.id] ?? []
      let received = events.filter { if case .received = $0.1 { true } else { false } }
      #expect(received.map(\.0) == [challenge.receiver])
      let completed = events.compactMap { player, event in
        if case .completed(let event) = event { (player, event) } else { nil }
      }
      let isCompleted = challenge.state == .completed
      #expect(
        Set(completed.map(\.0)) == (isCompleted ? [challenge.receiver, challenge.issuer] : []))
      #expect(completed.count == (isCompleted ? 2 : 0))
      for (player, event) in completed {
        #expect(
          event.challenge.unnumbered == challenge && event.isLocal == (player == challenge.receiver)
        )
      }
      let declined = events.filter {
        if case .declined(let told) = $0.1 { told.unnumbered == challenge } else { false }
      }
      #expect(declined.map(\.0) == (challenge.state == .declined ? [challenge.issuer] : []))
    }
  }
}

extension Challenge {
  /// Without the board's number of the issuer's attempt, which the model does not know.
  fileprivate var unnumbered: Challenge {
    var challenge = self
    challenge.attempt = 0
    return challenge
  }
}
