import Wire

/// Decides which call is made and which one waits for others.
extension ClientSession {
  /// True while the request service begins or ends the session: no call can be made then.
  var isChanging: Bool {
    switch state {
    case .opening, .closing: true
    case .anonymous, .player, .trusted, .closed: false
    }
  }

  /// Makes a call that waits for no other: it is answered here, passed on, or held while its facts
  /// are fetched.
  ///
  /// - Parameter frame: the body of the frame that the call came in.
  mutating func begin(
    _ token: CallToken, _ header: FrameHeader, _ frame: RawSpan, operationAt start: Int,
    _ gateway: inout GatewayState
  ) {
    let operation = frame.extracting(droppingFirst: start)
    if Opcode(rawValue: header.opcode).service == .gateway {
      keep(operation, of: token)
      answerHere(token, &gateway)
      return
    }
    let caller = caller
    let needsFacts: Bool?
    do throws(Failure) {
      needsFacts = try calls[token]?.route(operation, from: caller, number, &gateway)
    } catch {
      fail(token, error, &gateway)
      return
    }
    if needsFacts == true {
      keep(operation, of: token)
      hold(token, &gateway)
      fetchFacts(token, &gateway)
    } else {
      // The bytes go from the read buffer into the link's: most calls are copied nowhere else here.
      forward(token, lentAfter: start, &gateway)
    }
  }

  /// Keeps a call in its place among those that are held, by when it came.
  mutating func hold(_ token: CallToken, _ gateway: inout GatewayState) {
    guard let arrival = calls[token]?.arrival else { return }
    let place = held.firstIndex { (calls[$0]?.arrival ?? 0) > arrival } ?? held.endIndex
    held.insert(token, at: place)
    watchDeadlines(&gateway)
  }

  /// Asks to be woken at the first deadline of a held call, or when somebody has to have signed in,
  /// unless something earlier was asked for.
  mutating func watchDeadlines(_ gateway: inout GatewayState) {
    let deadlines = held.lazy.compactMap { [calls] in calls[$0]?.deadline }
    let first = min(deadlines.min() ?? .max, isStranger ? signInDue : .max)
    guard first < wakeTime else { return }
    wakeTime = first
    gateway.act(.wake(afterMilliseconds: first - min(first, gateway.now)))
  }

  /// The time has come that was asked for: held calls whose time is up fail, whatever they wait
  /// for, and a connection ends on which nobody has signed in.
  public mutating func timeHasPassed(_ gateway: inout GatewayState) {
    wakeTime = .max
    giveUpStranger(&gateway)
    for token in held where calls[token].map({ $0.deadline <= gateway.now }) ?? false {
      fail(token, .waitedTooLong, &gateway)
    }
    held.removeAll { [calls] in calls[$0] == nil }
    wake(&gateway)
  }

  /// Makes the held calls that wait for nothing any more.
  ///
  /// A call waits for an earlier call to the same key, and for an earlier call that changes the
  /// session. A call that changes the session waits for all earlier calls. At most `openCallsMax`
  /// calls are looked at, each beside the earlier ones that stay held.
  mutating func wake(_ gateway: inout GatewayState) {
    var index = 0
    while index < held.count, !isChanging {
      let token = held[index]
      guard isAlive(token, &gateway) else {
        held.remove(at: index)
        continue
      }
      // It waits for the calls before it, and those after it wait for it.
      if calls[token]?.changesSession == true && index > 0 { break }
      if calls[token]?.opcode.service == .gateway {
        held.remove(at: index)
        answerHere(token, &gateway)
      } else if !mayGo(token, behind: held[..<index]) {
        index += 1
      } else if calls[token]?.needsFacts == true {
        if calls[token]?.stage == .waiting { fetchFacts(token, &gateway) }
        index += 1
      } else {
        held.remove(at: index)
        forward(token, &gateway)
      }
    }
    checkHeld()
    watchDeadlines(&gateway)
  }

  /// Routes a held call that is not routed yet. Returns false when the call has ended, earlier or
  /// by this.
  private mutating func isAlive(_ token: CallToken, _ gateway: inout GatewayState) -> Bool {
    guard let call = calls[token] else { return false }
    do throws(Failure) {
      try check(call, now: gateway.now)
      if !call.isRouted && call.opcode.service != .gateway {
        let caller = caller
        try unsafe calls[token]?.route(call.operation.span.bytes, from: caller, number, &gateway)
      }
      return true
    } catch {
      fail(token, error, &gateway)
      return false
    }
  }

  /// Throws when a call's deadline has passed, or when its session has ended since it was routed.
  /// The services were told that the session's number is gone; a call that came with it now would
  /// open a channel that nobody closes.
  func check(_ call: OpenCall, now: UInt64) throws(Failure) {
    if call.deadline <= now { throw .waitedTooLong }
    if call.isRouted && call.envelope.session != number.rawValue {
      throw Failure(.notAuthenticated, "The session ended meanwhile.")
    }
  }

  private func mayGo(_ token: CallToken, behind earlier: ArraySlice<CallToken>) -> Bool {
    guard let call = calls[token] else { return false }
    return !earlier.contains { calls[$0]?.isInOrder(with: call) ?? false }
  }

  /// A held call always has something that wakes it: the answer that ends the change of the
  /// session, or the facts of the first call that is held.
  private func checkHeld() {
    guard let first = held.first, !isChanging else { return }
    precondition(
      calls[first]?.stage == .fetching && calls[first]?.needsFacts == true,
      "nothing wakes the calls that are held")
  }
}

extension Failure {
  static let waitedTooLong = Failure(
    .deadlineExceeded, "The call waited for others, or for facts, for all its time.")
}
