import Foundation
import Operations
import Wire

/// The calls of a plan as frames in files, for the load generator in C (`Baseline/frame_load.c`).
/// It costs the machine less than this one does, and is the one that drives the C echo. Of players
/// who only stay connected there are no calls, but what programs in `Attack` send.
struct LoadScript {
  /// More than a benchmark of ranks makes.
  private static let callCount = 500_000
  /// Bytes of the frames with echoes: of the largest that a client may send, and of half of it.
  private static let echoSizes = [WireLimits.clientFrameSizeMax, WireLimits.clientFrameSizeMax / 2]

  private var openings: [UInt8] = []
  private let plan: LoadPlan

  init(_ plan: LoadPlan) { self.plan = plan }

  /// How one more connection signs in.
  mutating func open(with signIn: some Wire.Operation) { openings += Self.frame(signIn) }

  /// Writes the files; gives what their reader has to know besides, as JSON.
  func write() throws -> String {
    try write(openings, "openings")
    if plan.play == .idle {
      for size in Self.echoSizes { try write(Self.echo(frameSize: size), "echo-\(size)") }
      try write(Self.frame(Resume()), "resume")
    } else {
      try write(calls(), "calls")
    }
    return """
      {"counters_at":\(Self.countersAt),"reply_min":\(replyMin),"token_at":\(Self.tokenAt)}
      """
  }

  private func write(_ frames: [UInt8], _ name: String) throws {
    try Data(frames).write(to: URL(fileURLWithPath: plan.script).appendingPathComponent(name))
  }

  private func calls() -> [UInt8] {
    var drawn = LoadCalls(plan)
    var calls: [UInt8] = []
    for _ in 0..<Self.callCount {
      switch drawn.next() {
      case .ask(let question): calls += Self.frame(question)
      case .submit(let submission): calls += Self.frame(submission)
      }
    }
    return calls
  }

  /// An echo whose frame has so many bytes.
  private static func echo(frameSize: Int) -> [UInt8] {
    var echo = Echo()
    echo.payload = Bytes([UInt8](repeating: 0x5a, count: frameSize - frame(echo).count))
    return frame(echo)
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

  /// Where the frame of a `Resume` has the length of its token, behind which the token belongs.
  private static var tokenAt: Int {
    WireLimits.frameHeaderSize + Enveloped.join(ClientEnvelope(), []).count
  }

  /// The smallest body of an answer that says what was asked for.
  private var replyMin: Int {
    if plan.players == 0 { return SubmitScore.Reply().encoded.count }
    var standing = RankOfPlayer.Reply()
    standing.entry = LeaderboardEntry()
    return min(standing.encoded.count, SubmitScore.Reply().encoded.count)
  }
}
