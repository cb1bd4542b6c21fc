import Locking
@testable import MusterKit
import TestKit
import Testing

@testable import GameKitCompat

extension GameKitTests {
  @MainActor
  final class InviteListener: GKLocalPlayerListener {
    private let told = AsyncStream.makeStream(of: GKInvite.self)

    func next() async -> GKInvite? {
      var iterator = told.stream.makeAsyncIterator()
      return await iterator.next()
    }

    func player(_ player: GKPlayer, didAccept invite: GKInvite) { told.continuation.yield(invite) }
  }

  @MainActor
  @Suite("Invitations", .serialized, .endsAtLast)
  struct InviteTests {
    let listener = InviteListener()

    init() {
      GKLocalPlayer.local.unregisterAllListeners()
      GameKit.showInviteBanner = nil
    }

    static func reference(_ number: UInt64) -> MatchInviteReference {
      MatchInviteReference(inviter: FakeClient.friend, invite: MatchInviteID(high: 7, low: number))
    }

    static func invitation(_ number: UInt64) -> MatchInvitation {
      var invitation = MatchInvitation()
      invitation.inviter = FakeClient.friend
      invitation.invite = reference(number).invite
      (invitation.playerGroup, invitation.playerAttributes) = ("5", 0xff)
      invitation.message = "Join my counter!"
      return invitation
    }

    static func ended(
      _ number: UInt64, in context: ContextID? = nil, ticket: MatchTicketID? = nil
    ) -> MatchInviteNews {
      var ended = MatchInviteEnded()
      (ended.inviter, ended.invite) = (FakeClient.friend, reference(number).invite)
      (ended.context, ended.ticket, ended.playerGroup) = (context, ticket, "5")
      return .ended(ended)
    }

    private func match(for invite: GKInvite) async -> Outcome<GKMatch> {
      await GameKitTests.outcome {
        GKMatchmaker.shared().match(for: invite, completionHandler: $0)
      }
    }

    @Test("3.6 An accepted invitation waits until the player is authenticated")
    func waitsForPlayer() async {
      let client = GameKitTests.client { $0.isSignedIn = false }
      GKLocalPlayer.local.register(listener)
      GKLocalPlayer.local.register(listener)
      GameKit.acceptInvite(Self.reference(1))
      GameKit.acceptInvite(Self.reference(1))
      #expect(client.answers.withLock { $0.accepted }.isEmpty)
      client.setSignedIn(true)
      #expect(await listener.next()?.reference == Self.reference(1))
      #expect(client.answers.withLock { $0.accepted } == [Self.reference(1)])
      // Nothing was told twice: the next one is another.
      GameKit.acceptInvite(Self.reference(2))
      #expect(await listener.next()?.reference == Self.reference(2))
    }

    @Test("3.6 It waits until the handler was told of the player, where the game has one")
    func waitsForHandler() async throws {
      let hold = Signal()
      let client = GameKitTests.client { ($0.isSignedIn, $0.signInHold) = (false, hold) }
      GameKit.configure(
        connection: client,
        credential: Credential(player: FakeClient.me, device: DeviceID(), secret: []))
      var told = 0
      GKLocalPlayer.local.authenticateHandler = { _, _ in told += 1 }
      await client.signedIn.next()
      // The player is there, and the handler does not know it yet.
      GKLocalPlayer.local.register(listener)
      GameKit.acceptInvite(Self.reference(1))
      _ = try await GKLocalPlayer.local.loadFriends()
      #expect(told == 0 && client.answers.withLock { $0.accepted }.isEmpty)
      hold.yield()
      #expect(await listener.next() != nil)
      #expect(told == 1)
      GKLocalPlayer.local.authenticateHandler = nil
    }

    @Test("3.6 It waits until a listener is registered, and knows who invites")
    func waitsForListener() async throws {
      let client = GameKitTests.client()
      GameKit.acceptInvite(Self.reference(1))
      // Whatever that has begun has come as far as this call.
      _ = try await GKLocalPlayer.local.loadFriends()
      #expect(client.answers.withLock { $0.accepted }.isEmpty)
      client.invites.continuation.yield(.received(Self.invitation(1)))
      GKLocalPlayer.local.register(listener)
      let invite = await listener.next()
      #expect(invite?.sender.displayName == "Friend" && invite?.isHosted == false)
      #expect(invite?.inviter == FakeClient.friend.description)
    }

    @Test("3.6 The player is asked about an invitation: yes, no, or nothing yet")
    func asked() async {
      let client = GameKitTests.client()
      GameKit.showInviteBanner = { invite in
        switch invite.reference.invite.low {
        case 1: nil
        case 2: false
        default: true
        }
      }
      GKLocalPlayer.local.register(listener)
      for number: UInt64 in 1...3 {
        client.invites.continuation.yield(.received(Self.invitation(number)))
      }
      let invite = await listener.next()
      #expect(invite?.reference == Self.reference(3) && invite?.message == "Join my counter!")
      #expect(invite?.playerGroup == 5 && invite?.playerAttributes == 0xff)
      await client.answered.next()
      let declined = client.asked.compactMap { $0 as? AnswerMatchInvite }
      #expect(declined.map(\.invite) == [Self.reference(2).invite])
      #expect(declined.map(\.answer) == [.declined])
      GameKit.showInviteBanner = nil
    }

    @Test("3.6 The player is asked once, and not about what was accepted otherwise")
    func askedOnce() async {
      let client = GameKitTests.client()
      let (asks, ask) = AsyncStream.makeStream(of: UInt64.self)
      GameKit.showInviteBanner = { invite in
        ask.yield(invite.reference.invite.low)
        return nil
      }
      defer { GameKit.showInviteBanner = nil }
      GKLocalPlayer.local.register(listener)
      GameKit.acceptInvite(Self.reference(1))
      _ = await listener.next()
      for number: UInt64 in [1, 2, 2, 3] {
        client.invites.continuation.yield(.received(Self.invitation(number)))
      }
      var iterator = asks.makeAsyncIterator()
      #expect(await iterator.next() == 2)
      #expect(await iterator.next() == 3)
    }

    enum End: CaseIterable { case takenBack, late, answered, accepted, seated, signedOut }

    @Test("3.6 The banner goes when there is nothing to answer any more", arguments: End.allCases)
    func bannerGoes(end: End) async {
      let client = GameKitTests.client()
      let (shown, never, gone) = (Signal(), Signal(), Signal())
      GameKit.showInviteBanner = { _ in
        shown.yield()
        // Ends when the task is cancelled.
        await never.next()
        gone.yield()
        return true
      }
      defer { GameKit.showInviteBanner = nil }
      GKLocalPlayer.local.register(listener)
      var invitation = Self.invitation(1)
      invitation.context = FakeClient.context
      client.invites.continuation.yield(.received(invitation))
      await shown.next()
      var found = MatchFound()
      found.context = FakeClient.context
      switch end {
      case .takenBack: client.invites.continuation.yield(Self.ended(1))
      case .late: client.invites.continuation.yield(.closed(Self.reference(1)))
      case .answered:
        client.invites.continuation.yield(.answered(Self.reference(1), .unableToConnect))
      case .accepted: GameKit.acceptInvite(Self.reference(1))
      case .seated: client.invites.continuation.yield(.found(found))
      case .signedOut: client.setSignedIn(false)
      }
      await gone.next()
      client.setSignedIn(true)
      // What the banner says now counts for nothing.
      if end == .accepted { #expect(await listener.next()?.reference == Self.reference(1)) }
      GameKit.acceptInvite(Self.reference(2))
      #expect(await listener.next()?.reference == Self.reference(2))
    }

    @Test(
      "3.6 What comes of an invitation later counts more than that it has failed",
      arguments: [MatchInviteAnswer.failed, .noAnswer])
    func failedBefore(first: MatchInviteAnswer) async throws {
      let client = GameKitTests.client()
      GKLocalPlayer.local.register(listener)
      for (number, isFound) in [(1 as UInt64, true), (2, false)] {
        GameKit.acceptInvite(Self.reference(number))
        let invite = try #require(await listener.next())
        client.invites.continuation.yield(.answered(invite.reference, first))
        #expect(await match(for: invite).error != nil)
        client.invites.continuation.yield(
          isFound
            ? Self.ended(number, in: FakeClient.context) : .answered(invite.reference, .declined))
        // Behind it comes what another invitation has come to.
        let other = Self.reference(number + 10)
        client.invites.continuation.yield(.answered(other, .declined))
        _ = await GKLocalPlayer.local.inviteEvents.outcome(of: other)
        let outcome = await match(for: invite)
        #expect((outcome.value != nil) == isFound)
        #expect(isFound || outcome.error?.text.contains("declined") == true)
      }
    }

    @Test("3.6 An invitation that is accepted again, after it has failed, is another try")
    func acceptedAgain() async throws {
      let client = GameKitTests.client()
      GKLocalPlayer.local.register(listener)
      GameKit.acceptInvite(Self.reference(1))
      let failed = try #require(await listener.next())
      client.invites.continuation.yield(.answered(Self.reference(1), .failed))
      #expect(await match(for: failed).error != nil)
      GameKit.acceptInvite(Self.reference(1))
      let invite = try #require(await listener.next())
      let outcome: Outcome<GKMatch> = await GameKitTests.outcome { handler in
        GKMatchmaker.shared().match(for: invite, completionHandler: handler)
        client.invites.continuation.yield(Self.ended(1, in: FakeClient.context))
      }
      #expect(outcome.value != nil)
    }

    @Test("3.6 The match of an accepted invitation is joined, before it is found and afterwards")
    func joined() async throws {
      let client = GameKitTests.client()
      GKLocalPlayer.local.register(listener)
      GameKit.acceptInvite(Self.reference(1))
      let invite = try #require(await listener.next())
      client.invites.continuation.yield(Self.ended(1, in: FakeClient.context))
      #expect(await match(for: invite).value != nil)
      #expect(await match(for: invite).value != nil)
      client.answers.withLock { answers in
        answers.ticketInfo.state = .matched
        answers.ticketInfo.context = FakeClient.context
      }
      GameKit.acceptInvite(Self.reference(2))
      let second = try #require(await listener.next())
      let ticket = MatchTicketID(high: 4, low: 4)
      client.invites.continuation.yield(Self.ended(2, ticket: ticket))
      #expect(await match(for: second).value != nil)
      #expect(client.answers.withLock { $0.tickets.map(\.0) } == [ticket])
    }

    @Test("3.6 The match of an accepted invitation waits for no search that goes on")
    func joinedDuringSearch() async throws {
      let client = GameKitTests.client { $0.holdsTickets = true }
      GKLocalPlayer.local.register(listener)
      GameKit.acceptInvite(Self.reference(1))
      let invite = try #require(await listener.next())
      let (ends, end) = AsyncStream.makeStream(of: GKError.Code?.self)
      GKMatchmaker.shared().findMatch(for: GKMatchRequest()) { _, error in
        end.yield((error as? GKError)?.code)
      }
      await client.heldTicket.next()
      client.invites.continuation.yield(Self.ended(1, in: FakeClient.context))
      #expect(await match(for: invite).value != nil)
      GKMatchmaker.shared().cancel()
      var iterator = ends.makeAsyncIterator()
      #expect(await iterator.next() == .cancelled)
    }

    @Test("3.6 An invitation that comes to nothing is an error with the answer")
    func nothing() async throws {
      let client = GameKitTests.client()
      GKLocalPlayer.local.register(listener)
      for answer: MatchInviteAnswer in [.unableToConnect, .noAnswer] {
        let reference = Self.reference(UInt64(answer.rawValue))
        GameKit.acceptInvite(reference)
        let invite = try #require(await listener.next())
        client.invites.continuation.yield(.answered(reference, answer))
        let outcome = await match(for: invite)
        #expect(outcome.value == nil && outcome.error?.text.contains("\(answer)") == true)
      }
    }

    @Test("3.6 Who accepts and goes away leaves what the invitation comes to")
    func goesAway() async throws {
      let client = GameKitTests.client()
      GKLocalPlayer.local.register(listener)
      for number: UInt64 in 1...2 {
        GameKit.acceptInvite(Self.reference(number))
        let invite = try #require(await listener.next())
        let outcome: Outcome<GKMatch> = await GameKitTests.outcome { handler in
          GKMatchmaker.shared().match(for: invite, completionHandler: handler)
          GKMatchmaker.shared().cancel()
        }
        #expect(outcome.error?.code == .cancelled)
      }
      var left = client.left.stream.makeAsyncIterator()
      client.invites.continuation.yield(Self.ended(1, in: FakeClient.context))
      await left.next()
      let contexts = client.asked.compactMap { ($0 as? LeaveContext)?.context }
      #expect(contexts == [FakeClient.context])
      let ticket = MatchTicketID(high: 4, low: 4)
      client.invites.continuation.yield(Self.ended(2, ticket: ticket))
      await left.next()
      #expect(client.asked.compactMap { ($0 as? CancelTicket)?.ticket } == [ticket])
    }

    @Test("3.6 Who takes an invitation back leaves what it came to just before")
    func takenBackTooLate() async {
      let client = GameKitTests.client()
      let request = GKMatchRequest()
      request.recipients = [GKPlayer(FakeClient.friend, displayName: "Friend")]
      let (ends, end) = AsyncStream.makeStream(of: GKError.Code?.self)
      GKMatchmaker.shared().findMatch(for: request) { _, error in
        end.yield((error as? GKError)?.code)
      }
      await client.invited.next()
      GKMatchmaker.shared().cancel()
      var iterator = ends.makeAsyncIterator()
      #expect(await iterator.next() == .cancelled)
      #expect(client.asked.contains { $0 is CancelMatchInvite })
      var ended = MatchInviteEnded()
      (ended.inviter, ended.invite) = (FakeClient.me, MatchInviteID(high: 6, low: 6))
      ended.context = FakeClient.context
      client.invites.continuation.yield(.ended(ended))
      var left = client.left.stream.makeAsyncIterator()
      await left.next()
      #expect(
        client.asked.compactMap { ($0 as? LeaveContext)?.context } == [FakeClient.context])
    }

    @Test("3.6 Friends' answers are told to the request's handler")
    func answers() async {
      let client = GameKitTests.client()
      let request = GKMatchRequest()
      let stranger = GKPlayer(FakeClient.stranger, displayName: "Other")
      request.recipients = [GKPlayer(FakeClient.friend, displayName: "Friend"), stranger]
      (request.minPlayers, request.maxPlayers) = (3, 4)
      var told: [String] = []
      request.recipientResponseHandler = { player, response in
        told.append("\(player.displayName) \(response)")
      }
      let id = MatchInviteID(high: 6, low: 6)
      let events: [(PlayerID, MatchInviteAnswer)] = [
        (FakeClient.friend, .accepted), (FakeClient.stranger, .noAnswer),
      ]
      for (index, (player, answer)) in events.enumerated() {
        var answered = MatchInviteAnswered()
        (answered.invite, answered.player, answered.answer) = (id, player, answer)
        client.send(answered, UInt64(index) + 1)
      }
      var ended = MatchInviteEnded()
      ended.invite = id
      client.send(ended, 3)
      let outcome = await GameKitTests.outcome { handler in
        GKMatchmaker.shared().findMatch(for: request, withCompletionHandler: handler)
      }
      #expect(outcome.error?.failure == .notReachable)
      #expect(told == ["Friend accepted", "Other noAnswer"])
    }
  }
}
