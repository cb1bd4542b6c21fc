import Dialogs
import Foundation
import Locking
import MusterKit
import TestKit
import Testing

@testable import GameKitCompat

extension GameKitTests {
  @MainActor
  final class TurnListener: GKLocalPlayerListener, GKTurnBasedMatchmakerViewControllerDelegate {
    private let told = AsyncStream.makeStream(of: String.self)
    private(set) var count = 0

    func next() async -> String? {
      var iterator = told.stream.makeAsyncIterator()
      return await iterator.next()
    }

    private func tell(_ event: String) {
      count += 1
      told.continuation.yield(event)
    }

    func player(
      _ player: GKPlayer, receivedTurnEventFor match: GKTurnBasedMatch, didBecomeActive: Bool
    ) {
      tell("turn \(match.info.number) \(didBecomeActive)")
    }
    func player(_ player: GKPlayer, matchEnded match: GKTurnBasedMatch) { tell("ended") }
    func player(
      _ player: GKPlayer, receivedExchangeRequest exchange: GKTurnBasedExchange,
      for match: GKTurnBasedMatch
    ) {
      tell("asked \(exchange.exchangeID) \(Array(exchange.data ?? Data()))")
    }
    func player(
      _ player: GKPlayer, receivedExchangeCancellation exchange: GKTurnBasedExchange,
      for match: GKTurnBasedMatch
    ) {
      tell("cancelled \(exchange.exchangeID) \(exchange.status)")
    }
    func player(
      _ player: GKPlayer, receivedExchangeReplies replies: [GKTurnBasedExchangeReply],
      forCompletedExchange exchange: GKTurnBasedExchange, for match: GKTurnBasedMatch
    ) {
      tell("replied \(exchange.exchangeID) \(replies.map { Array($0.data ?? Data()) })")
    }
    func turnBasedMatchmakerViewControllerWasCancelled(
      _ viewController: GKTurnBasedMatchmakerViewController
    ) {
      tell("closed")
    }
    func turnBasedMatchmakerViewController(
      _ viewController: GKTurnBasedMatchmakerViewController, didFailWithError error: any Error
    ) {
      tell("failed")
    }
    func turnBasedMatchmakerViewController(
      _ viewController: GKTurnBasedMatchmakerViewController, didFind match: GKTurnBasedMatch
    ) {
      tell("found")
    }
  }

  @MainActor
  @Suite("Exchanges and events of turn-based matches", .serialized, .endsAtLast)
  struct TurnTalkTests {
    let listener = TurnListener()

    init() {
      GKLocalPlayer.local.unregisterAllListeners()
      GameKit.presenter = nil
    }

    /// A client whose match has an exchange between the two.
    private func client(from sender: PlayerID, isComplete: Bool = false) -> FakeClient {
      GameKitTests.client { answers in
        var exchange = TurnExchange()
        (exchange.id, exchange.player) = (3, sender)
        exchange.receivers = [sender == FakeClient.me ? FakeClient.friend : FakeClient.me]
        (exchange.isComplete, exchange.dueAt) = (isComplete, 7000)
        answers.turns.exchange.exchange = exchange
        answers.turns.exchange.request = Bytes([1])
        if isComplete {
          var answer = TurnExchangeAnswer()
          (answer.player, answer.payload) = (exchange.receivers[0], Bytes([2]))
          answers.turns.exchange.answers = [answer]
        }
        answers.turns.view.info.exchanges = [exchange]
      }
    }

    @Test("1.9 An exchange is sent and taken back")
    func sent() async throws {
      let client = client(from: FakeClient.me)
      client.answers.withLock { $0.turns.view.info.exchanges = [] }
      let match = try await TurnTests.load()
      let exchange = try await match.sendExchange(
        to: [match.participants[1]], data: Data([1]), localizableMessageKey: "", arguments: [],
        timeout: GKExchangeTimeoutNone)
      let asked = try #require(TurnTests.asked(OpenTurnExchange.self, of: client).first)
      #expect(asked.players == [FakeClient.friend] && asked.payload.array == [1])
      #expect(asked.lifetimeMilliseconds == TurnLimits.exchangeMillisecondsMax)
      #expect(exchange.exchangeID == "3" && exchange.status == .active)
      #expect(exchange.sender.player == GKLocalPlayer.local)
      #expect(exchange.recipients.map { $0.player?.displayName } == ["Friend"])
      #expect(match.exchanges?.count == 1 && match.activeExchanges?.isEmpty == true)
      try await exchange.cancel(withLocalizableMessageKey: "", arguments: [])
      #expect(exchange.status == .canceled && match.exchanges?.isEmpty == true)
      #expect(TurnTests.asked(CancelTurnExchange.self, of: client).map(\.exchange) == [3])
      let long = Data(count: match.exchangeDataMaximumSize + 1)
      let code = await TurnTests.code {
        _ = try await match.sendExchange(
          to: [match.participants[1]], data: long, localizableMessageKey: "", arguments: [],
          timeout: GKExchangeTimeoutDefault)
      }
      #expect(code == .invalidParameter)
    }

    @Test("1.9 An exchange is replied to, and its result brought into the match")
    func replied() async throws {
      var client = client(from: FakeClient.friend)
      var match = try await TurnTests.load()
      let exchange = try #require(match.activeExchanges?.first)
      #expect(exchange.data == Data([1]) && exchange.timeoutDate == Date(milliseconds: 7000))
      #expect(match.completedExchanges?.isEmpty == true)
      try await exchange.reply(withLocalizableMessageKey: "", arguments: [], data: Data([2]))
      let answer = TurnTests.asked(AnswerTurnExchange.self, of: client).first
      #expect(answer?.exchange == 3 && answer?.payload.array == [2])
      #expect(exchange.replies?.map(\.data) == [Data([2])])
      #expect(listener.count == 0)
      client = self.client(from: FakeClient.friend, isComplete: true)
      match = try await TurnTests.load()
      let complete = try #require(match.completedExchanges)
      #expect(complete.map(\.status) == [.complete])
      try await match.saveMergedMatch(Data([5]), withResolvedExchanges: complete)
      #expect(TurnTests.asked(SaveTurnState.self, of: client).map(\.resolved) == [[3]])
      #expect(complete.map(\.status) == [.resolved] && match.exchanges?.isEmpty == true)
      client.answers.withLock { $0.turns.view.info.next = [FakeClient.friend] }
      _ = try await match.loadMatchData()
      #expect(match.completedExchanges == nil)
    }

    @Test("1.9 Who has the turn hears of the exchange that the own reply has completed")
    func completed() async throws {
      let client = client(from: FakeClient.friend)
      GKLocalPlayer.local.register(listener)
      let match = try await TurnTests.load()
      let exchange = try #require(match.activeExchanges?.first)
      client.answers.withLock { answers in
        answers.turns.view.info.exchanges[0].isComplete = true
        answers.turns.exchange.exchange.isComplete = true
      }
      try await exchange.reply(withLocalizableMessageKey: "", arguments: [], data: Data([2]))
      #expect(await listener.next() == "replied 3 []")
    }

    @Test("1.9 Those for whom the match waits are reminded")
    func reminded() async throws {
      let client = GameKitTests.client()
      let match = try await TurnTests.load()
      try await match.sendReminder(
        to: [match.participants[1]], localizableMessageKey: "", arguments: [])
      #expect(
        TurnTests.asked(RemindPlayers.self, of: client).map(\.players) == [[FakeClient.friend]])
    }

    private func change(_ state: TurnExchangeState) -> TurnExchangeChanged {
      var change = TurnExchangeChanged()
      (change.context, change.number, change.exchange) = (FakeClient.context, 1, 3)
      (change.state, change.player) = (state, FakeClient.friend)
      return change
    }

    @Test("1.9 2.8 Turns, invitations, reminders and the end are told, each once")
    func events() async {
      let client = GameKitTests.client()
      GKLocalPlayer.local.register(listener)
      GKLocalPlayer.local.register(listener)
      var (passed, invitation) = (TurnPassed(), TurnGameInvitation())
      var (reminder, ended) = (TurnReminder(), TurnGameEnded())
      (passed.context, invitation.context) = (FakeClient.context, FakeClient.context)
      (reminder.context, ended.context) = (FakeClient.context, FakeClient.context)
      client.send(passed, 1)
      client.send(invitation, 2)
      client.send(reminder, 3)
      client.send(ended, 4)
      for expected in ["turn 1 false", "turn 1 false", "turn 1 false", "ended"] {
        #expect(await listener.next() == expected)
      }
      #expect(listener.count == 4)
    }

    @Test("1.9 2.8 An exchange's request, its replies and its cancellation are told")
    func exchangeEvents() async {
      var client = client(from: FakeClient.friend)
      GKLocalPlayer.local.register(listener)
      client.send(change(.open), 1)
      #expect(await listener.next() == "asked 3 [1]")
      client.answers.withLock { $0.turns.view.info.exchanges = [] }
      client.send(change(.cancelled), 2)
      #expect(await listener.next() == "cancelled 3 canceled")
      client.send(change(.expired), 3)
      #expect(await listener.next() == "replied 3 []")
      client = self.client(from: FakeClient.friend, isComplete: true)
      client.send(change(.complete), 1)
      #expect(await listener.next() == "replied 3 [[2]]")
    }

    @Test("1.9 3.6 The controller tells of the match, or that it was closed, once")
    func controller() async throws {
      let client = GameKitTests.client { answers in
        answers.ticketInfo.state = .matched
        answers.ticketInfo.context = FakeClient.context
      }
      GKLocalPlayer.local.register(listener)
      let presenter = ScriptedPresenter()
      GameKit.presenter = presenter
      let found = GKTurnBasedMatchmakerViewController(matchRequest: GKMatchRequest())
      presenter.matchArrangement = { _ in
        let cover = UIViewController()
        cover.modalPresentationStyle = .fullScreen
        found.present(cover, animated: false)
        found.dismiss(animated: false)
        return .anybody
      }
      found.turnBasedMatchmakerDelegate = listener
      found.viewDidAppear(false)
      #expect(await listener.next() == "found")
      #expect(await listener.next() == "turn 1 true")
      found.viewDidDisappear(false)
      presenter.matchArrangement = nil
      let closed = GKTurnBasedMatchmakerViewController(matchRequest: GKMatchRequest())
      closed.turnBasedMatchmakerDelegate = listener
      closed.viewDidAppear(false)
      #expect(await listener.next() == "closed")
      #expect(listener.count == 3 && TurnTests.asked(FindMatch.self, of: client).count == 1)
      GameKit.presenter = nil
    }
  }
}
