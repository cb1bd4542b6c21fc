import Domain
import Storage
import Testing
import Wire

@testable import ServiceKit

/// A runner in a small world, and what must hold of it after every event, whatever came before.
///
/// The model is what a client may expect: it knows the calls in the order in which they were made,
/// which of them were answered, and how many notes were made and are durable; it knows no states.
private final class SmallWorld {
  enum Event: CaseIterable {
    case ownChange, otherChange, ownRead, otherRead, ownReadElsewhere
    /// Something is gathered that is no call: here a channel that closes.
    case gather
    case endTurn, commit, passTime, fillDisk
  }

  private struct Call {
    var session: UInt64
    var key: UInt64
    var isChange: Bool
    var notesBefore: UInt64
    var answer: Answer?
  }

  let world = StillWorld()
  private var calls: [Call] = []
  private var durableNotes: UInt64 = 0
  private(set) var faults: [String] = []

  func isPossible(_ event: Event) -> Bool {
    switch event {
    case .endTurn: !world.turns.isEmpty
    case .commit: !world.batches.isEmpty
    default: true
    }
  }

  func happens(_ event: Event) throws {
    switch event {
    case .ownChange: call(AddNote(), session: 1, isChange: true)
    case .otherChange: call(AddNote(), session: 2, isChange: true)
    case .ownRead: call(CountNotes(), session: 1)
    case .otherRead: call(CountNotes(), session: 3)
    case .ownReadElsewhere: call(CountNotes(), session: 1, key: 8)
    case .gather: world.runner.closeChannel(Channel(link: 0, session: 9))
    case .endTurn: world.take(\.turns)
    case .commit: try commit()
    case .passTime:
      world.microseconds += 200
      world.take(\.timers)
    case .fillDisk: world.runner.isStorageFull.toggle()
    }
    check()
  }

  /// Goes on without further calls: all that is open must come to its end.
  func settle() throws {
    for _ in 0..<20 where !isSettled {
      for event in [Event.endTurn, .commit, .passTime] where isPossible(event) {
        try happens(event)
      }
    }
    expect(isSettled, "something stays open for ever")
    expect(durableNotes == world.core.count, "a change never became durable")
  }

  private var isSettled: Bool {
    world.runner.isIdle && world.turns.isEmpty && world.timers.isEmpty
      && calls.allSatisfy { $0.answer != nil }
  }

  private func call<O: Wire.Operation>(
    _ operation: O, session: UInt64, key: UInt64 = 7, isChange: Bool = false
  ) {
    let index = calls.count
    calls.append(
      Call(session: session, key: key, isChange: isChange, notesBefore: world.core.count))
    world.call(operation, session: session, key: key) { [unowned self] in answered(index, $0) }
  }

  private func commit() throws {
    expect(world.batches.count == 1, "two batches are under way")
    expect(world.batches.first?.changes.isEmpty == false, "a batch has no changes")
    durableNotes = world.notesSubmitted
    world.microseconds += 300
    try world.commitOne()
  }

  private func answered(_ index: Int, _ answer: Answer) {
    expect(calls[index].answer == nil, "a call is answered twice")
    calls[index].answer = answer
    let call = calls[index]
    guard case .reply(let body) = answer else {
      expect(call.isChange && world.runner.isStorageFull, "a call is refused")
      return
    }
    let earlier = calls[..<index].filter { $0.session == call.session && $0.key == call.key }
    expect(earlier.allSatisfy { $0.answer != nil }, "an earlier call of the client is still open")
    guard !call.isChange else { return }
    let count = (try? CountNotes.Reply(decoding: body))?.count ?? .max
    let isLate = call.key == 7 && count > durableNotes
    expect(!isLate, "a reply tells of \(count) notes, \(durableNotes) are durable")
    expect(count >= call.notesBefore, "a read missed what was there before it")
    if call.session == 3 || call.key == 8 {
      expect(count == call.notesBefore, "a read that has nothing to wait for did not run at once")
    }
  }

  private func check() {
    let open = calls.filter { $0.answer == nil }
    let hasWaker = !world.turns.isEmpty || !world.batches.isEmpty || !world.timers.isEmpty
    expect(open.isEmpty || hasWaker, "a call waits and nothing will wake it")
    expect(world.turns.count <= 1, "the end of a turn is asked for twice")
    expect(world.timers.count <= 1, "two timers are set")
    let answeredChanges = calls.count { $0.isChange && $0.answer == .reply([]) }
    expect(answeredChanges <= durableNotes, "a change was answered before it was durable")
    if world.runner.isStorageFull {
      let notDurable = world.core.count - durableNotes
      expect(open.count { $0.isChange } <= notDurable, "a change is held while the disk is full")
    }
  }

  private func expect(_ condition: Bool, _ fault: @autoclosure () -> String) {
    if !condition { faults.append(fault()) }
  }
}

@Suite struct EngineRunnerWordsTests {
  /// What has happened before the words begin.
  enum Beginning: CaseIterable {
    case nothing, batchUnderWay, gatheredBehindBatch, pause, heldInPause
    fileprivate var events: [SmallWorld.Event] {
      switch self {
      case .nothing: []
      case .batchUnderWay: [.ownChange, .endTurn, .otherChange, .otherRead, .otherRead]
      case .gatheredBehindBatch: [.ownChange, .endTurn, .gather, .otherRead, .ownChange]
      case .pause: [.ownChange, .endTurn, .otherRead, .otherRead, .commit]
      case .heldInPause: Self.pause.events + [.ownChange, .otherChange]
      }
    }
  }

  @Test(
    "7.1 whatever happens in which order, calls keep their promises",
    arguments: Beginning.allCases)
  func allWords(_ beginning: Beginning) throws {
    var count = 0
    try extend(beginning.events, by: 3, &count)
    #expect(count > 400)
  }

  private func extend(_ word: [SmallWorld.Event], by length: Int, _ count: inout Int) throws {
    let small = SmallWorld()
    for event in word { try small.happens(event) }
    let next = length == 0 ? [] : SmallWorld.Event.allCases.filter(small.isPossible)
    if next.isEmpty {
      count += 1
      if small.world.runner.isStorageFull { try small.happens(.fillDisk) }
      try small.settle()
      try #require(small.faults.isEmpty, "\(small.faults[0]), after \(word)")
    }
    for event in next { try extend(word + [event], by: length - 1, &count) }
  }
}
