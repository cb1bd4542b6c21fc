public import Wire

/// A request as it arrived at a service's process.
public struct Request: Sendable {
  public var opcode: Opcode
  public var envelope: ServiceEnvelope
  /// The operation's bytes; empty while they are lent beside the request.
  public var body: [UInt8]
  /// The connection it came on, for pushes.
  public var link: UInt64
  /// When nobody waits for the answer any more, in microseconds of the process's monotonic clock. A
  /// call that has had to wait until then is not run. Effects, hints and timers always are.
  public var deadline = UInt64.max
  /// Set when a timer fires instead of a caller; the operation's bytes then come from the timer.
  public internal(set) var timer: FiringTimer?

  public init(opcode: Opcode, envelope: ServiceEnvelope, body: [UInt8], link: UInt64 = 0) {
    self.opcode = opcode
    self.envelope = envelope
    self.body = body
    self.link = link
  }

  /// The request with bytes of its own, for one that has to wait.
  public func withCopy(of lent: RawSpan) -> Request {
    if body.count == lent.byteCount { return self }
    var copy = self
    copy.body = [UInt8](copying: lent)
    return copy
  }
}

public enum Answer: Equatable, Sendable {
  case reply([UInt8])
  case failure(Failure)
}

/// What a command did. Nothing of it may leave the process before `changes` and every earlier
/// change of `slot` are durable.
public struct Outcome: Sendable {
  public var answer: Answer
  public var slot: Int
  /// When it ran, by the engine's time: as late as any row in `changes`.
  public var time: Int64 = 0
  public var changes = RowChanges()
  public var pushes: [Push] = []
  public var hints: [Hint] = []
  public var effects: [OutboxRow] = []
  /// The effects on keys of this process that are to be applied before anything else is done; see
  /// `Engine.applyOwnEffects`.
  public var ownEffects: [Effect] = []

  package init(answer: Answer, slot: Int, time: Int64 = 0) {
    (self.answer, self.slot, self.time) = (answer, slot, time)
  }
}

public enum Step: Sendable {
  case done(Outcome)
  /// Run the same request again with these rows.
  case needs([ColdRange])
}
