import TestKit
import Testing
import Wire

@testable import Domain

/// The walk over all rows after an erasure, step by step (rule 7.3).
struct ErasureWalkTests {
  private let world = TinyWorld()
  private let anna = Erasure(of: .sample(1), as: .sample(91))
  private let ben = Erasure(of: .sample(2), as: .sample(92))

  /// What one step of the walk wrote of the links.
  private struct Written {
    var rows = 0
    var bytes = 0
  }

  /// Runs the timers that are due and returns what each that wrote links has written.
  ///
  /// - Parameter answer: gives the rows of a range; nil for the world to.
  private func walk(
    stepsMax: Int = .max, _ answer: (ColdRange) -> [[UInt8]]? = { _ in nil }
  ) -> [Written] {
    var written: [Written] = []
    var steps = 0
    while steps < stepsMax, let request = world.takeTimer() {
      steps += 1
      var cold: [ColdRange: [[UInt8]]] = [:]
      while true {
        let step = world.engine.apply(request, clock: world.clock, coldRows: cold)
        if case .needs(let ranges) = step {
          for range in ranges { cold[range] = answer(range) ?? world.read(range) }
          continue
        }
        guard case .done(let outcome) = step else { break }
        world.keep(outcome.changes)
        let puts = decodedChanges(outcome.changes).filter {
          $0.kind == .put && $0.table == LinkRow.tableID
        }
        if !puts.isEmpty {
          written.append(Written(rows: puts.count, bytes: outcome.changes.bytes.count))
        }
        break
      }
    }
    return written
  }

  private func finish() {
    for _ in 0..<6 {
      _ = walk()
      world.clock += ErasureLimits.againMilliseconds
    }
  }

  @Test("7.3 a page of rows is rewritten in one step, so that 20,000 take no minutes")
  func manyRows() {
    let count: UInt64 = 20_000
    for number in 0..<count { world.store(link: number, "for \(anna.player)") }
    _ = world.erase(anna)
    // The keys are those that were stored: the world would sort them all for each page.
    let written = walk(stepsMax: 1_000) { range in
      guard range.table == LinkRow.tableID else { return nil }
      let first = range.from.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      return (first..<min(first + UInt64(range.limit), count)).compactMap {
        world.rows[LinkRow.tableID]?[$0.keyBytes]
      }
    }
    #expect(written.reduce(0) { $0 + $1.rows } == Int(count))
    #expect(written.count == 79, "each step that writes is a batch on the disk")
    #expect(world.link(0) == "for \(anna.standIn)" && world.link(count - 1) == world.link(0))
  }

  @Test("7.3 a step writes so much and leaves the rest to the next one")
  func largeRows() {
    let text = String(repeating: "x", count: 100_000) + "\(anna.player)"
    for number in 0..<25 as Range<UInt64> { world.store(link: number, text) }
    _ = world.erase(anna)
    let written = walk()
    #expect(written.map(\.rows) == [11, 11, 3])
    #expect(written.allSatisfy { $0.bytes < ErasureLimits.bytesPerStep + text.utf8.count + 64 })
    finish()
    #expect(world.engine.openErasureCount == 1, "the files are not clean yet")
  }

  @Test("7.3 a row that has to read others first is rewritten in a step that begins with it")
  func readingRows() {
    for number in 0..<9 as Range<UInt64> { world.store(link: number, "for \(anna.player)") }
    world.core.readingLinks = [0, 3, 4, 8]
    _ = world.erase(anna)
    #expect(walk().map(\.rows) == [3, 1, 4, 1])
    finish()
    #expect((0..<9).allSatisfy { world.link($0) == "for \(anna.standIn)" })
    #expect(world.engine.walk.open.isEmpty)
  }

  @Test("7.3 a row that an earlier one of its page has changed is not put back as it was")
  func touchedRows() {
    for number in 0..<3 as Range<UInt64> { world.store(link: number, "for \(anna.player)") }
    world.core.touchingLinks = [0: 2]
    _ = world.erase(anna)
    finish()
    #expect((0..<3).map(world.link) == ["for \(anna.standIn)", "for \(anna.standIn)", "touched"])
    #expect(world.engine.walk.open.isEmpty)
  }

  @Test("7.3 a parked effect that is dropped while the walk reads it stays dropped")
  func droppedEffect() throws {
    var share = Share()
    (share.players, share.amount) = ([anna.player, .sample(3)], -1)
    var envelope = world.envelope(.sample(2))
    envelope.idempotency.instance = 6
    let effects = world.apply(
      Request(opcode: Share.opcode, envelope: envelope, body: share.encoded)
    ).effects
    let failure = Failure(.notReachable, "It is for \(anna.player).")
    world.keep(world.engine.park(effects[0].key, failure, clock: world.clock))
    _ = world.erase(anna)
    var isRead = false
    _ = walk { range in
      guard range.table == ParkedRow.tableID, !isRead else { return nil }
      isRead = true
      let rows = world.read(range)
      world.clock += world.core.settings[.refusedEffectKept] + 1
      world.keep(world.engine.park(effects[1].key, failure, clock: world.clock))
      return rows
    }
    finish()
    #expect(isRead && world.engine.droppedEffectCount == 1)
    #expect(world.rows[ParkedRow.tableID]?.count == 1)
    #expect(world.engine.walk.open.isEmpty)
  }

  @Test("7.3 a row that cannot forget a player is told of once, and looked at once a second")
  func stuckRows() throws {
    for number in 0..<3 as Range<UInt64> { world.store(link: number, "for \(anna.player)") }
    world.store(link: 3, "for \(ben.player)")
    world.core.stuckLinks = [0, 1]
    var told: [String] = []
    world.engine.cannotErase = { told.append("\($0): \($1.text)") }
    _ = world.erase(anna)
    _ = world.erase(ben)
    var passes = 0
    func look() {
      _ = walk(stepsMax: 200) { range in
        if range.table == LinkRow.tableID && range.from.isEmpty { passes += 1 }
        return nil
      }
    }
    for second in 1...5 {
      look()
      // The first one begins before anybody is looked for.
      #expect(passes == second + 1)
      world.clock += ErasureLimits.againMilliseconds - 1
      look()
      #expect(passes == second + 1, "it waits")
      world.clock += 1
    }
    #expect(told == ["link: It is stuck."])
    #expect(world.engine.walk.open == [anna], "nobody else waits for the row")
    #expect(world.link(2) == "for \(anna.standIn)" && world.link(3) == "for \(ben.standIn)")
    world.core.stuckLinks = []
    finish()
    #expect(world.engine.walk.open.isEmpty && world.link(0) == "for \(anna.standIn)")
  }

  @Test("7.3 a service that is left out holds up no erasure, and is told when it is there")
  func leftOut() throws {
    let told: [RoutingKey] = [.sample(5), .sample(6)]
    world.core.toldKeys = told
    let effects = world.erase(anna).effects
    #expect(effects.map(\.routingKey) == told)
    finish()
    #expect(world.engine.walk.open == [anna], "they wait")
    for effect in effects { world.keep(world.engine.leaveUntold(effect, .leaderboard)) }
    finish()
    #expect(world.engine.walk.open.isEmpty && world.engine.untoldErasureCount == 1)
    #expect(world.engine.openEffectCount == 0 && world.engine.parkedEffectCount == 0)
    try world.restart()
    world.core.toldKeys = told
    world.engine.tellErasures { $0 != .leaderboard }
    #expect(world.runTimers().flatMap(\.effects).isEmpty, "it is still left out")
    world.engine.tellErasures { _ in true }
    let late = world.runTimers().flatMap(\.effects)
    #expect(late.map(\.routingKey) == told)
    #expect(world.engine.untoldErasureCount == 0 && world.engine.openEffectCount == 2)
    finish()
    #expect(world.engine.openErasureCount == 1, "the effects have the player's id")
    for effect in late { world.keep(world.engine.delivered(effect.key)) }
    finish()
    #expect(world.engine.walk.open.isEmpty && world.engine.openErasureCount == 1)
    world.engine.erasuresAreCleaned(world.engine.beginCleaning())
    finish()
    #expect(world.engine.openErasureCount == 0)
  }

  @Test("7.3 to be told of an erasure needs no order and no number")
  func unnumbered() {
    world.core.toldKeys = [.sample(5)]
    let effect = world.erase(anna).effects[0]
    let delivery = world.engine.delivery(of: effect)
    #expect(delivery.envelope.source == nil)
    #expect(world.apply(delivery).answer == .reply([]))
    #expect(world.core.erasures == [anna] && world.rows[InboxRow.tableID] == nil)
  }

  @Test("7.3 a row that cannot be decoded holds up no other")
  func unreadableRow() throws {
    world.store(link: 1, "for \(anna.player)")
    var torn = try #require(world.rows[LinkRow.tableID]?[UInt64(1).keyBytes])
    torn.append(contentsOf: [0xff])
    torn[11] = 0xff
    world.store(encoded: torn, key: UInt64(1).keyBytes, table: LinkRow.tableID)
    world.store(link: 2, "for \(anna.player)")
    var told: [String] = []
    world.engine.cannotErase = { (table, _) in told.append(table) }
    _ = world.erase(anna)
    finish()
    #expect(told == ["link"] && world.link(2) == "for \(anna.standIn)")
    #expect(world.engine.walk.open == [anna])
  }
}
