import BenchMachine
import Domain
import Wire

/// What the clients of the players do about the answers that they get.
enum Habit: String, CaseIterable {
  /// Each call acknowledges the answers before it, as those of `MusterKit` do.
  case acknowledging
  /// No answer is acknowledged.
  case silent
  /// None is, and each player signs in anew whenever a client may not go on.
  case greedy
}

/// Calls of many players through the engine, without a store. One player in a hundred makes all of
/// the calls; the others make as many as can still be remembered, which leaves the same in memory.
struct AnswersTrial {
  let players: Int
  let calls: Int
  let habit: Habit
  private let engine = Engine(
    core: CounterCore(), partition: .whole, store: StoreID(), lastBatch: 0, lastTime: 0, clock: 0,
    random: .seeded(1))

  init(players: Int, calls: Int, habit: Habit) {
    self.players = players
    self.calls = calls
    self.habit = habit
    engine.load { _, _ in }
  }

  func run() -> [(String, String)] {
    let bounds = AnswerBounds()
    let answersMax =
      switch habit {
      case .acknowledging: 1
      case .silent: bounds.perInstanceMax
      case .greedy: bounds.perOwnerMax
      }
    let before = Machine.residentBytes
    var refused = 0
    let start = Machine.processorTime
    var made = 0
    for player in 0..<players {
      let own = player % 100 == 0 ? calls : min(calls, answersMax + 1)
      made += own
      for number in 0..<own where !call(player, number, bounds) { refused += 1 }
    }
    let nanoseconds = (Machine.processorTime - start) / Double(made)
    let counts = engine.answerCounts
    precondition(counts.rows <= players * answersMax, "more is remembered than may be")
    return [
      ("rows", "\(counts.rows)"), ("bytes", "\(counts.bytes)"),
      ("instances", "\(counts.instances)"), ("refused", "\(refused)"), ("calls", "\(made)"),
      ("call_ns", figure(nanoseconds)),
      ("resident_bytes", "\(Machine.residentBytes - before)"),
    ]
  }

  /// One call of a player; returns whether it ran.
  private func call(_ player: Int, _ number: Int, _ bounds: AnswerBounds) -> Bool {
    let (instance, counter) =
      habit == .greedy
      ? (number / bounds.perInstanceMax, number % bounds.perInstanceMax + 1) : (0, number + 1)
    var envelope = ServiceEnvelope()
    envelope.principal.kind = .player
    envelope.principal.player = PlayerID(high: UInt64(player + 1), low: 7)
    envelope.routingKey = RoutingKey(reinterpreting: envelope.principal.player)
    envelope.idempotency = IdempotencyKey(
      instance: UInt64(player + 1) << 20 | UInt64(instance), counter: UInt64(counter),
      floor: habit == .acknowledging ? UInt64(counter) : 1)
    let request = Request(opcode: CountUp.opcode, envelope: envelope, body: [])
    // Four hundred calls a second.
    let clock = Int64(number) * 10 / 4
    guard case .done(let outcome) = engine.apply(request, clock: clock) else {
      preconditionFailure("a call that was not repeated reads its answer")
    }
    switch outcome.answer {
    case .reply: return true
    case .failure(let failure):
      precondition(failure.code == .floorTooLow, "\(failure)")
      return false
    }
  }
}

/// A service whose answers have eight bytes, and that keeps nothing but them.
private final class CounterCore: ServiceCore {
  static var service: Service { .leaderboard }
  let settings: SettingValues

  init(settings: SettingValues) { self.settings = settings }

  func register(_ tables: inout Tables) {}

  var router: Router {
    var router = Router()
    router.on(CountUp.self) { (_, _, transaction) throws(Stop) in
      CountUp.Reply(time: transaction.now)
    }
    return router
  }
}

private struct CountUp: Operation {
  static let opcode = Opcode(.leaderboard, 0xE0)
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {}

  struct Reply: Message {
    var time: Int64 = 0
    mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("time", &time)
    }
  }
}
