import Dialogs
import Foundation
import GameKitCompat
import MusterKit
import Operations
import Stack
import Testing

extension System.MatchCompat {
  @MainActor
  private static func show(
    _ request: GKMatchRequest, _ delegate: MatchmakerHearer
  ) throws -> UIViewController {
    let controller = try #require(GKMatchmakerViewController(matchRequest: request))
    controller.matchmakerDelegate = delegate
    let screen = UIViewController()
    screen.present(controller, animated: true)
    return screen
  }

  @MainActor
  static func playOverFaults() async throws {
    try await GameKitStage.run(friends: ["Ben"], cutAfter: 6_000...20_000) { stage in
      let (presenter, searches) = (ScriptedPresenter(), ToldTexts())
      GameKit.presenter = presenter
      presenter.matchArrangement = { _ in .anybody }
      presenter.matchSearch = { search in
        searches.tell("shown")
        for await _ in search.states {}
      }
      let (request, delegate, hearer) = (GKMatchRequest(), MatchmakerHearer(), MatchHearer())
      (request.maxPlayers, request.playerGroup) = (2, 9)
      let screen = try show(request, delegate)
      #expect(await searches.next() == "shown")
      let other = try await stage.overKilledGateway {
        await expectFaultsWithoutNetwork()
        return MatchOther(try await stage.ben.findMatch(in: "9"))
      }
      #expect(await delegate.told.next() == "found Ben")
      let match = try #require(delegate.match)
      match.delegate = hearer

      try match.send(1...100)
      try await other.send(1...100)
      #expect(await other.next(50) == (1...50).map { "\($0)" })
      try await stage.overKilledGateway {
        try match.send(101...200)
        try await other.send(101...200)
      }
      #expect(await other.next(150) == (51...200).map { "\($0)" })
      #expect(await hearer.data.next(200) == (1...200).map { "\($0)" })
      #expect(other.states.contains(.disconnected) && other.states.last == .connected)
      // Behind these nothing of what was sent is on its way.
      try await other.send(201...201)
      #expect(await hearer.data.next() == "201")
      match.disconnect()
      #expect(await other.next() == "ended")
      screen.dismiss(animated: true)
      #expect(hearer.data.count == 201 && delegate.told.count == 1 && searches.count == 1)
    }
  }

  /// What is wrong with a call is told without a word to the server, which nobody can reach now.
  @MainActor
  private static func expectFaultsWithoutNetwork() async {
    let request = GKMatchRequest()
    (request.minPlayers, request.maxPlayers) = (4, 3)
    let unfit = await gameKitError {
      _ = try await GKMatchmaker.shared().findMatch(for: request)
    }
    #expect(unfit == .matchRequestInvalid)
    #expect(GKMatchmakerViewController(matchRequest: request) == nil)
    let score = GKScore(leaderboardIdentifier: "laps")
    #expect(await gameKitError { try await score.report() } == .scoreNotSet)
    let achievement = GKAchievement(identifier: "first")
    for percent in [-1, 100.5, .nan] {
      achievement.percentComplete = percent
      #expect(await gameKitError { try await achievement.report() } == .invalidParameter)
    }
  }

  @MainActor
  static func playUnanswered() async throws {
    try await GameKitStage.run(friends: ["Ben"]) { stage in
      let (presenter, request) = (ScriptedPresenter(), GKMatchRequest())
      request.maxPlayers = 2
      GameKit.presenter = presenter
      let (delegate, screen) = (MatchmakerHearer(), UIViewController())
      @MainActor func shown() throws -> [UIViewController] {
        let match = try #require(GKMatchmakerViewController(matchRequest: request))
        match.matchmakerDelegate = delegate
        let turns = GKTurnBasedMatchmakerViewController(matchRequest: request)
        turns.turnBasedMatchmakerDelegate = delegate
        return [match, turns]
      }
      @MainActor func expectBoth(_ text: String, whileShown: () -> Void = {}) async throws {
        for controller in try shown() {
          screen.present(controller, animated: true)
          whileShown()
          #expect(await delegate.told.next() == text)
          screen.dismiss(animated: true)
        }
      }
      // The player closes it; the game takes it away; nobody answers, nor heeds that it is to end.
      try await expectBoth("cancelled")
      try await expectBoth("cancelled") { screen.dismiss(animated: true) }
      let (never, end) = AsyncStream.makeStream(of: Void.self)
      presenter.matchArrangement = { _ in
        await Task { for await _ in never {} }.value
        return nil
      }
      GameKit.dialogTimeout = .milliseconds(50)
      try await expectBoth("failed deadlineExceeded")
      end.finish()
      // The player ends the search, and its ticket waits for nobody.
      presenter.matchArrangement = { _ in .anybody }
      presenter.matchSearch = { search in
        while try await stage.anna.call(ListTickets()).tickets.allSatisfy({ $0.state != .waiting })
        {
        }
      }
      try await expectBoth("cancelled")
      while try await stage.anna.call(ListTickets()).tickets.contains(where: {
        $0.state == .waiting
      }) {}
      presenter.matchSearch = nil
      let finding = Task { try await stage.ben.findMatch() }
      screen.present(try shown()[0], animated: true)
      #expect(await delegate.told.next() == "found Ben")
      _ = try await finding.value
      #expect(delegate.told.count == 9)
    }
  }
}
