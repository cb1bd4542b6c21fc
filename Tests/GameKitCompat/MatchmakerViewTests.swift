import Dialogs
import Locking
import MusterKit
import TestKit
import Testing

@testable import GameKitCompat

extension GameKitTests {
  @MainActor
  final class MatchmakerListener: GKMatchmakerViewControllerDelegate {
    enum Told: Equatable {
      case cancelled
      case failed(GKError.Code?)
      case found([String])
      case hosted([String])
    }

    private let told = AsyncStream.makeStream(of: Told.self)
    private(set) var count = 0
    private(set) var match: GKMatch?

    func next() async -> Told? {
      var iterator = told.stream.makeAsyncIterator()
      return await iterator.next()
    }

    private func tell(_ event: Told) {
      count += 1
      told.continuation.yield(event)
    }

    func matchmakerViewControllerWasCancelled(_ viewController: GKMatchmakerViewController) {
      tell(.cancelled)
    }
    func matchmakerViewController(
      _ viewController: GKMatchmakerViewController, didFailWithError error: any Error
    ) {
      tell(.failed((error as? GKError)?.code))
    }
    func matchmakerViewController(
      _ viewController: GKMatchmakerViewController, didFind match: GKMatch
    ) {
      self.match = match
      tell(.found(match.players.map(\.playerID)))
    }
    func matchmakerViewController(
      _ viewController: GKMatchmakerViewController, didFindHostedPlayers players: [GKPlayer]
    ) {
      tell(.hosted(players.map(\.displayName)))
    }
  }

  @MainActor
  @Suite("The matchmaker's controller", .serialized, .endsAtLast)
  struct MatchmakerViewTests {
    let listener = MatchmakerListener()
    let presenter = ScriptedPresenter()
    let request = GKMatchRequest()

    init() {
      GKLocalPlayer.local.unregisterAllListeners()
      GameKit.presenter = nil
      GameKit.dialogTimeout = .seconds(600)
      request.inviteMessage = "Join my counter!"
    }

    /// A client whose tickets are matched at once.
    private func client() -> FakeClient {
      GameKitTests.client { answers in
        answers.ticketInfo.state = .matched
        answers.ticketInfo.context = FakeClient.context
      }
    }

    private func controller() throws -> GKMatchmakerViewController {
      let controller = try #require(GKMatchmakerViewController(matchRequest: request))
      controller.matchmakerDelegate = listener
      return controller
    }

    @Test("3.3 A match is found when all its players are connected, and not before")
    func found() async throws {
      let client = client()
      let controller = try controller()
      #expect(client.asked.isEmpty)
      controller.viewDidAppear(false)
      controller.viewDidAppear(false)
      await client.seat.asked.next()
      #expect(listener.count == 0)
      client.seat.join(FakeClient.friend)
      #expect(await listener.next() == .found([FakeClient.friend.description]))
      #expect(listener.match?.expectedPlayerCount == 0)
      #expect(client.asked.filter { $0 is FindMatch }.count == 1)
      // What happened before is told as soon as there is a delegate.
      let events = MatchListener()
      listener.match?.delegate = events
      #expect(listener.match?.players.map(\.displayName) == ["Friend"])
      #expect(await events.next() == .changed("Friend", .connected))
      controller.viewDidDisappear(false)
      #expect(listener.count == 1)
    }

    @Test("3.2 A request for more at least than at most makes no controller")
    func invalid() {
      (request.minPlayers, request.maxPlayers) = (4, 3)
      #expect(GKMatchmakerViewController(matchRequest: request) == nil)
    }

    @Test("3.1 Without a player the delegate hears of the error, and nobody is asked")
    func required() async throws {
      _ = GameKitTests.client { $0.isSignedIn = false }
      GameKit.presenter = presenter
      presenter.matchArrangement = { _ in
        Issue.record("Nobody is to be asked.")
        return nil
      }
      let controller = try controller()
      controller.viewDidAppear(false)
      #expect(await listener.next() == .failed(.notAuthenticated))
    }

    @Test("3.6 The player chooses friends, who are invited with the player's words")
    func friends() async throws {
      let client = client()
      client.answers.withLock { answers in
        var friend = Friend()
        (friend.player, friend.state, friend.displayName) = (FakeClient.friend, .friends, "Friend")
        answers.friends = [friend]
      }
      GameKit.presenter = presenter
      (request.minPlayers, request.maxPlayers) = (2, .max)
      presenter.matchArrangement = { arrangement in
        #expect(arrangement.players == 2...16 && arrangement.message == "Join my counter!")
        let friends = try await arrangement.friends("riE").next()
        #expect(try await arrangement.friends("nobody").next().isEmpty)
        return .friends(friends.map(\.playerID), message: "Come!")
      }
      var ended = MatchInviteEnded()
      (ended.invite, ended.context) = (MatchInviteID(high: 6, low: 6), FakeClient.context)
      client.send(ended, 1)
      let controller = try controller()
      controller.viewDidAppear(false)
      client.seat.join(FakeClient.friend)
      #expect(await listener.next() == .found([FakeClient.friend.description]))
      let asked = client.asked.compactMap { $0 as? InvitePlayers }.first
      #expect(asked?.recipients == [FakeClient.friend] && asked?.message == "Come!")
      // The friend is all that the request wants to begin with.
      #expect(asked?.isAutomatching == false)
      // The game's own request is as it was.
      #expect(request.recipients == nil && request.inviteMessage == "Join my counter!")
    }

    @Test("3.6 A player who closes the dialog has cancelled, and no match is looked for")
    func closed() async throws {
      let client = client()
      GameKit.presenter = presenter
      let controller = try controller()
      controller.viewDidAppear(false)
      #expect(await listener.next() == .cancelled)
      controller.viewDidDisappear(false)
      #expect(client.asked.isEmpty && listener.count == 1)
    }

    @Test("3.6 A presenter that never answers ends by its time, and is not heard afterwards")
    func unanswered() async throws {
      let client = client()
      GameKit.presenter = presenter
      GameKit.dialogTimeout = .milliseconds(1)
      let gate = AsyncStream.makeStream(of: Void.self)
      presenter.matchArrangement = { _ in
        for await _ in gate.stream {}
        return .anybody
      }
      let controller = try controller()
      controller.viewDidAppear(false)
      #expect(await listener.next() == .failed(.communicationsFailure))
      #expect(client.asked.isEmpty && listener.count == 1)
    }

    @Test("3.6 A player who ends the search has cancelled it once, and leaves what is found")
    func searchEnded() async throws {
      let client = client()
      GameKit.presenter = presenter
      presenter.matchArrangement = { _ in .anybody }
      let gate = AsyncStream.makeStream(of: Void.self)
      presenter.matchSearch = { _ in
        for await _ in gate.stream { return }
      }
      let controller = try controller()
      controller.viewDidAppear(false)
      await client.seat.asked.next()
      gate.continuation.yield()
      #expect(await listener.next() == .cancelled)
      #expect(await client.seat.nextAct() == .left)
      client.seat.join(FakeClient.friend)
      #expect(listener.count == 1 && listener.match == nil)
    }

    @Test("3.6 A game that takes the controller away cancels the search")
    func takenAway() async throws {
      let client = client()
      let screen = UIViewController()
      var controller: GKMatchmakerViewController? = try controller()
      if let controller { screen.present(controller, animated: false) }
      await client.seat.asked.next()
      screen.dismiss(animated: false)
      controller = nil
      #expect(await listener.next() == .cancelled)
      #expect(await client.seat.nextAct() == .left)
      // A controller that is gone searches no more either.
      let other = self.client()
      controller = try self.controller()
      controller?.viewDidAppear(false)
      await other.seat.asked.next()
      controller = nil
      #expect(await other.seat.nextAct() == .left)
      #expect(listener.count == 1)
    }

    @Test("3.3 3.6 A controller that is covered for a while goes on")
    func covered() async throws {
      let client = client()
      let (screen, cover) = (UIViewController(), UIViewController())
      cover.modalPresentationStyle = .fullScreen
      let controller = try controller()
      screen.present(controller, animated: false)
      await client.seat.asked.next()
      controller.present(cover, animated: false)
      controller.dismiss(animated: false)
      client.seat.join(FakeClient.friend)
      #expect(await listener.next() == .found([FakeClient.friend.description]))
      #expect(client.asked.count { $0 is FindMatch } == 1 && listener.count == 1)
    }

    @Test("3.6 Friends' answers are shown by who they are: two may have one name")
    func shownAnswers() async {
      let ids = [FakeClient.friend, FakeClient.stranger]
      request.recipients = ids.map { GKPlayer($0, displayName: "Sam") }
      let search = ShownSearch(request)
      search.observer.answered(ids[0], .accepted)
      search.observer.answered(ids[1], .declined)
      search.observer.answered(FakeClient.me, .noAnswer)
      var states = search.states.makeAsyncIterator()
      let answers = await states.next()?.answers
      #expect(answers?.count == 3)
      #expect(answers?["\(ids[0])"] == MatchSearch.State.Answer(name: "Sam", answer: "accepted"))
      #expect(answers?["\(ids[1])"] == MatchSearch.State.Answer(name: "Sam", answer: "declined"))
      #expect(answers?["\(FakeClient.me)"]?.name == "\(FakeClient.me)")
    }

    @Test("3.2 Modes: by tickets alone, by friends alone, and none of who is nearby")
    func modes() async throws {
      let client = client()
      GameKit.presenter = presenter
      presenter.matchArrangement = { _ in .anybody }
      let nearby = try controller()
      nearby.matchmakingMode = .nearbyOnly
      nearby.viewDidAppear(false)
      #expect(await listener.next() == .failed(.notSupported))
      let invited = try controller()
      invited.matchmakingMode = .inviteOnly
      invited.viewDidAppear(false)
      #expect(await listener.next() == .failed(.matchRequestInvalid))
      presenter.matchArrangement = { _ in
        Issue.record("Nobody is to be asked.")
        return nil
      }
      request.recipients = [GKPlayer(FakeClient.friend, displayName: "Friend")]
      let automatch = try controller()
      automatch.matchmakingMode = .automatchOnly
      automatch.viewDidAppear(false)
      client.seat.join(FakeClient.friend)
      #expect(await listener.next() == .found([FakeClient.friend.description]))
      #expect(client.asked.contains { $0 is FindMatch })
      #expect(request.recipients?.count == 1)
    }

    @Test(
      "3.6 By friends alone, nobody else is played with where no friend is named",
      arguments: [nil, .friends([], message: ""), .anybody] as [MatchArrangement.Choice?])
    func nobodyInvited(choice: MatchArrangement.Choice?) async throws {
      let client = client()
      client.seat.join(FakeClient.friend)
      if let choice {
        GameKit.presenter = presenter
        presenter.matchArrangement = { _ in choice }
      }
      let match = GKMatch(client.seat, names: [:])
      for extended in [nil, match] {
        for isHosted in [false, true] {
          let invited = try controller()
          (invited.matchmakingMode, invited.isHosted) = (.inviteOnly, isHosted)
          if let extended { invited.addPlayers(to: extended) }
          invited.viewDidAppear(false)
          #expect(await listener.next() == .failed(.matchRequestInvalid))
        }
      }
      #expect(client.asked.isEmpty)
    }

    @Test("3.6 A controller of an invitation waits for the invitation's match")
    func invitation() async throws {
      let client = client()
      let invites = InviteListener()
      GKLocalPlayer.local.register(invites)
      GameKit.acceptInvite(InviteTests.reference(1))
      let invite = try #require(await invites.next())
      let controller = try #require(GKMatchmakerViewController(invite: invite))
      controller.matchmakerDelegate = listener
      controller.viewDidAppear(false)
      client.invites.continuation.yield(InviteTests.ended(1, in: FakeClient.context))
      client.seat.join(FakeClient.friend)
      #expect(await listener.next() == .found([FakeClient.friend.description]))
    }

    @Test("3.2 Players for a game on its own server are told, and no match is joined")
    func hosted() async throws {
      let client = client()
      let controller = try controller()
      controller.isHosted = true
      controller.viewDidAppear(false)
      #expect(await listener.next() == .hosted(["Friend"]))
      #expect(!client.asked.contains { $0 is LeaveContext })
      // They do not meet those who wait for a match of Muster's.
      #expect(client.asked.compactMap { ($0 as? FindMatch)?.playerGroup } == ["hosted-0"])
    }

    @Test("3.6 Who accepts an invitation to a hosted game is told of its players")
    func hostedInvitation() async throws {
      let client = client()
      GameKit.showInviteBanner = { _ in true }
      defer { GameKit.showInviteBanner = nil }
      let invites = InviteListener()
      GKLocalPlayer.local.register(invites)
      var invitation = InviteTests.invitation(1)
      invitation.playerGroup = "hosted-5"
      client.invites.continuation.yield(.received(invitation))
      let invite = try #require(await invites.next())
      #expect(invite.isHosted && invite.playerGroup == 5)
      client.invites.continuation.yield(InviteTests.ended(1, in: FakeClient.context))
      let controller = try #require(GKMatchmakerViewController(invite: invite))
      controller.matchmakerDelegate = listener
      controller.viewDidAppear(false)
      #expect(await listener.next() == .hosted(["Friend"]))
      let match = await GameKitTests.outcome {
        GKMatchmaker.shared().match(for: invite, completionHandler: $0)
      }
      #expect(match.error?.argument == "invite")
    }

    @Test("3.2 Who cancels a search leaves the players who were found for the game's own server")
    func hostedCancelled() async throws {
      let client = client()
      client.answers.withLock { $0.holdsNames = true }
      let controller = try controller()
      controller.isHosted = true
      let screen = UIViewController()
      screen.present(controller, animated: false)
      var held = client.heldName.stream.makeAsyncIterator()
      await held.next()
      screen.dismiss(animated: false)
      #expect(await listener.next() == .cancelled)
      #expect(!client.asked.contains { $0 is LeaveContext })
      client.answerNames()
      var left = client.left.stream.makeAsyncIterator()
      await left.next()
      #expect(
        client.asked.compactMap { $0 as? LeaveContext }.map(\.context) == [FakeClient.context])
      #expect(listener.count == 1)
    }

    @Test("3.6 Players are added to a running match: friends, or whoever waits")
    func added() async throws {
      let client = client()
      let match = GKMatch(client.seat, names: [:])
      let controller = try controller()
      controller.addPlayers(to: match)
      controller.viewDidAppear(false)
      #expect(await listener.next() == .found([]))
      #expect(listener.match === match)
      let asked = try #require(client.asked.compactMap { $0 as? FindMatch }.first)
      #expect(asked.party == FakeClient.context && asked.match == 3)
      #expect(asked.members == [FakeClient.friend])
      request.recipients = [GKPlayer(FakeClient.stranger, displayName: "")]
      var ended = MatchInviteEnded()
      ended.invite = MatchInviteID(high: 6, low: 6)
      client.send(ended, 1)
      try await GKMatchmaker.shared().addPlayers(to: match, matchRequest: request)
      let invited = client.asked.compactMap { $0 as? InvitePlayers }.first
      #expect(invited?.party == FakeClient.context && invited?.match == 3)
    }
  }
}
