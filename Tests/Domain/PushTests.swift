import TestKit
import Testing
import Wire

@testable import Domain

@Suite struct PushTests {
  private let channels = (1...3).map { Channel(link: 1, session: $0) }

  @Test("3.5 what several clients are told is one value with one body")
  func severalClients() {
    var transaction = Transaction(now: 1, random: .seeded(1))
    transaction.push(Nudge(), to: channels, lane: .newest(7))
    transaction.push(Nudge(), to: [])
    #expect(
      transaction.pushes == [
        Push(
          channels: channels, opcode: Nudge.opcode.rawValue, lane: .newest(7),
          body: Nudge().encoded)
      ])
    #expect(transaction.pushes[0].single.map(\.channel) == channels)
    #expect(!transaction.hasLastingEffect)
  }

  @Test("3.5 each place of each stream has a key of its own")
  func keys() {
    var lanes: Set<PushLane> = [.ordered]
    for low in 0..<64 as Range<UInt64> {
      for place in 0..<16 as Range<UInt64> {
        lanes.insert(.newest(PlayerID(high: 1, low: low), place))
        lanes.insert(.newest(PlayerID(high: low, low: 1 << 40), place))
      }
    }
    #expect(lanes.count == 1 + 2 * 64 * 16)
    #expect(PushLane.newest(PlayerID.sample(1), 2) == .newest(PlayerID.sample(1), 2))
  }
}
