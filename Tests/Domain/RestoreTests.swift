import TestKit
import Testing
import Wire

@testable import Domain

/// Three services that tell each other things by effects, and whose stores go back.
///
/// Each effect adds a number of its own, of which the receiver's total shows how often it was
/// applied: up to three times.
private final class Trio {
  struct Sent: Hashable {
    var sender: Int
    var receiver: Int
    var number: Int
  }

  /// A service's store at one moment, and what it has told others by then.
  struct Moment {
    var backup: TinyWorld.Backup
    var made: Set<Sent>
    var applied: Set<Sent>
  }

  static let numberMax = 30
  let worlds: [TinyWorld]
  let players: [PlayerID]
  /// What each has made, by its own memory.
  var made: [Set<Sent>] = [[], [], []]
  private(set) var all: Set<Sent> = []
  private var counts = [0, 0, 0]

  init() {
    worlds = (0..<3).map {
      TinyWorld(partition: Partition(index: $0, count: 3), store: StoreID(high: 1, low: UInt64($0)))
    }
    players = (0..<3).map { index in
      (1...UInt64.max).lazy.map { PlayerID.sample($0) }
        .first { Self.place(of: RoutingKey(reinterpreting: $0)) == index } ?? PlayerID()
    }
  }

  private static func place(of key: RoutingKey) -> Int {
    Partition.owner(of: Slot.of(key), count: 3)
  }

  func send(from sender: Int, to receiver: Int) {
    guard counts[receiver] < Self.numberMax else { return }
    let sent = Sent(sender: sender, receiver: receiver, number: counts[receiver])
    counts[receiver] += 1
    made[sender].insert(sent)
    all.insert(sent)
    var share = Share()
    share.players = [players[receiver]]
    share.amount = 1 << Int64(2 * sent.number)
    #expect(worlds[sender].call(share, players[sender]).failureCode == nil)
  }

  /// Delivers open effects in order, as a dispatcher does; answers may be lost.
  @discardableResult
  func deliver(
    from sender: Int, to only: Int? = nil, atMost countMax: Int = .max, confirms: Bool = true
  ) -> [FailureCode?] {
    var before: [Int: UInt64] = [:]
    let open = worlds[sender].engine.openEffects.filter { row in
      only == nil || only == Self.place(of: row.routingKey)
    }
    return open.prefix(countMax).map { row in
      let receiver = Self.place(of: row.routingKey)
      let delivery = worlds[sender].engine.delivery(of: row, after: before[receiver] ?? 0)
      before[receiver] = row.key.sequence
      let code = worlds[receiver].apply(delivery).failureCode
      if code == nil && confirms { worlds[sender].keep(worlds[sender].engine.delivered(row.key)) }
      return code
    }
  }

  func times(_ sent: Sent) -> Int {
    let total = worlds[sent.receiver].core.tallies[players[sent.receiver]]?.total ?? 0
    return Int(total >> Int64(2 * sent.number) & 3)
  }

  func moment(of index: Int) -> Moment {
    Moment(
      backup: worlds[index].backup, made: made[index],
      applied: all.filter { $0.receiver == index && times($0) > 0 })
  }

  func goBack(_ index: Int, to moment: Moment, isMarked: Bool) throws {
    made[index] = moment.made
    try worlds[index].restore(moment.backup, isMarked: isMarked)
  }
}

@Suite struct RestoreTests {
  private let trio = Trio()

  /// Some of what happens between three services, some of which may be killed.
  private func play(_ trio: Trio, steps: Int, _ random: inout RandomSource) throws {
    for _ in 0..<steps {
      let index = Int.random(in: 0..<3, using: &random)
      for world in trio.worlds { world.clock += .random(in: 0...50, using: &random) }
      switch Int.random(in: 0..<5, using: &random) {
      case 0, 1: trio.send(from: index, to: (index + .random(in: 1...2, using: &random)) % 3)
      case 2: try trio.worlds[index].restart()
      default:
        trio.deliver(
          from: index, atMost: .random(in: 1...4, using: &random),
          confirms: .random(using: &random))
      }
    }
  }

  /// Everything that a sender still knows of is applied once, and so is what a receiver had in its
  /// backup. What neither has is lost with the backups.
  private func expectWhole(_ trio: Trio, _ kept: [Set<Trio.Sent>], _ seed: UInt64) {
    var rounds = 0
    while trio.worlds.contains(where: { $0.engine.openEffectCount > 0 }) && rounds < 100 {
      for index in 0..<3 { trio.deliver(from: index) }
      rounds += 1
    }
    for sent in trio.all {
      let isKnown = trio.made[sent.sender].contains(sent) || kept[sent.receiver].contains(sent)
      #expect(trio.times(sent) == (isKnown ? 1 : 0), "\(sent), seed \(seed)")
    }
    #expect(trio.worlds.allSatisfy { $0.engine.resendingCount == 0 })
  }

  @Test("7.1 between stores of different moments nothing is lost or doubled that a backup has")
  func differentMoments() throws {
    for seed in 0..<300 as Range<UInt64> {
      let trio = Trio()
      var random = RandomSource.seeded(seed)
      var first: [Trio.Moment] = []
      // One, two or all of them; twice, also to the same backup.
      for round in 1...2 {
        let gone = (0..<3).filter { ((Int(seed) + round) % 7 + 1) & (1 << $0) != 0 }
        var moments = (0..<3).map(trio.moment)
        for index in gone.shuffled(using: &random) {
          try play(trio, steps: 4, &random)
          moments[index] = trio.moment(of: index)
        }
        // What is lost was dated by a clock that was years ahead.
        if round == 1 { for index in gone { trio.worlds[index].clock += 100_000_000_000 } }
        try play(trio, steps: 8, &random)
        for index in gone where round == 1 { trio.worlds[index].clock -= 100_000_000_000 }
        for index in 0..<3 {
          if !gone.contains(index) {
            moments[index] = trio.moment(of: index)
          } else if round == 2 && seed % 2 == 0 {
            moments[index] = first[index]
          }
          trio.worlds[index].clock += 1
          try trio.goBack(index, to: moments[index], isMarked: true)
        }
        first = moments
        let kept = moments.map(\.applied)
        try play(trio, steps: 6, &random)
        expectWhole(trio, kept, seed)
      }
    }
  }

  @Test("a store that was put back and is not marked is told so, and nothing of it is swallowed")
  func forgotten() throws {
    for isClockBack in [false, true] {
      let trio = Trio()
      trio.send(from: 0, to: 1)
      trio.deliver(from: 0)
      let moment = trio.moment(of: 0)
      if isClockBack { trio.worlds[0].clock += 1_000_000 }
      try trio.worlds[0].restart()
      for _ in 1...3 { trio.send(from: 0, to: 1) }
      trio.deliver(from: 0)
      if isClockBack { trio.worlds[0].clock -= 1_000_000 }
      trio.worlds[0].clock += 1
      try trio.goBack(0, to: moment, isMarked: false)
      trio.send(from: 0, to: 1)
      let new = try #require(trio.made[0].first { !moment.made.contains($0) })
      let row = try #require(trio.worlds[0].engine.openEffects.first)
      let answer = trio.worlds[1].apply(trio.worlds[0].engine.delivery(of: row)).answer
      guard case .failure(let failure) = answer else {
        Issue.record("it is taken")
        continue
      }
      #expect(failure.isOfGoneBack && failure.code.isTransient)
      #expect(failure.text.contains(isClockBack ? "put the backup back" : "--restored"))
      #expect(trio.deliver(from: 0) == [.outOfOrder])
      #expect(trio.times(new) == 0 && trio.worlds[0].engine.openEffectCount == 1)
      if isClockBack { continue }
      try trio.goBack(0, to: trio.moment(of: 0), isMarked: true)
      #expect(trio.deliver(from: 0).allSatisfy { $0 == nil })
      #expect(trio.times(new) == 1)
    }
  }

  @Test("a store that is put back to before its last mark is told so, too")
  func beforeTheMark() throws {
    let moment = trio.moment(of: 0)
    try trio.goBack(0, to: moment, isMarked: true)
    trio.send(from: 0, to: 1)
    #expect(trio.deliver(from: 0) == [nil])
    try trio.goBack(0, to: moment, isMarked: false)
    for _ in 1...5 { trio.send(from: 0, to: 1) }
    #expect(trio.deliver(from: 0).allSatisfy { $0 == .outOfOrder })
    #expect(try refusal()?.text.contains("this one 2 times") == true)
  }

  /// Why the second service does not take the first open effect of the first one.
  private func refusal() throws -> Failure? {
    let row = try #require(trio.worlds[0].engine.openEffects.first)
    let answer = trio.worlds[1].apply(trio.worlds[0].engine.delivery(of: row)).answer
    guard case .failure(let failure) = answer else { return nil }
    return failure
  }

  @Test("a backup that was marked by a clock that was ahead can be put back once more")
  func markedAhead() throws {
    let (moment, ahead) = (trio.moment(of: 0), Int64(3 * 86_400_000))
    let world = trio.worlds[0]
    func putBack(marks: Int) throws {
      var moment = moment
      for _ in 1..<marks { moment.backup.mark(at: world.clock) }
      try trio.goBack(0, to: moment, isMarked: true)
      trio.send(from: 0, to: 1)
    }
    for count in 1...3 {
      world.clock += ahead
      try putBack(marks: count)
      #expect(trio.deliver(from: 0) == [nil], "as the refusal says it")
      world.clock -= ahead - 1
      try putBack(marks: 1)
      let failure = try #require(try refusal())
      #expect(failure.isOfGoneBack && failure.text.contains("put the backup back again"))
      #expect(failure.text.contains("this one \(count + 1) times"), "\(failure.text)")
    }
    try putBack(marks: 4)
    #expect(trio.deliver(from: 0) == [nil])
    #expect(trio.made[0].allSatisfy { trio.times($0) == 1 })
  }

  @Test("what is confirmed while one effect cannot be sent again is forgotten all the same")
  func oneIsAway() throws {
    trio.send(from: 0, to: 1)
    trio.deliver(from: 0)
    let world = trio.worlds[0]
    try trio.goBack(0, to: trio.moment(of: 0), isMarked: true)
    world.engine.retainedKeys = AgedKeys(countMax: 3, keptMillisecondsMax: 86_400_000)
    for _ in 1...6 { trio.send(from: 0, to: 2) }
    trio.deliver(from: 0, to: 2)
    #expect(world.engine.retainedEffectCount == 1 + 3, "no more than so many")
    world.clock += 86_400_000
    world.runTimers()
    #expect(world.engine.retainedEffectCount == 1 + 3)
    world.clock += 1
    world.runTimers()
    #expect(world.engine.retainedEffectCount == 1 && world.engine.resendingCount == 1)
    #expect(world.rows[RetainedRow.tableID]?.count == 1)
    try world.restart()
    #expect(world.engine.retainedEffectCount == 1 && world.engine.openEffectCount == 1)
    trio.deliver(from: 0)
    world.clock += 3 * 86_400_000
    world.runTimers()
    #expect(world.engine.retainedEffectCount == 0)
    #expect(world.rows[RetainedRow.tableID]?.isEmpty == true)
  }

  @Test("how far retained effects reach back is told without a gap, over restarts too")
  func gap() throws {
    let world = trio.worlds[0]
    trio.send(from: 0, to: 1)
    trio.deliver(from: 0)
    let resent = world.clock
    world.clock += 1_000
    try trio.goBack(0, to: trio.moment(of: 0), isMarked: true)
    world.engine.retainedKeys = AgedKeys(countMax: 2, keptMillisecondsMax: 86_400_000)
    var times: [Int64] = []
    func confirmOne() {
      world.clock += 1_000
      times.append(world.clock)
      trio.send(from: 0, to: 2)
      trio.deliver(from: 0, to: 2)
    }
    for _ in 1...2 { confirmOne() }
    #expect(world.engine.oldestRetainedTime == resent, "none was dropped")
    confirmOne()
    #expect(world.engine.retainedEffectCount == 3 && world.engine.resendingCount == 1)
    #expect(world.engine.oldestRetainedTime == times[1])
    try world.restart()
    #expect(world.engine.oldestRetainedTime == times[1])
    // Its row is sent again, and stays the oldest, until it is too old.
    trio.deliver(from: 0)
    #expect(world.engine.resendingCount == 0 && world.engine.oldestRetainedTime == times[1])
    world.clock = resent + 3 * 86_400_000 + 1
    world.runTimers()
    #expect(world.engine.retainedEffectCount == 2)
    #expect(world.engine.oldestRetainedTime == times[1])
  }

  @Test("a gap stays one when all is sent, and when the store is marked again")
  func gapOverMarks() throws {
    let world = trio.worlds[0]
    trio.send(from: 0, to: 1)
    trio.deliver(from: 0)
    try trio.goBack(0, to: trio.moment(of: 0), isMarked: true)
    world.engine.retainedKeys = AgedKeys(countMax: 1, keptMillisecondsMax: 86_400_000)
    for _ in 1...2 {
      world.clock += 1_000
      trio.send(from: 0, to: 2)
      trio.deliver(from: 0, to: 2)
    }
    let kept = world.clock
    for _ in 1...2 {
      try trio.goBack(0, to: trio.moment(of: 0), isMarked: true)
      #expect(world.engine.retainedEffectCount == 2 && world.engine.resendingCount == 2)
      #expect(world.engine.oldestRetainedTime == kept)
      trio.deliver(from: 0)
      #expect(world.engine.resendingCount == 0)
      try world.restart()
      #expect(world.engine.retainedEffectCount == 2)
      #expect(world.engine.oldestRetainedTime == kept)
    }
  }

  @Test("a confirmed effect is kept for three days, for another process alone, and then forgotten")
  func retained() throws {
    trio.send(from: 0, to: 1)
    trio.deliver(from: 0)
    let world = trio.worlds[0]
    #expect(world.engine.retainedEffectCount == 1 && world.engine.openEffectCount == 0)
    world.clock += 3 * 86_400_000
    world.runTimers()
    #expect(world.engine.retainedEffectCount == 1)
    world.clock += 1
    world.runTimers()
    #expect(world.engine.retainedEffectCount == 0)
    #expect(world.rows[RetainedRow.tableID]?.isEmpty == true)
    let alone = TinyWorld()
    var share = Share()
    share.players = [.sample(1)]
    for row in alone.call(share, .sample(2)).effects {
      alone.keep(alone.engine.delivered(row.key))
    }
    #expect(alone.engine.retainedEffectCount == 0, "what is for itself is in the same backup")
  }

  @Test("retained effects have no more bytes than they may: the oldest make room, and are counted")
  func retainedBytes() throws {
    let world = trio.worlds[0]
    for _ in 1...4 {
      trio.send(from: 0, to: 1)
      world.clock += 1_000
    }
    let size = try #require(world.engine.openEffects.first).effect.byteCount
    world.engine.retainedKeys = AgedKeys(
      countMax: 9, bytesMax: 3 * size, keptMillisecondsMax: 86_400_000)
    trio.deliver(from: 0, atMost: 3)
    #expect(world.engine.retainedEffectBytes == 3 * size && size > 76)
    #expect(world.engine.droppedRetainedCount == 0)
    let oldest = try #require(world.engine.oldestRetainedTime)
    world.clock += 5_000
    trio.send(from: 0, to: 1)
    trio.deliver(from: 0)
    #expect(world.engine.retainedEffectBytes == 3 * size)
    #expect(world.rows[RetainedRow.tableID]?.count == 3)
    #expect(world.engine.droppedRetainedCount == 2)
    #expect(try #require(world.engine.oldestRetainedTime) >= oldest)
    // What is loaded counts, too.
    try world.restart()
    #expect(world.engine.retainedEffectBytes == 3 * size && world.engine.droppedRetainedCount == 0)
    world.clock += 86_400_000 * 4
    world.runTimers()
    #expect(world.engine.retainedEffectCount == 0 && world.engine.oldestRetainedTime == nil)
    #expect(world.engine.droppedRetainedCount == 0, "their time was over")
  }

  @Test("a large effect makes the many small ones go whose room it takes")
  func largeEffect() throws {
    let world = trio.worlds[0]
    for _ in 1...5 { trio.send(from: 0, to: 1) }
    trio.deliver(from: 0)
    var keys = AgedKeys<OutboxKey>(
      countMax: 99, bytesMax: 1_000, keptMillisecondsMax: 86_400_000)
    for row in try #require(world.rows[RetainedRow.tableID]).values {
      keys.add(try RetainedRow(decoding: row).key, time: world.clock, bytes: 900)
    }
    keys.sort()
    world.engine.retainedKeys = keys
    trio.send(from: 0, to: 1)
    trio.deliver(from: 0)
    #expect(world.engine.retainedEffectCount == 4, "two go at once")
    world.runTimers()
    #expect(world.engine.retainedEffectCount == 1 && world.engine.retainedEffectBytes < 1_000)
    #expect(world.rows[RetainedRow.tableID]?.count == 1)
  }

  @Test("what is sent again stays until it is confirmed, over deaths, and is then sent no more")
  func resent() throws {
    for _ in 1...2 { trio.send(from: 0, to: 1) }
    let world = trio.worlds[0]
    let sent = world.engine.openEffects
    trio.deliver(from: 0)
    world.clock += 3_600_000
    try trio.goBack(0, to: trio.moment(of: 0), isMarked: true)
    #expect(world.engine.openEffectCount == 2 && world.engine.resendingCount == 2)
    #expect(world.engine.openEffects.map(\.effect) == sent.map(\.effect))
    #expect(world.engine.openEffects.allSatisfy { $0.time == world.clock }, "since the mark")
    world.clock += 4 * 86_400_000
    world.runTimers()
    trio.deliver(from: 0, atMost: 1)
    try world.restart()
    #expect(world.engine.openEffectCount == 2, "they are few, and known to their receivers")
    trio.deliver(from: 0)
    #expect(world.engine.resendingCount == 0)
    try world.restart()
    #expect(world.engine.openEffectCount == 0)
    world.runTimers()
    #expect(world.engine.retainedEffectCount == 0, "they are old")
    #expect(trio.all.allSatisfy { trio.times($0) == 1 })
  }

  @Test(
    "7.3 an erased player is in no effect that is kept, or sent again", arguments: [false, true])
  func erased(isResending: Bool) throws {
    let (world, player) = (trio.worlds[0], trio.players[1])
    trio.send(from: 0, to: 1)
    trio.deliver(from: 0)
    if isResending { try trio.goBack(0, to: trio.moment(of: 0), isMarked: true) }
    let erasure = Erasure(of: player, as: PlayerID(high: 0xEE, low: 1))
    var operation = EraseTinyRecords()
    operation.key = RoutingKey(reinterpreting: trio.players[0])
    (operation.player, operation.standIn) = (erasure.player, erasure.standIn)
    var envelope = ServiceEnvelope()
    envelope.principal.kind = .service
    envelope.routingKey = operation.key
    _ = world.apply(
      Request(opcode: EraseTinyRecords.opcode, envelope: envelope, body: operation.encoded))
    let trace = PlayerTrace(player)
    #expect(world.rows[RetainedRow.tableID]?.values.contains { trace.isIn($0) } == true)
    world.forget()
    #expect(world.rows[RetainedRow.tableID]?.values.contains { trace.isIn($0) } == false)
    let key = RoutingKey(reinterpreting: erasure.standIn)
    #expect(world.engine.openEffects.allSatisfy { $0.routingKey == key })
    #expect(world.engine.openEffectCount == (isResending ? 1 : 0))
  }
}
