import Operations
import Transport
import Wire

/// A connection that sends what it is told to, also what no client of ours would.
actor RawClient {
  private let thread = LoopThread(name: "raw-client")
  private let port: UInt16
  private let tls: TLSClientContext
  private var made: Link?

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe thread.executor.asUnownedSerialExecutor()
  }

  init(port: UInt16, _ tls: TLSClientContext) {
    self.port = port
    self.tls = tls
  }

  private var link: Link {
    if let made { return made }
    let link = Link(
      on: thread.executor.loop(for: self), host: "127.0.0.1", port: port, tls: tls)
    made = link
    return link
  }

  /// Calls with any envelope and any body.
  func call(
    _ opcode: Opcode, _ envelope: some Message & Sendable, _ body: [UInt8] = [],
    deadlineMilliseconds: UInt64 = 10_000
  ) async -> Result<[UInt8], Failure> {
    await withCheckedContinuation { continuation in
      link.call(
        opcode.rawValue, body: Enveloped.join(envelope, body),
        deadlineMilliseconds: deadlineMilliseconds
      ) { continuation.resume(returning: $0) }
    }
  }

  func call<O: Operation>(_ operation: O, _ envelope: ClientEnvelope) async
    -> Result<O.Reply, Failure>
  {
    Self.decoded(O.self, await call(O.opcode, envelope, operation.encoded))
  }

  /// Calls as a client of the gateway; a counter above 0 makes an idempotency key.
  func call<O: Operation>(_ operation: O, counter: UInt64 = 0) async -> Result<O.Reply, Failure> {
    var envelope = ClientEnvelope()
    envelope.idempotency.counter = counter
    envelope.idempotency.floor = counter
    return await call(operation, envelope)
  }

  /// Makes calls at once, in this order, under keys of their own from `counter` on. Returns when
  /// they are sent; the stream has the code of each that fails, and nil for each that succeeds.
  func begin<O: Operation>(_ operations: [O], counter: UInt64) -> AsyncStream<FailureCode?> {
    let (ends, told) = AsyncStream.makeStream(of: FailureCode?.self)
    var openCount = operations.count
    for (index, operation) in operations.enumerated() {
      var envelope = ClientEnvelope()
      envelope.deadlineMilliseconds = 60_000
      envelope.idempotency.counter = counter + UInt64(index)
      envelope.idempotency.floor = counter
      link.call(
        O.opcode.rawValue, body: Enveloped.join(envelope, operation.encoded),
        deadlineMilliseconds: 60_000
      ) { result in
        told.yield(result.code)
        openCount -= 1
        if openCount == 0 { told.finish() }
      }
    }
    return ends
  }

  /// Keeps `window` calls of one key under way, under keys of their own, until one fails. Returns
  /// how many succeeded; `told` hears of each.
  func pump<O: Operation>(
    _ operation: O, window: UInt64, _ told: @escaping @Sendable (Int) -> Void
  ) async -> Int {
    await withCheckedContinuation { continuation in
      var (succeeded, openCount, counter, isOver) = (0, window, 0 as UInt64, false)
      func next() {
        counter += 1
        var envelope = ClientEnvelope()
        envelope.idempotency.counter = counter
        envelope.idempotency.floor = counter > window ? counter - window : 1
        link.call(
          O.opcode.rawValue, body: Enveloped.join(envelope, operation.encoded),
          deadlineMilliseconds: 60_000
        ) { result in
          if case .success = result { succeeded += 1 } else { isOver = true }
          told(succeeded)
          if !isOver { return next() }
          openCount -= 1
          if openCount == 0 { continuation.resume(returning: succeeded) }
        }
      }
      for _ in 0..<window { next() }
    }
  }

  /// Sends two calls at once, so that the second is there before the first is done.
  func callBoth<Envelope: Message & Sendable>(
    _ first: (Opcode, Envelope, [UInt8]), _ second: (Opcode, Envelope, [UInt8])
  ) async -> Result<[UInt8], Failure> {
    await withCheckedContinuation { continuation in
      for (index, call) in [first, second].enumerated() {
        link.call(
          call.0.rawValue, body: Enveloped.join(call.1, call.2), deadlineMilliseconds: 10_000
        ) { if index == 1 { continuation.resume(returning: $0) } }
      }
    }
  }

  /// Makes two calls at once as a client of the gateway, in this order, under keys of their own.
  func callInOrder<First: Operation, Second: Operation>(_ first: First, _ second: Second) async
    -> (Result<First.Reply, Failure>, Result<Second.Reply, Failure>)
  {
    let calls = [(First.opcode, first.encoded), (Second.opcode, second.encoded)]
    let answers = await withCheckedContinuation { continuation in
      var answers: [Int: Result<[UInt8], Failure>] = [:]
      for (index, (opcode, body)) in calls.enumerated() {
        var envelope = ClientEnvelope()
        (envelope.idempotency.counter, envelope.idempotency.floor) = (UInt64(index) + 1, 1)
        link.call(
          opcode.rawValue, body: Enveloped.join(envelope, body), deadlineMilliseconds: 10_000
        ) { answer in
          answers[index] = answer
          if answers.count == calls.count { continuation.resume(returning: answers) }
        }
      }
    }
    return (Self.decoded(First.self, answers[0]), Self.decoded(Second.self, answers[1]))
  }

  private static func decoded<O: Operation>(_ type: O.Type, _ answer: Result<[UInt8], Failure>?)
    -> Result<O.Reply, Failure>
  {
    guard let answer else { return .failure(Failure(.disconnected, "There is no answer.")) }
    return answer.flatMap { body in
      Result { () throws(WireError) in try O.Reply(decoding: body) }
        .mapError { Failure(.malformed, "\($0)") }
    }
  }

  func end() async {
    made?.close()
    thread.stop()
    await thread.stopped()
  }
}

extension Result where Failure == Wire.Failure {
  /// The code of the failure; nil for a success.
  var code: FailureCode? { failure?.code }
  var failure: Wire.Failure? {
    if case .failure(let failure) = self { failure } else { nil }
  }
}
