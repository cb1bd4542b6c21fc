import Foundation
import Operations
import Wire

/// The calls of a plan as frames in files, for the load generator in C (`Baseline/frame_load.c`).
/// It costs the machine less than this one does, and is the one that drives the C echo.
struct LoadScript {
  /// More than a benchmark of ranks makes.
  private static let callCount = 500_000

  private var openings: [UInt8] = []
  private let plan: LoadPlan

  init(_ plan: LoadPlan) { self.plan = plan }

  /// How one more connection signs in.
  mutating func open(with signIn: some Wire.Operation) { openings += Self.frame(signIn) }

  /// Writes both files; gives what their reader has to know besides, as JSON.
  func write() throws -> String {
    var drawn = LoadCalls(plan)
    var calls: [UInt8] = []
    for _ in 0..<Self.callCount {
      switch drawn.next() {
      case .ask(let question): calls += Self.frame(question)
      case .submit(let submission): calls += Self.frame(submission)
      }
    }
    let folder = URL(fileURLWithPath: plan.script)
    try Data(openings).write(to: folder.appendingPathComponent("openings"))
    try Data(calls).write(to: folder.appendingPathComponent("calls"))
    return "{\"counters_at\":\(Self.countersAt),\"reply_min\":\(replyMin)}"
  }

  private static func frame<O: Wire.Operation>(_ operation: O) -> [UInt8] {
    FrameHeader(kind: .request, opcode: O.opcode.rawValue, correlation: 0)
      .frame(body: Enveloped.join(ClientEnvelope(), operation.encoded))
  }

  /// Where a body has the counter and the floor of its idempotency key, one behind the other.
  private static var countersAt: Int {
    var envelope = ClientEnvelope()
    envelope.idempotency.counter = .max
    let body = Enveloped.join(envelope, [])
    return body.firstIndex(of: .max) ?? body.count
  }

  /// The smallest body of an answer that says what was asked for.
  private var replyMin: Int {
    if plan.players == 0 { return SubmitScore.Reply().encoded.count }
    var standing = RankOfPlayer.Reply()
    standing.entry = LeaderboardEntry()
    return min(standing.encoded.count, SubmitScore.Reply().encoded.count)
  }
}
