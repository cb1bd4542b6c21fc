import Testing

@testable import ServiceKit

/// A cycle and the world around it, small enough that all there can be is gone through.
///
/// The world knows nothing of the cycle's states: it remembers what was asked of it, what is held,
/// gathered and under way, and says from these alone what the cycle has to do.
private struct CycleWorld: Hashable {
  enum Event: Hashable {
    /// A call that may change something, and then does or does not.
    case call(changes: Bool)
    case read
    /// What is no call changes something: an effect is confirmed, a channel closes.
    case gather
    /// The due calls run, and all of them change something or none does.
    case endTurn(changing: Bool, isBatchFull: Bool)
    case batchIsDurable, timePasses, wakes, diskIsFull
  }

  static let step: UInt64 = 400
  static let callsMax = 4
  static let stepsMax = 5

  private(set) var cycle = CommitCycle()
  private(set) var turnEnds = 0
  private(set) var wakes = 0
  private(set) var held = 0
  private(set) var hasChanges = false
  private var underWay: Batch?
  private var pauseEnd: UInt64?
  private var readsOfNext = 0
  private var now: UInt64 = 0
  private var calls = 0
  private(set) var fault: String?

  private struct Batch: Hashable {
    var began: UInt64
    var reads: Int
  }

  var isQuiet: Bool { turnEnds == 0 && wakes == 0 && underWay == nil && held == 0 && !hasChanges }

  /// What may happen next.
  var events: [Event] {
    var events: [Event] = []
    if calls < Self.callsMax {
      events += [.call(changes: true), .call(changes: false), .read, .gather, .diskIsFull]
    }
    if turnEnds > 0 {
      for changing in [true, false] {
        events += [true, false].map { .endTurn(changing: changing, isBatchFull: $0) }
      }
    }
    if underWay != nil { events.append(.batchIsDurable) }
    if wakes > 0 { events.append(.wakes) }
    if now < UInt64(Self.stepsMax) * Self.step { events.append(.timePasses) }
    return events
  }

  mutating func happens(_ event: Event) {
    switch event {
    case .call(let changes): call(changes: changes)
    case .read: read()
    case .gather:
      calls += 1
      gather()
    case .endTurn(let changing, let isBatchFull):
      endTurn(changing: changing, isBatchFull: isBatchFull)
    case .batchIsDurable: batchIsDurable()
    case .timePasses: now += Self.step
    case .wakes:
      wakes -= 1
      lookAtClock()
      carryOut(cycle.wakes(at: now))
    case .diskIsFull:
      calls += 1
      while cycle.takeAnyCall() { held -= 1 }
    }
    check()
  }

  private mutating func call(changes: Bool) {
    let now = now
    calls += 1
    let mustWait = underWay != nil || pauseEnd != nil || held > 0
    expect(cycle.holdsChanges == mustWait, "a change is held, or not, against the rule")
    if cycle.holdsChanges {
      held += 1
      lookAtClock()
      carryOut(cycle.callIsHeld(at: now))
    } else {
      if changes { gather() }
      carryOut(cycle.callHasRun(at: now))
    }
  }

  /// A read of what has just been changed, if anything is not durable.
  private mutating func read() {
    let now = now
    calls += 1
    if hasChanges {
      readsOfNext += 1
      cycle.readWaits(forBatchUnderWay: false)
    } else if underWay != nil {
      underWay?.reads += 1
      cycle.readWaits(forBatchUnderWay: true)
    }
    lookAtClock()
    carryOut(cycle.callHasRun(at: now))
  }

  private mutating func gather() {
    hasChanges = true
    pauseEnd = nil
    carryOut(cycle.changesAreGathered())
  }

  private mutating func endTurn(changing: Bool, isBatchFull: Bool) {
    let now = now
    turnEnds -= 1
    cycle.turnEnds(callsMax: 2)
    while cycle.takeDueCall() {
      held -= 1
      if changing { gather() }
      if isBatchFull { break }
    }
    let isFull = isBatchFull && hasChanges
    carryOut(cycle.turnHasEnded(hasChanges: hasChanges, isBatchFull: isFull, at: now))
  }

  private mutating func batchIsDurable() {
    guard let batch = underWay else { return }
    underWay = nil
    let took = min(now - batch.began, CommitCycle.pauseMicrosecondsMax)
    if batch.reads > held && !hasChanges && took > 0 { pauseEnd = now + took }
    carryOut(cycle.batchIsDurable(hasChanges: hasChanges, at: now))
  }

  private mutating func lookAtClock() {
    if let end = pauseEnd, now >= end { pauseEnd = nil }
  }

  private mutating func carryOut(_ action: CommitCycle.Action) {
    switch action {
    case .nothing: break
    case .scheduleTurnEnd: turnEnds += 1
    case .wakeLater: wakes += 1
    case .commit:
      expect(hasChanges && underWay == nil, "a batch begins that may not")
      underWay = Batch(began: now, reads: readsOfNext)
      hasChanges = false
      readsOfNext = 0
    }
  }

  private mutating func check() {
    expect(held == cycle.heldCount, "the cycle counts other calls than are held")
    expect(turnEnds <= 1 && wakes <= 1, "asked for twice")
    let willGoOn = turnEnds == 1 || underWay != nil
    expect(held == 0 || willGoOn || wakes == 1 && pauseEnd != nil, "a held call waits for ever")
    expect(!hasChanges || willGoOn, "what is gathered waits for nothing")
    expect(turnEnds == 0 || underWay == nil, "a turn will end during a batch")
    expect(turnEnds == 0 || pauseEnd == nil, "a turn will end in a pause")
  }

  private mutating func expect(_ condition: Bool, _ text: String) {
    if !condition && fault == nil { fault = text }
  }
}

@Suite struct CommitCycleWorldsTests {
  @Test("whatever happens in which order, the cycle does what its world needs, and comes to rest")
  func allWorlds() throws {
    var known: Set<CycleWorld> = [CycleWorld()]
    var open = [CycleWorld()]
    while let world = open.popLast() {
      for event in world.events {
        var next = world
        next.happens(event)
        try #require(next.fault == nil, "\(next.fault ?? ""): \(event) after \(world)")
        if known.insert(next).inserted { open.append(next) }
      }
      try #require(comesToRest(world), "for ever: \(world)")
    }
    #expect(known.count > 1_000)
  }

  /// No call comes any more: what is open ends by itself.
  private func comesToRest(_ world: CycleWorld) -> Bool {
    let ends: [CycleWorld.Event] = [
      .endTurn(changing: true, isBatchFull: false), .batchIsDurable, .wakes,
    ]
    var world = world
    for _ in 0..<12 where !world.isQuiet {
      for event in ends where world.events.contains(event) { world.happens(event) }
      world.happens(.timePasses)
    }
    return world.isQuiet && world.fault == nil
  }
}
