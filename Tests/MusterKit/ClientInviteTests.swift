import MusterKit
import TestKit
import Testing

@Suite("Client invitations to matches", .endsAtLast)
struct ClientInviteTests {
  private let first = MatchInviteReference(
    inviter: PlayerID(high: 1, low: 1), invite: MatchInviteID(high: 2, low: 1))
  private let second = MatchInviteReference(
    inviter: PlayerID(high: 1, low: 1), invite: MatchInviteID(high: 2, low: 2))

  private func invitation(_ reference: MatchInviteReference) -> MatchInvitation {
    var event = MatchInvitation()
    (event.inviter, event.invite) = (reference.inviter, reference.invite)
    event.expiresAt = reference == first ? 60_000 : 100_000
    return event
  }

  private func word(_ news: MatchInviteNews?) -> String {
    switch news {
    case .received(let invitation): "received \(invitation.invite.low)"
    case .answered(let reference, let answer): "answered \(reference.invite.low) \(answer)"
    case .heard(let answered): "heard \(answered.answer)"
    case .found(let found): "found \(found.context.low)"
    case .ended(let ended): "ended \(ended.invite.low)"
    case .closed(let reference): "closed \(reference.invite.low)"
    case nil: "end"
    }
  }

  @Test("3.6 an accepted invitation waits until the player is authenticated and somebody listens")
  func waits() async throws {
    try await withWorld { world in
      try await world.server { $0.tickets.inviteAnswers = [first.invite: .accepted] }
      let client = world.client()
      try await client.acceptMatchInvite(first)
      try await client.acceptMatchInvite(first)
      let credential = try await client.signUp(displayName: "Ada")
      try await client.signIn(credential)
      _ = try await client.call(Add(1))
      #expect(try await world.server { $0.tickets.answered.isEmpty }, "nobody listens")
      var listener = client.matchInvites.makeAsyncIterator()
      #expect(word(await listener.next()) == "answered 1 accepted")
      let answers = try await world.server { $0.tickets.answered }
      #expect(answers.map(\.invite) == [first.invite] && answers.map(\.answer) == [.accepted])
      await client.close()
      #expect(await listener.next() == nil)
    }
  }

  @Test("3.6 a listener from before the sign-in gets the accepted invitation after it, once")
  func listensFirst() async throws {
    try await withWorld { world in
      try await world.server { $0.tickets.inviteAnswers = [first.invite: .accepted] }
      let client = world.client()
      var listener = client.matchInvites.makeAsyncIterator()
      try await client.acceptMatchInvite(first)
      let credential = try await client.signUp(displayName: "Ada")
      #expect(try await world.server { $0.tickets.answered.isEmpty }, "nobody is signed in")
      try await client.signIn(credential)
      #expect(word(await listener.next()) == "answered 1 accepted")
      // Over another connection nothing is answered again.
      try await world.server { $0.dropAll() }
      _ = try await client.call(Add(1))
      #expect(try await world.server { $0.tickets.answered.count } == 1)
      await client.close()
    }
  }

  @Test("3.6 invitations that came before the listener come to it, and only those still open")
  func replay() async throws {
    try await withWorld { world in
      let (one, two) = (invitation(first), invitation(second))
      try await world.server { server in
        server.append(one)
        server.append(two)
        var ended = MatchInviteEnded()
        (ended.inviter, ended.invite) = (two.inviter, two.invite)
        server.append(ended)
      }
      let client = try await world.signedIn()
      _ = try await client.call(Add(1))
      var listener = client.matchInvites.makeAsyncIterator()
      #expect(word(await listener.next()) == "received 1")
      #expect(word(await listener.next()) == "ended 2")
      await client.close()
    }
  }

  @Test("3.6 last night's invitation is not shown in the morning")
  func missed() async throws {
    try await withWorld { world in
      let (old, new) = (invitation(first), invitation(second))
      try await world.server { server in
        server.append(old)
        server.append(new, at: 40_000)
        server.time = 60_000
      }
      let client = world.client()
      var listener = client.matchInvites.makeAsyncIterator()
      let credential = try await client.signUp(displayName: "Ada")
      try await client.signIn(credential)
      #expect(word(await listener.next()) == "received 2")
      await client.close()
    }
  }

  @Test("3.6 registering twice is harmless: one answer, and both hear of it")
  func twice() async throws {
    try await withWorld { world in
      let one = invitation(first)
      try await world.server { server in
        server.tickets.inviteAnswers = [one.invite: .accepted]
        server.append(one)
      }
      let client = try await world.signedIn()
      var listeners = [
        client.matchInvites.makeAsyncIterator(), client.matchInvites.makeAsyncIterator(),
      ]
      for place in listeners.indices {
        #expect(word(await listeners[place].next()) == "received 1")
      }
      try await client.acceptMatchInvite(first)
      for place in listeners.indices {
        #expect(word(await listeners[place].next()) == "answered 1 accepted")
      }
      #expect(try await world.server { $0.tickets.answered.count } == 1)
      await client.close()
    }
  }

  @Test(
    "3.6 the answer that counts is told: also that the invitation was over by then",
    arguments: [
      MatchInviteAnswer.accepted, .unableToConnect, .noAnswer, .declined, .failed, .incompatible,
    ])
  func answers(_ answer: MatchInviteAnswer) async throws {
    try await withWorld { world in
      let one = first
      try await world.server { server in
        if answer != .noAnswer { server.tickets.inviteAnswers = [one.invite: answer] }
      }
      let client = try await world.signedIn()
      var listener = client.matchInvites.makeAsyncIterator()
      try await client.acceptMatchInvite(first)
      #expect(word(await listener.next()) == "answered 1 \(answer)")
      // What friends answer to the player's own invitations comes the same way.
      var heard = MatchInviteAnswered()
      heard.answer = answer
      let event = heard
      try await world.server { $0.append(event) }
      #expect(word(await listener.next()) == "heard \(answer)")
      await client.close()
    }
  }

  @Test("3.6 an invitation that was declined is open no more, for whoever listens")
  func declined() async throws {
    try await withWorld { world in
      let one = invitation(first)
      try await world.server { server in
        server.tickets.inviteAnswers = [one.invite: .declined]
        server.append(one)
      }
      let client = try await world.signedIn()
      var listener = client.matchInvites.makeAsyncIterator()
      #expect(word(await listener.next()) == "received 1")
      var decline = AnswerMatchInvite()
      (decline.inviter, decline.invite, decline.answer) = (one.inviter, one.invite, .declined)
      _ = try await client.call(decline)
      #expect(word(await listener.next()) == "closed 1")
      await client.close()
    }
  }

  @Test("3.6 an invitation whose time is up is closed")
  func timeIsUp() async throws {
    try await withWorld { world in
      let client = try await world.signedIn()
      var listener = client.matchInvites.makeAsyncIterator()
      // Who listens from here on hears of the short one, however late this test goes on.
      try await world.server { [first] in $0.append(invitation(first)) }
      #expect(word(await listener.next()) == "received 1")
      var short = invitation(second)
      short.waitMilliseconds = 1
      try await world.server { [short] in $0.append(short) }
      #expect(word(await listener.next()) == "received 2")
      #expect(word(await listener.next()) == "closed 2")
      await client.close()
    }
  }

  @Test("3.6 who has accepted joins the match that was found")
  func found() async throws {
    try await withWorld { world in
      let client = try await world.signedIn()
      var listener = client.matchInvites.makeAsyncIterator()
      try await world.server { server in
        var found = MatchFound()
        found.context = FakeTickets.context
        server.append(found)
      }
      guard case .found(let event) = await listener.next() else {
        Issue.record("no match was found")
        return
      }
      #expect(try await client.join(event).context == FakeTickets.context)
      await client.close()
    }
  }
}
