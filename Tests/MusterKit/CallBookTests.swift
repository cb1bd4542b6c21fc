import Operations
import Testing
import Wire

@testable import MusterKit

/// Changes something; its body tells which.
struct Add: Operation {
  static let opcode = Opcode(.context, 0xEF)
  static var routing: Routing { .principal }
  var amount: UInt64 = 0
  init() {}
  init(_ amount: UInt64) { self.amount = amount }
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("amount", &amount)
  }

  struct Reply: Message {
    var total: UInt64 = 0
    init() {}
    mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("total", &total)
    }
  }
}

@Suite("Call book")
struct CallBookTests {
  var book = CallBook()
  private var lastID: UInt64 = 0

  mutating func nextID() -> UInt64 {
    lastID += 1
    return lastID
  }

  /// Makes a call and gives its id; the deadline is far away.
  mutating func add(_ amount: UInt64 = 1, deadline: UInt64 = 10_000, bound: Bool = false) -> UInt64
  {
    let id = nextID()
    let request = CallBook.Request(Add(amount), diesWithConnection: bound)
    #expect(book.add(id, request, deadline: deadline, isSignedOut: false) == nil)
    return id
  }

  mutating func send(now: UInt64 = 0) -> [CallBook.Transmission] {
    book.transmissions(.session, now: now)
  }

  mutating func answer(
    _ sent: CallBook.Transmission, _ result: Result<[UInt8], Failure>, now: UInt64 = 0
  ) -> CallBook.Answer? {
    book.answered(sent.id, attempt: sent.attempt, result, now: now)
  }

  @Test("3.9 data of matches is not refused for other calls that wait, and leaves room for others")
  mutating func matchData() throws {
    for _ in 1...book.limits.waitingMax { _ = add() }
    func put(_ id: UInt64, _ book: inout CallBook, isData: Bool) -> CallBook.Answer? {
      var request = CallBook.Request(Add(1), diesWithConnection: true)
      (request.isMatchData, request.isReadOnly) = (isData, true)
      return book.add(id, request, deadline: 10_000, isSignedOut: false)
    }
    for _ in 1...100 { #expect(put(nextID(), &book, isData: true) == nil) }
    #expect(put(nextID(), &book, isData: false) != nil)
    book = CallBook()
    for _ in 1...2 * book.limits.waitingMax { #expect(put(nextID(), &book, isData: true) == nil) }
    let sent = send()
    #expect(sent.count == 48)
    #expect(send().isEmpty)
    #expect(put(nextID(), &book, isData: false) == nil)
    #expect(send().count == 1)
    // What comes back, for whatever reason, makes room for as many.
    for sent in sent.prefix(5) { _ = answer(sent, .success([])) }
    for sent in sent[5..<10] { _ = answer(sent, .failure(Failure(.rateLimited, "no"))) }
    #expect(send().count == 10)
  }

  /// The error of a call that was sent.
  func refused(_ failure: Failure, _ sent: CallBook.Transmission) -> MusterError {
    var error = MusterError(failure)
    error.trace = sent.envelope.traceID
    return error
  }

  @Test("a call has one trace, over its repetitions and in its error")
  mutating func trace() throws {
    let id = add()
    let first = try #require(send().first)
    let trace = first.envelope.traceID
    #expect(!trace.isNil)
    #expect(answer(first, Self.lost) == nil)
    let second = try #require(send().first)
    #expect(second.envelope.traceID == trace)
    let failure = Failure(.unavailable, "no")
    #expect(answer(second, .failure(failure)) == nil)
    let third = try #require(send(now: 5_000).first)
    #expect(third.envelope.traceID == trace && third.attempt == 3)
    // Under a key of another instance it is the same call all the same.
    _ = add()
    let other = try #require(send(now: 5_000).first)
    #expect(other.envelope.traceID != trace)
    let refusal = try #require(
      answer(third, .failure(Failure(.conflict, "no")), now: 5_000))
    #expect(refusal == .init(id: id, result: .failure(refused(Failure(.conflict, "no"), third))))
    #expect("\(refused(failure, third))".contains(trace.description))
  }

  @Test("the error of a call that was never sent names none")
  mutating func unsentTrace() throws {
    _ = add(deadline: 100)
    let answers = book.expire(now: 100)
    guard case .failure(let error) = try #require(answers.first).result else {
      Issue.record("it was answered")
      return
    }
    #expect(error.trace == nil && error.code == .deadlineExceeded)
  }

  static let lost = Result<[UInt8], Failure>.failure(Failure(.disconnected, "lost"))

  @Test("7.1 a lost reply is asked for again under the same key")
  mutating func lostReply() throws {
    let id = add()
    let first = try #require(send().first)
    #expect(first.envelope.idempotency.counter == 1)
    #expect(answer(first, Self.lost) == nil)
    let second = try #require(send().first)
    #expect(second.envelope.idempotency == first.envelope.idempotency)
    #expect(second.attempt == 2)
    // The answer to the first sending comes late, and is not taken for one to the second.
    #expect(answer(first, .success([1])) == nil)
    #expect(answer(second, .success([2])) == .init(id: id, result: .success([2])))
    #expect(book.calls.isEmpty && book.underWayCount == 0)
  }

  @Test("The floor never passes an unanswered call", arguments: 0..<40 as Range<UInt64>)
  mutating func floor(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    var open: [CallBook.Transmission] = []
    var counters: [UInt64: UInt64] = [:]
    for step in 0..<400 as Range<UInt64> {
      if Int.random(in: 0..<3, using: &random) == 0 { _ = add(step) }
      for sent in send(now: step) {
        let key = sent.envelope.idempotency
        #expect(counters[sent.id, default: key.counter] == key.counter)
        counters[sent.id] = key.counter
        #expect(key.floor <= (book.calls.keys.compactMap { counters[$0] }.min() ?? .max))
        #expect(key.floor <= key.counter)
        open.append(sent)
      }
      guard let sent = open.randomElement(using: &random) else { continue }
      open.removeAll { $0 == sent }
      switch Int.random(in: 0..<5, using: &random) {
      case 0: _ = answer(sent, .failure(Failure(.unavailable, "")), now: step)
      case 1:
        if let cancelled = book.cancel(sent.id) { #expect(cancelled.id == sent.id) }
        open.append(sent)
      case 2:
        for lost in open + [sent] { _ = answer(lost, Self.lost, now: step) }
        open = []
      default: _ = answer(sent, .success([]), now: step)
      }
    }
    for sent in open { _ = answer(sent, .success([]), now: 500) }
    #expect(book.underWayCount == 0)
  }

  /// The server would refuse it with `floorTooLow`: it remembers no more answers than that.
  @Test("7.1 no counter is as far above the floor as the server remembers answers")
  mutating func window() throws {
    let windowMax = UInt64(WireLimits.answersMax)
    for _ in 0..<windowMax + 3 { _ = add() }
    let sent = send()
    #expect(sent.map(\.envelope.idempotency.counter) == Array(1...windowMax))
    // All but the first are answered, so that the floor stays where it is.
    for transmission in sent.dropFirst() { _ = answer(transmission, .success([])) }
    #expect(send().isEmpty)
    let read = nextID()
    _ = book.add(read, .init(Echo()), deadline: 10_000, isSignedOut: false)
    #expect(send().map(\.id) == [read], "what needs no key goes on")
    _ = answer(sent[0], .success([]))
    let rest = send()
    #expect(rest.map(\.envelope.idempotency.counter) == Array(windowMax + 1...windowMax + 3))
    #expect(rest.allSatisfy { $0.envelope.idempotency.floor == windowMax + 1 })
  }

  @Test("A rate limit is waited for, within the deadline")
  mutating func rateLimit() throws {
    let id = add(deadline: 1_000)
    var limited = Failure(.rateLimited, "slow down")
    limited.retryAfterMilliseconds = 300
    let first = try #require(send().first)
    #expect(answer(first, .failure(limited)) == nil)
    #expect(book.wakeTime(.session, now: 0) == 300)
    #expect(send(now: 299).isEmpty)
    let second = try #require(send(now: 300).first)
    #expect(second.envelope.idempotency.counter == 1)
    #expect(second.envelope.deadlineMilliseconds == 700)
    limited.retryAfterMilliseconds = 800
    let error = refused(limited, second)
    #expect(answer(second, .failure(limited), now: 300) == .init(id: id, result: .failure(error)))
    #expect(!error.isOutcomeUnknown)
  }

  @Test("A rate limit is thrown at once where the policy says so")
  mutating func rateLimitAtOnce() throws {
    var policy = RetryPolicy()
    policy.waitsForBudget = false
    book = CallBook(retry: policy)
    _ = add()
    let sent = try #require(send().first)
    #expect(answer(sent, .failure(Failure(.rateLimited, ""))) != nil)
  }

  @Test("Other failures are thrown at once")
  mutating func otherFailures() throws {
    let id = add()
    let failure = Failure(.conflict, "changed", detail: Bytes([7]))
    let sent = try #require(send().first)
    #expect(
      answer(sent, .failure(failure)) == .init(id: id, result: .failure(refused(failure, sent))))
  }

  @Test(
    "7.2 a call for a service that the deployment leaves out is answered at once",
    arguments: [false, true])
  mutating func leftOut(wasSentBefore: Bool) throws {
    let id = add()
    if wasSentBefore { #expect(answer(try #require(send().first), Self.lost) == nil) }
    let sent = try #require(send().first)
    let failure = Failure.leftOut(.context)
    var error = refused(failure, sent)
    // The lost attempt may have met another deployment.
    error.isOutcomeUnknown = wasSentBefore
    #expect(answer(sent, .failure(failure)) == .init(id: id, result: .failure(error)))
    #expect(book.wakeTime(.session, now: 0) == nil)
  }

  @Test("The deadline ends a call; whether it ran is said")
  mutating func deadline() throws {
    let sentCall = add(deadline: 100)
    let sent = try #require(send().first)
    let waitingCall = nextID()
    #expect(
      book.add(waitingCall, .init(Add(2)), deadline: 100, isSignedOut: false) == nil)
    let answers = book.expire(now: 100)
    #expect(answers.map(\.id) == [sentCall, waitingCall])
    let errors = answers.compactMap { answer -> MusterError? in
      if case .failure(let error) = answer.result { error } else { nil }
    }
    #expect(errors.map(\.code) == [.deadlineExceeded, .deadlineExceeded])
    #expect(errors.map(\.isOutcomeUnknown) == [true, false])
    // Its place and its key are free once nothing more can come.
    #expect(book.underWayCount == 1 && book.floor == 1)
    #expect(answer(sent, .success([])) == nil)
    #expect(book.underWayCount == 0 && book.floor == 2)
  }

  @Test("Cancelling stops the waiting; the floor moves on only when it is safe")
  mutating func cancel() throws {
    let unsent = add()
    guard case .failure(let first) = book.cancel(unsent)?.result else {
      Issue.record("not cancelled")
      return
    }
    #expect(first.code == .cancelled && !first.isOutcomeUnknown)
    let id = add()
    let sent = try #require(send().first)
    guard case .failure(let second) = book.cancel(id)?.result else {
      Issue.record("not cancelled")
      return
    }
    #expect(second.isOutcomeUnknown)
    #expect(book.floor == 1)
    #expect(answer(sent, Self.lost) == nil)
    #expect(book.floor == 2)
    #expect(send().isEmpty)
  }

  mutating func addSearch() -> UInt64 {
    let id = nextID()
    #expect(book.add(id, .init(FindMatch()), deadline: 10_000, isSignedOut: false) == nil)
    return id
  }

  @Test("3.2 a call for a ticket that was sent is not cancelled: its reply tells what to take back")
  mutating func seenThrough() throws {
    let unsent = addSearch()
    guard case .failure(let cancelled) = book.cancel(unsent)?.result else {
      Issue.record("not cancelled")
      return
    }
    #expect(cancelled.code == .cancelled && !cancelled.isOutcomeUnknown)
    let id = addSearch()
    let lost = try #require(send().first)
    #expect(book.cancel(id) == nil)
    #expect(answer(lost, Self.lost) == nil)
    #expect(book.cancel(id) == nil)
    let again = try #require(send().first)
    #expect(again.envelope.idempotency.counter == lost.envelope.idempotency.counter)
    #expect(answer(again, .success([7])) == .init(id: id, result: .success([7])))
  }

  @Test("3.2 a call for a ticket that was refused for a time is cancelled while it waits")
  mutating func seenThroughNoMore() throws {
    let id = addSearch()
    let sent = try #require(send().first)
    #expect(answer(sent, .failure(Failure(.rateLimited, "", retryAfterMilliseconds: 5))) == nil)
    #expect(book.cancel(id) != nil && send(now: 9_000).isEmpty)
  }

  @Test("No more calls go out than the server takes; no more wait than are bounded")
  mutating func bounds() throws {
    var limits = CallBook.Limits()
    limits.openMax = 2
    limits.waitingMax = 3
    book = CallBook(limits: limits)
    for _ in 0..<3 { _ = add() }
    let sent = send()
    #expect(sent.map(\.id) == [1, 2])
    for _ in 0..<2 { _ = add() }
    let refused = book.add(9, .init(Add(1)), deadline: 1, isSignedOut: false)
    guard case .failure(let error) = refused?.result else {
      Issue.record("taken")
      return
    }
    #expect(error.code == .backpressure)
    _ = answer(sent[0], .success([]))
    #expect(send().map(\.id) == [3])
  }

  @Test("A server that takes fewer calls gets no more at once; one that says nothing, as many")
  mutating func serverBounds() throws {
    for _ in 0..<4 { _ = add() }
    book.serverTakes(openCalls: 0)
    book.serverTakes(openCalls: 3)
    // The client's own limit is the lower one from then on.
    book.serverTakes(openCalls: 1000)
    #expect(send().map(\.id) == [1, 2, 3])
  }

  @Test("Repeated calls go out in the order they were made in")
  mutating func order() {
    for _ in 0..<3 { _ = add() }
    let sent = send()
    _ = add()
    for one in sent.reversed() { #expect(answer(one, Self.lost) == nil) }
    #expect(send().map(\.id) == [1, 2, 3, 4])
  }

  @Test("Under a new instance nothing that may have run is run again")
  mutating func newInstance() throws {
    let ran = add()
    let refused = add()
    let sent = send()
    let unsent = add()
    #expect(answer(sent[0], Self.lost) == nil)
    #expect(answer(sent[1], .failure(Failure(.storageFull, "")), now: 0) == nil)
    let answers = book.instanceReplaced()
    #expect(answers.map(\.id) == [ran])
    guard case .failure(let error) = answers.first?.result else { return }
    #expect(error.code == .unavailable && error.isOutcomeUnknown)
    let again = send(now: 5_000)
    #expect(again.map(\.id) == [refused, unsent])
    #expect(again.map(\.envelope.idempotency.counter) == [1, 2])
  }

  @Test("Under a new instance a call that may run twice goes out again")
  mutating func newInstanceRepeats() throws {
    let harmless: [CallBook.Request] = [.init(ReadEvents()), .init(JoinMatch())]
    for request in harmless {
      #expect(book.add(nextID(), request, deadline: 10_000, isSignedOut: false) == nil)
    }
    let sent = send()
    #expect(sent.map(\.envelope.idempotency.counter) == [0, 1])
    for one in sent { #expect(answer(one, Self.lost) == nil) }
    #expect(book.instanceReplaced().isEmpty)
    let again = send()
    #expect(again.map(\.opcode) == [ReadEvents.opcode, JoinMatch.opcode])
    #expect(again.map(\.envelope.idempotency.counter) == [0, 1])
    for one in again { #expect(answer(one, .success([7]))?.result == .success([7])) }
  }

  @Test("What is bound to a connection is lost with it")
  mutating func bound() throws {
    let id = add(bound: true)
    let sent = try #require(send().first)
    let waiting = add(bound: true)
    #expect(book.connectionLost().map(\.id) == [waiting])
    #expect(answer(sent, Self.lost)?.id == id)
    #expect(send().isEmpty)
  }

  @Test("Before sign-in only anonymous calls are taken, and a frame too large never is")
  mutating func refusals() {
    #expect(book.add(1, .init(Add(1)), deadline: 1, isSignedOut: true) != nil)
    #expect(book.add(2, .init(Echo()), deadline: 1, isSignedOut: true) == nil)
    #expect(book.transmissions(.shut, now: 0).isEmpty)
    #expect(book.transmissions(.anonymous, now: 0).map(\.id) == [2])
    var echo = Echo()
    echo.payload = Bytes([UInt8](repeating: 0, count: WireLimits.clientFrameSizeMax))
    #expect(book.add(3, .init(echo), deadline: 1, isSignedOut: false) != nil)
  }
}

/// A small generator whose seed tells everything.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64
  init(seed: UInt64) { state = seed }
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }
}
