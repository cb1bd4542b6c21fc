import Testing

@testable import Transport

/// How a loop is shared between handshakes and all else.
@Suite("Handshake pace")
struct HandshakePaceTests {
  private static let step: UInt64 = 800

  /// Returns how many steps each turn takes, where all else takes so long in each and handshakes
  /// always wait.
  private func steps(_ turns: Int, beside others: UInt64, each step: UInt64 = step) -> [Int] {
    var pace = HandshakePace()
    return (0..<turns).map { _ in
      pace.othersHad(others)
      var count = 0
      while pace.mayStep && count < HandshakePace.stepsPerTurnMax {
        pace.stepTook(step)
        count += 1
      }
      return count
    }
  }

  @Test("Alone, handshakes have the whole loop")
  func alone() {
    #expect(steps(100, beside: 0).allSatisfy { $0 == 1 })
    #expect(steps(100, beside: HandshakePace.quietMicroseconds - 1).allSatisfy { $0 == 1 })
  }

  @Test(
    "Beside others they have an eighth", arguments: [16, 50, 300, 800, 2_000, 21_000] as [UInt64])
  func share(others: UInt64) {
    let count = 1_000
    let taken = UInt64(steps(count, beside: others).reduce(0, +)) * Self.step
    let fair = UInt64(count) * others / UInt64(HandshakePace.othersWeight)
    #expect(taken >= fair && taken <= fair + Self.step)
  }

  @Test("What all else has had in the turns before one is not saved up")
  func saved() {
    var pace = HandshakePace()
    pace.othersHad(500_000)
    pace.othersHad(100)
    #expect(pace.mayStep)
    pace.stepTook(Self.step)
    #expect(!pace.mayStep)
  }

  @Test("A turn gets longer by a few steps at most, however long all else took")
  func turn() {
    #expect(steps(100, beside: 1 << 60).allSatisfy { $0 == HandshakePace.stepsPerTurnMax })
    #expect(steps(100, beside: 500_000, each: 1).allSatisfy { $0 <= HandshakePace.stepsPerTurnMax })
    #expect(steps(3, beside: 500_000, each: 3_000) == [2, 2, 2])
  }
}
