import Domain
import LeaderboardCore
import Operations
import TestKit
import Testing
import Wire

/// Scores, challenges and removals at random, with crashes and doubled deliveries between the steps
/// in which removals are put right, against a model that does the same in a few obvious lines. On
/// every third board an owner's powers reach no further than the occurrence of the day.
struct CompensationSimulation {
  struct Item {
    var issuer: PlayerID
    var receiver: PlayerID
    var value: Int64
    var state = ChallengeState.pending
    var issuedWith: Int
    var completedBy: Int?
    var stateBefore = ChallengeState.pending
  }

  struct Removal {
    var player: PlayerID
    var attempts: Set<Int>
    var isWhole: Bool
    var isCompletedDone = false
  }

  struct Score {
    var number: Int
    var value: Int64
    var occurrence: Int64
  }

  struct Round {
    var random: RandomSource
    let world: World
    let isKept: Bool
    let recurs: Bool
    let players = (1...4).map { PlayerID.sample($0) }
    var attempts: [PlayerID: [Score]] = [:]
    var made: [PlayerID: [Score]] = [:]
    var gone: Set<Int> = []
    var items: [ChallengeID: Item] = [:]
    var order: [ChallengeID] = []
    var removals: [Removal] = []
    var told: [String: Int] = [:]
    /// How many challenges went over to another attempt.
    var movedCount = 0
    var number = 0
    var calls: UInt64 = 0

    init(seed: Int) throws {
      random = .seeded(UInt64(seed) &+ 9000)
      world = World(seed: UInt64(seed))
      isKept = seed % 2 == 0
      recurs = seed % 3 == 2
      let (isKept, recurs) = (isKept, recurs)
      try world.define {
        $0.attempts = isKept ? .forever : .none
        if recurs { $0.recurrence = Recurrence(.seconds, 1_700_000_000, 10, every: 10) }
      }
    }

    private var occurrence: Int64 {
      recurs ? (world.driver.clock - 1_700_000_000_000) / 10_000 : 0
    }

    mutating func run() throws {
      for _ in 0..<120 {
        let player = players[Int.random(in: 0..<players.count, using: &random)]
        world.driver.clock += Int64.random(in: 0...(recurs ? 2000 : 1), using: &random)
        switch Int.random(in: 0..<12, using: &random) {
        case 0..<4: try submit(player)
        case 4..<6: try issue(player)
        case 6: try accept()
        case 7..<9: try remove(player)
        case 9: try deliver()
        case 10: try world.driver.restart()
        default: if Int.random(in: 0..<3, using: &random) == 0 { try settle() }
        }
      }
      try settle()
      for _ in 0..<2 {
        for player in players { try check(player) }
        try world.driver.restart()
      }
      checkTold()
    }

    /// What the player's entry shows: of equal ones the first.
    private func entry(_ player: PlayerID, in number: Int64? = nil) -> Score? {
      let number = number ?? occurrence
      return (attempts[player] ?? []).filter { $0.occurrence == number }.reduce(nil) { best, next in
        guard let best else { return next }
        return next.value > best.value ? next : best
      }
    }

    /// The issuer's entry in the occurrence that a challenge is about, if that is kept and the
    /// entry meets the target.
    private func vouching(for item: Item) -> Score? {
      let scores = made.values.joined()
      guard let old = scores.first(where: { $0.number == item.issuedWith })?.occurrence,
        let last = scores.map(\.occurrence).max(), old >= last - 1,
        let entry = entry(item.issuer, in: old), entry.value >= item.value
      else { return nil }
      return entry
    }

    private mutating func submit(_ player: PlayerID) throws {
      number += 1
      let value = Int64.random(in: 0...9, using: &random)
      let reply = try world.submit(value, as: player)
      let score = Score(number: number, value: value, occurrence: occurrence)
      attempts[player, default: []].append(score)
      made[player, default: []].append(score)
      for id in order {
        guard var item = items[id], item.receiver == player, item.state.isOpen, value >= item.value
        else { continue }
        item.stateBefore = item.state
        item.state = .completed
        item.completedBy = number
        items[id] = item
        #expect(reply.completedChallenges.contains(id))
        tell("completed", id)
      }
    }

    private mutating func issue(_ player: PlayerID) throws {
      guard let target = entry(player) else { return }
      let receivers = players.filter { $0 != player && Bool.random(using: &random) }
      guard !receivers.isEmpty else { return }
      let value = target.value - Int64.random(in: 0...3, using: &random)
      for outcome in try world.issue(to: receivers, as: player, value: value) {
        guard let id = outcome.challenge else { continue }
        items[id] = Item(
          issuer: player, receiver: outcome.receiver, value: value,
          issuedWith: target.number)
        order.append(id)
        told["received \(id) \(outcome.receiver)", default: 0] += 1
      }
    }

    private mutating func accept() throws {
      guard let id = order.randomElement(using: &random), let item = items[id],
        item.state.isOpen
      else { return }
      try world.accept(id, as: item.receiver)
      items[id]?.state = .accepted
    }

    private mutating func remove(_ player: PlayerID) throws {
      guard let shown = entry(player) else { return }
      let fallsBack = isKept && Bool.random(using: &random)
      calls += 1
      let key = IdempotencyKey(instance: 5, counter: calls, floor: calls)
      let left = try world.removeScore(of: player, fallsBack: fallsBack, key: key)
      if Bool.random(using: &random) {
        if Bool.random(using: &random) { try world.driver.restart() }
        #expect(try world.removeScore(of: player, fallsBack: fallsBack, key: key) == left)
      }
      var removed = Set([shown.number])
      if fallsBack {
        attempts[player]?.removeAll { $0.number == shown.number }
      } else {
        let all = (made[player] ?? []).filter { $0.occurrence == occurrence }
        removed = Set(all.map(\.number))
        attempts[player]?.removeAll { removed.contains($0.number) }
      }
      gone.formUnion(removed)
      #expect(left?.value == entry(player)?.value)
      removals.append(Removal(player: player, attempts: removed, isWhole: !fallsBack))
    }

    /// One step of what is to be put right, perhaps twice.
    private mutating func deliver() throws {
      let isDoubled = Bool.random(using: &random)
      let isThere = try world.driver.deliverFirst(CompensateRemoval.self, isDoubled: isDoubled)
      #expect(isThere == !removals.isEmpty)
      if isThere { putRight() }
    }

    private mutating func settle() throws {
      while !removals.isEmpty { putRight() }
      try world.settle()
    }

    private mutating func putRight() {
      var removal = removals.removeFirst()
      for id in order {
        guard let item = items[id] else { continue }
        if !removal.isCompletedDone {
          undo(item, id, removal)
        } else if item.state.isOpen, item.issuer == removal.player,
          removal.attempts.contains(item.issuedWith)
        {
          if !removal.isWhole, let entry = vouching(for: item) {
            items[id]?.issuedWith = entry.number
            movedCount += 1
          } else {
            items[id]?.state = .withdrawn
            tell("withdrawn", id)
          }
        }
      }
      guard !removal.isCompletedDone else { return }
      removal.isCompletedDone = true
      removals.append(removal)
    }

    private mutating func undo(_ item: Item, _ id: ChallengeID, _ removal: Removal) {
      guard item.state == .completed, item.receiver == removal.player,
        let completedBy = item.completedBy, removal.attempts.contains(completedBy)
      else { return }
      items[id]?.completedBy = nil
      var isGone = gone.contains(item.issuedWith)
      if isGone, let entry = vouching(for: item), entry.number < completedBy {
        items[id]?.issuedWith = entry.number
        isGone = false
        movedCount += 1
      }
      items[id]?.state = isGone ? .withdrawn : item.stateBefore
      tell(isGone ? "withdrawn" : "reopened", id)
    }

    private mutating func tell(_ what: String, _ id: ChallengeID) {
      guard let item = items[id] else { return }
      for player in [item.issuer, item.receiver] {
        told["\(what) \(id) \(player)", default: 0] += 1
      }
    }

    private func check(_ player: PlayerID) throws {
      let received = try world.received(by: player, limit: 100)
      #expect(
        Dictionary(uniqueKeysWithValues: received.map { ($0.id, $0.state) })
          == items.filter { $0.value.receiver == player && $0.value.state.isOpen }
          .mapValues(\.state))
      let issued = try world.issued(by: player, limit: 100)
      #expect(
        Dictionary(uniqueKeysWithValues: issued.map { ($0.id, $0.state) })
          == items.filter { $0.value.issuer == player }.mapValues(\.state))
      #expect(issued.allSatisfy { ($0.completionDate != nil) == ($0.state == .completed) })
    }

    private func checkTold() {
      var found: [String: Int] = [:]
      for (player, event) in world.events {
        let text: String
        switch event {
        case .received(let challenge): text = "received \(challenge.id)"
        case .completed(let event): text = "completed \(event.challenge.id)"
        case .reopened(let challenge): text = "reopened \(challenge.id)"
        case .withdrawn(let challenge): text = "withdrawn \(challenge.id)"
        default: text = "\(event)"
        }
        found["\(text) \(player)", default: 0] += 1
      }
      #expect(found == told)
    }
  }

  @Test(
    "4.6 6.6 removals are put right, each told once, after crashes and doubles", arguments: 0..<10)
  func agrees(block: Int) throws {
    var (undone, moved) = (0, 0)
    for seed in block * 10..<(block + 1) * 10 {
      var round = try Round(seed: seed)
      do {
        try round.run()
      } catch {
        Issue.record("seed \(seed): \(error)")
      }
      moved += round.movedCount
      undone += round.told.keys.count { $0.hasPrefix("reopened") || $0.hasPrefix("withdrawn") }
    }
    #expect(undone > 50)
    #expect(moved > 0)
  }
}
