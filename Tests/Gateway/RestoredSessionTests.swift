import GatewayCore
import Operations
import Testing
import Wire

/// What becomes of a session when a service of the deployment comes back.
@Suite struct RestoredSessionTests {
  @Test(
    "2.8 a service that comes back is subscribed at again, after the last event that was pushed")
  func restored() throws {
    var script = SessionScript()
    try script.signIn()
    #expect(script.push(6) == .send)
    script.session.serviceRestored(
      ProcessAddress(service: .context, partition: 0), &script.state)
    #expect(script.take().pushes == [ServiceRestored.opcode])
    let home = ProcessAddress(service: .request, partition: 0)
    script.session.serviceRestored(home, &script.state)
    let asked = script.take()
    let open = try #require(asked.calls.first)
    let operation = try OpenSession(decoding: open.body)
    #expect(operation.cursor == 6 && operation.instance == SessionScript.instance)
    #expect(operation.cursorEvent == EventID(high: 3, low: 6))
    #expect(asked.pushes.isEmpty, "not before the subscription is there")
    script.answer(open, .success(SessionScript.opened().encoded))
    #expect(script.take().pushes == [ServiceRestored.opcode])
    script.session.serviceRestored(home, &script.state)
    script.answer(try #require(script.take().calls.first), .failure(Failure(.unavailable, "")))
    #expect(script.take().isClose, "a connection without a subscription would stay silent")
  }

  /// Its own place is refused then, and so it learns of it.
  @Test("2.8 a client whose stream has gone back in time is sent to resume")
  func restoredFromABackup() throws {
    var script = SessionScript()
    var resume = Resume()
    resume.token = try SessionScript.token(&script)
    (resume.cursor, resume.cursorEvent) = (9, EventID(high: 3, low: 9))
    script = SessionScript()
    script.call(resume)
    let opening = try #require(script.take().calls.first)
    let asked = try OpenSession(decoding: opening.body)
    #expect(asked.cursor == 9 && asked.cursorEvent == resume.cursorEvent)
    var opened = SessionScript.opened()
    (opened.replayedThrough, opened.replayedEvent) = (11, EventID(high: 3, low: 11))
    script.answer(opening, .success(opened.encoded))
    _ = script.take()
    script.session.serviceRestored(
      ProcessAddress(service: .request, partition: 0), &script.state)
    let restoring = try #require(script.take().calls.first)
    let again = try OpenSession(decoding: restoring.body)
    #expect(again.cursor == 11 && again.cursorEvent == opened.replayedEvent)
    let lost = Failure(.cursorLost, argument: "cursor", "")
    script.answer(restoring, .failure(lost))
    #expect(script.take().isClose)

    script = SessionScript()
    script.call(resume)
    script.answer(try #require(script.take().calls.first), .failure(lost))
    #expect(script.take().failures == [lost])
    // The connection may try again, without a place.
    (resume.cursor, resume.cursorEvent) = (nil, EventID())
    script.call(resume)
    #expect(script.take().calls.count == 1)
  }

  @Test("2.8 a client that missed more events than are pushed again is sent to read them")
  func restoredInPart() throws {
    var script = SessionScript()
    try script.signIn()
    script.session.serviceRestored(
      ProcessAddress(service: .request, partition: 0), &script.state)
    var opened = SessionScript.opened()
    (opened.replayedThrough, opened.streamEnd) = (100, 101)
    script.answer(try #require(script.take().calls.first), .success(opened.encoded))
    #expect(script.take().isClose)
  }

  @Test("2.8 a client that missed events that are gone is sent to learn of it")
  func restoredBehindRemovedEvents() throws {
    for (removed, isClose) in [(11, false), (12, true)] as [(UInt64, Bool)] {
      var script = SessionScript()
      try script.signIn()
      #expect(script.push(11) == .send)
      script.session.serviceRestored(
        ProcessAddress(service: .request, partition: 0), &script.state)
      var opened = SessionScript.opened()
      (opened.replayedThrough, opened.streamEnd, opened.removedThrough) = (20, 20, removed)
      script.answer(try #require(script.take().calls.first), .success(opened.encoded))
      #expect(script.take().isClose == isClose)
    }
  }

  @Test("what was asked for a session that is over does not touch the connection")
  func restoredTooLate() throws {
    var script = SessionScript()
    try script.signIn()
    script.call(SignOut())
    let revoke = try #require(script.take().calls.first)
    script.session.serviceRestored(
      ProcessAddress(service: .request, partition: 0), &script.state)
    let open = try #require(script.take().calls.first)
    script.answer(revoke, .success(Empty().encoded))
    _ = script.take()
    script.answer(open, .failure(Failure(.invalidCredential, "")))
    #expect(script.take().all.isEmpty)
  }
}
