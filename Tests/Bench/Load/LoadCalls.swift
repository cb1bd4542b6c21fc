import BenchPlayers
import Domain
import Operations

/// Draws the calls that a plan asks for.
struct LoadCalls {
  enum Next {
    case ask(RankOfPlayer)
    case submit(SubmitScore)
  }

  private let plan: LoadPlan
  /// Of its own: the system's randomness costs a call into the kernel.
  private var random = RandomSource.seeded(.random(in: .min ... .max))
  private var submission = SubmitScore()
  private var question = RankOfPlayer()

  init(_ plan: LoadPlan) {
    self.plan = plan
    submission.board = plan.board
    question.board = plan.board
  }

  /// A random player's rank or, for some calls, a random score; on a board that was not filled, a
  /// score of the caller's own.
  mutating func next() -> Next {
    let number = random.next()
    if plan.players == 0 {
      submission.value = Int64(number % 1_000_000)
      return .submit(submission)
    }
    let isWrite = number & 0xffff_ffff < UInt64(plan.writesPercent) << 32 / 100
    let count = isWrite && plan.writers > 0 ? plan.writers : plan.players
    let player = FilledBoard.player(
      plan.players - count + Int(number.multipliedFullWidth(by: UInt64(count)).high))
    if !isWrite {
      question.player = player
      return .ask(question)
    }
    submission.player = player
    submission.value = Int64(bitPattern: number &* 0x9e37_79b9_7f4a_7c15)
    return .submit(submission)
  }
}
