import TestKit
import Testing
import Wire

@testable import Domain

/// Nobody fetches facts for a timer, so that one whose operation needs some would be refused for
/// good at its time.
struct TimerFactTests {
  @Test func registeringATimersOperationThatNeedsAFactTraps() async {
    await #expect(processExitsWith: .failure) {
      var router = Router()
      router.on(Foresee.self) { _, _, _ in Empty() }
    }
    await #expect(processExitsWith: .success) {
      var router = Router()
      router.on(Foretell.self) { _, _, _ in Empty() }
      router.on(Reminder.self) { _, _, _ in Empty() }
    }
  }

  @Test func settingATimerWhoseOperationNeedsAFactTraps() async {
    await #expect(processExitsWith: .failure) {
      var transaction = Transaction(now: 0, random: .seeded(1))
      transaction.setTimer(Foretell(), on: PlayerID.sample(1), at: 0)
    }
    await #expect(processExitsWith: .success) {
      var transaction = Transaction(now: 0, random: .seeded(1))
      transaction.setTimer(Reminder(), on: PlayerID.sample(1), at: 0)
    }
  }
}

private struct Ask: Operation {
  typealias Reply = Empty
  static let opcode = Opcode(.context, 0x62)
  static var access: Access { .service }
  static var isReadOnly: Bool { true }
  static var routing: Routing { .firstIdentifier }
  var player = PlayerID()
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
  }
}

private struct Foresee: Operation {
  typealias Reply = Empty
  static let opcode = Opcode(.context, 0x60)
  static var access: Access { .timersAlone }
  static var needs: [FactNeed] { [.fact(Ask.self, at: .caller)] }
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {}
}

/// As `Foresee`, and players call it too.
private struct Foretell: Operation {
  typealias Reply = Empty
  static let opcode = Opcode(.context, 0x61)
  static var needs: [FactNeed] { [.fact(Ask.self, at: .caller)] }
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {}
}
