import Domain
import Testing
import Wire

@testable import ServiceKit

/// Effects that a process of an older version does not know yet.
@Suite struct UnknownEffectTests {
  private let world = StillWorld()
  private let older = Answer.failure(Failure(.unknownOperation, "What is that?"))

  init() { world.isAlone = false }

  private func settle() throws { try world.commitAndRead() }

  private func forward(_ number: UInt64, key: UInt64) throws {
    var forward = Forward()
    (forward.count, forward.firstNumber) = (1, number)
    world.call(forward, key: key) { _ in }
    try settle()
  }

  /// Answers as a process that knows no numbered notes; returns how many others there were.
  private func answerAsOlder() -> Int {
    var others = 0
    world.answer { request in
      if request.opcode == NumberedNote.opcode { return older }
      others += 1
      return .reply([])
    }
    return others
  }

  @Test("an effect that its receiver does not know waits for a newer one, and holds up no other")
  func waits() throws {
    try forward(1, key: 7)
    for round in 1...3 {
      // Another key's, so in a lane of its own.
      try forward(0, key: 8)
      #expect(world.calls.count == 2, "the other goes at once")
      #expect(answerAsOlder() == 1, "round \(round)")
      try settle()
      #expect(world.engine.openEffectCount == 1 && world.engine.parkedEffectCount == 0)
      var roundCount = 0
      while world.calls.isEmpty && roundCount < 100 {
        world.take(\.timers)
        try settle()
        roundCount += 1
      }
      #expect(roundCount >= 10, "a process is not replaced within a moment")
    }
    world.answer { _ in .reply([]) }
    try settle()
    #expect(world.engine.openEffectCount == 0 && world.engine.parkedEffectCount == 0)
  }
}
