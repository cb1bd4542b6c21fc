import Domain
import Operations
import Outgoing
import TestKit
import Testing
import Wire

@testable import RequestCore

/// The delivery to the push hook over the rows of the core, in virtual time: the value that ships,
/// with a loop around it that does at once what it wants.
@Suite struct PushDeliveryTests {
  private final class Shell {
    let world: World
    var delivery: PushDelivery
    var random = RandomSource.seeded(7)
    var isAlive = false
    var wakeTime: Int64?
    /// How often the endpoint took each event.
    var taken: [EventID: Int] = [:]
    var removed: [PushDelivery.Removal: Int] = [:]
    var withdrawnCount = 0
    var heldMax = 0
    private var rows: [EventID: PushQueueRow] = [:]
    private var actions: [PushDelivery.Action] = []

    init(_ world: World) throws {
      self.world = world
      delivery = PushDelivery(PushSettings())
      world.driver.core.eventQueued = { [unowned self] due in
        actions += delivery.arrived(due: due, now)
      }
      actions = delivery.start(now)
      try work()
    }

    private var now: Int64 { world.driver.clock }
    var waiting: [[UInt8]: [UInt8]] { world.driver.rows[PushQueueRow.tableID, default: [:]] }

    /// Lets time pass, and does what is wanted at its time.
    func pass(_ milliseconds: Int64) throws {
      let end = now + milliseconds
      try work()
      while let time = wakeTime, time <= end {
        world.driver.pass(max(0, time - now))
        wakeTime = nil
        actions += delivery.tick(now, using: &random)
        try work()
      }
      world.driver.pass(end - now)
    }

    private func work() throws {
      while !actions.isEmpty {
        try perform(actions.removeFirst())
        heldMax = max(heldMax, delivery.heldCount)
      }
    }

    private func perform(_ action: PushDelivery.Action) throws {
      switch action {
      case .fetch(let through, let count): try fetch(through, count)
      case .send(let row, let attempt): try send(row, attempt)
      case .remove(let event, let removal):
        removed[removal, default: 0] += 1
        try end(event, due: 0, attempts: 0)
      case .postpone(let event, let attempts, let due):
        try end(event, due: due, attempts: attempts)
      case .wake(let time): wakeTime = time
      }
    }

    private func fetch(_ through: Int64, _ count: Int) throws {
      let all = try waiting.sorted { $0.key.lexicographicallyPrecedes($1.key) }
        .map { try PushQueueRow(decoding: $0.value) }
      let page = all.prefix { $0.key.due <= through }.prefix(count)
      for row in page where rows[row.key.event] == nil { rows[row.key.event] = row }
      let next = all.dropFirst(page.count).first?.key.due
      let pushed = page.map { row in
        PushRow(
          event: row.key.event, player: row.player, attempts: Int(row.attempts), due: row.key.due,
          since: row.since)
      }
      actions += delivery.page(pushed, next: next, now)
    }

    private func send(_ row: PushRow, _ attempt: Int) throws {
      let queued = try #require(rows[row.event])
      var begin = BeginPush()
      (begin.player, begin.sequence) = (queued.player, queued.sequence)
      (begin.event, begin.due) = (queued.key.event, queued.key.due)
      if try world.call(begin, as: PlayerID(), game: "", kind: .service).isWithdrawn {
        rows[row.event] = nil
        withdrawnCount += 1
        actions += delivery.withdrawn(row.event, now)
      } else {
        if isAlive { taken[row.event, default: 0] += 1 }
        actions += delivery.answered(
          row.event, attempt: attempt, isAlive ? .accepted : .failed(), now, using: &random)
      }
    }

    private func end(_ event: EventID, due: Int64, attempts: Int) throws {
      let queued = try #require(rows[event])
      rows[event] = nil
      var end = EndPush()
      (end.player, end.sequence) = (queued.player, queued.sequence)
      (end.event, end.due) = (event, queued.key.due)
      (end.nextDue, end.attempts) = (due, UInt32(attempts))
      try world.call(end, as: PlayerID(), game: "", kind: .service)
      actions += delivery.stored(event, now)
    }
  }

  private let world = World(settings: [.streamEventsKept: 0, .pushHookDelay: 30])

  private func acknowledge(_ player: PlayerID, _ through: UInt64) throws {
    var acknowledge = Acknowledge()
    acknowledge.through = through
    try world.call(acknowledge, as: player, game: "game")
  }

  @Test("2.8 while the endpoint is dead for a day, what waits is rows of events that are unread")
  func dead() throws {
    let anna = try world.player(1, session: 1)
    let ben = try world.player(2, session: 2)
    world.driver.close(session: 2)
    let shell = try Shell(world)
    for round in 1...240 {
      try world.append(1, to: ben)
      try world.append(2, to: anna)
      try acknowledge(anna, UInt64(2 * round))
      try shell.pass(World.day / 240)
    }
    #expect(shell.taken.isEmpty && shell.delivery.isEndpointFailing)
    // Anna's were acknowledged: what is left of these goes with the events.
    let unread = try Set(world.stream(of: ben).map(\.id))
    #expect(unread.count == 240 && shell.waiting.count <= 240 + 128)

    shell.isAlive = true
    try shell.pass(2 * 3_600_000)
    #expect(Set(shell.taken.keys) == unread && shell.taken.values.allSatisfy { $0 == 1 })
    #expect(shell.waiting.isEmpty && shell.delivery.heldCount == 0)
    #expect(shell.removed == [.delivered: 240] && shell.withdrawnCount > 0)
    #expect((1...PushSettings().callsMax).contains(shell.heldMax))
    #expect(!shell.delivery.isEndpointFailing)
  }

  @Test("an event that nobody takes for three days is given up, and stays in the stream")
  func givenUp() throws {
    let ben = try world.player(2, session: 2)
    world.driver.close(session: 2)
    let shell = try Shell(world)
    try world.append(20, to: ben)
    try shell.pass(4 * World.day)
    #expect(shell.removed == [.givenUp: 20] && shell.waiting.isEmpty)
    #expect(try world.stream(of: ben).count == 20)
  }

  /// The player comes and goes without ever acknowledging: each event is pushed all the same.
  @Test("2.8 no event is lost to a connection that comes and goes")
  func flapping() throws {
    let anna = try world.player(1, session: 1)
    let shell = try Shell(world)
    shell.isAlive = true
    for round in 1...30 {
      try world.append(1, to: anna)
      try shell.pass(7_000)
      world.driver.close(session: UInt64(round))
      try world.append(1, to: anna)
      try shell.pass(3_000)
      try world.open(anna, session: UInt64(round + 1))
      try world.append(1, to: anna)
    }
    try shell.pass(31_000)
    #expect(try Set(shell.taken.keys) == Set(world.stream(of: anna).map(\.id)))
    #expect(shell.taken.count == 90 && shell.taken.values.allSatisfy { $0 == 1 })
    #expect(shell.waiting.isEmpty)
  }
}
