import Dialogs
import Foundation
import GamingServicesCompat
import MusterKit
import Operations
import Stack
import Testing
import Wire

extension System {
  /// The dialogs of the Gaming Services SDK against real processes. Each test has a process of its
  /// own, because the library has one client and one open dialog of a kind.
  @Suite struct GamingDialogs {
    @Test(
      "1.2 1.4 1.6 1.7 2.2 2.5 a delegate is told once, over cut connections and a killed gateway")
    func once() async {
      await #expect(processExitsWith: .success) { try await GamingDialogs.playOverFaults() }
    }

    @Test("1.6 2.5 a delegate is told once of dialogs that are closed or never answered")
    func unanswered() async {
      await #expect(processExitsWith: .success) { try await GamingDialogs.playUnanswered() }
    }

    @Test("1.1 1.2 1.3 1.4 1.5 1.7 the dialogs of contexts do what the rules say")
    func contexts() async {
      await #expect(processExitsWith: .success) { try await GamingDialogs.playContexts() }
    }

    @Test("2.1 2.2 2.3 2.4 2.6 2.7 the dialogs of requests do what the rules say")
    func requests() async {
      await #expect(processExitsWith: .success) { try await GamingDialogs.playRequests() }
    }

    @Test("2.4 2.6 2.7 2.9 2.10 whom requests reach: tokens, consent, blocks and budgets")
    func reach() async {
      await #expect(processExitsWith: .success) { try await GamingDialogs.playReach() }
    }

    @Test("1.1 1.10 the current context after a start of the app, and by a link")
    func current() async {
      await #expect(processExitsWith: .success) { try await GamingDialogs.playStarts() }
    }
  }
}

extension System.GamingDialogs {
  /// Two friends, the first of whom plays with the dialogs.
  ///
  /// - Parameter lifetime: the bytes after which that player's connections are cut; nil for never.
  @MainActor
  static func withFriends(
    _ options: Stack.Options = Stack.Options(), cutAfter lifetime: ClosedRange<Int>? = nil,
    _ body: @MainActor (Stack, DialogPlayer) async throws -> Void
  ) async throws {
    try await withStack(options) { stack in
      let relay = try lifetime.map { lifetime in
        try CuttingRelay(to: stack.gatewayPort, seed: Seed.drawn(), lifetime: lifetime)
      }
      defer { relay?.stop() }
      let anna =
        if let relay { try await stack.player("Anna", through: relay) } else {
          try await stack.player("Anna")
        }
      let ben = try await stack.player("Ben")
      try await befriend(anna, ben)
      GamingServices.configure(client: anna.client, keepingContextIn: nil)
      try await body(stack, DialogPlayer(anna, friend: ben))
      if let relay { #expect(relay.cutCount > 0) }
      await anna.client.close()
      await ben.client.close()
    }
  }

  @MainActor
  static func playOverFaults() async throws {
    try await withFriends(cutAfter: 3_500...9_000) { stack, player in
      let solo = try await player.client.createSoloContext().context.description
      for _ in 1...10 {
        #expect(await player.create(player.friendID) == "completed")
        #expect(GamingContext.current?.size == 2)
        #expect(await player.change(to: solo) == "completed")
        #expect(GamingContext.current?.identifier == solo)
        #expect(await player.send(to: [player.friendID]) == "completed")
      }
      // The gateway dies while each dialog waits for it.
      try await stack.kill("gateway")
      expectFaultsAtOnce(player)
      let created = player.showCreate(player.friendID)
      let sent = player.showSend(to: [player.friendID])
      // A second dialog of a kind is refused, and the first one goes on.
      for second in [player.showCreate(player.friendID), player.showSend(to: [player.friendID])] {
        #expect((second.error as? GamingServicesError)?.failureCode == .pendingRequest)
      }
      try await stack.start("gateway")
      #expect(await created.told.first() == "completed")
      #expect(await sent.told.first() == "completed")
      player.expectEachToldOnce()
    }
  }

  /// What is wrong with a content is told before `show()` returns, while nobody can be asked.
  @MainActor
  private static func expectFaultsAtOnce(_ player: DialogPlayer) {
    let friend = [player.friendID]
    let long = String(repeating: "d", count: 256)
    for (failed, argument) in [
      (player.showCreate(""), "playerID"),
      (player.showSend(to: friend) { ($0.message, $0.data) = ("", long) }, "message"),
      (player.showSend(to: friend) { $0.actionType = .askFor }, "objectID"),
      (player.showSend(to: friend) { $0.objectID = "sword" }, "objectID"),
      (player.showSend(to: friend) { $0.filters = .appUsers }, "recipients"),
      (player.showSend(to: friend) { $0.recipientSuggestions = friend }, "recipients"),
      (
        player.showSend(to: []) { ($0.recipientSuggestions, $0.filters) = (friend, .appUsers) },
        "recipientSuggestions"
      ),
      (player.showSend(to: friend) { $0.data = long }, "data"),
    ] {
      #expect(failed.count == 1)
      #expect(failed.error?.userInfo[ErrorArgumentNameKey] as? String == argument)
    }
  }

  @MainActor
  static func playUnanswered() async throws {
    try await withFriends { _, player in
      let presenter = ScriptedPresenter()
      GamingServices.presenter = presenter
      #expect(await player.choose() == "cancelled")
      #expect(await player.send(to: []) == "cancelled")
      #expect(await player.send(to: [player.friendID]) == "cancelled")
      // It never answers, and does not heed that it is to go away either.
      let (never, end) = AsyncStream.makeStream(of: Void.self)
      presenter.contextChoice = { _ in
        await Task { for await _ in never {} }.value
        return nil
      }
      presenter.recipientSelection = { _ in
        await Task { for await _ in never {} }.value
        return nil
      }
      GamingServices.dialogTimeLimit = .milliseconds(50)
      #expect(await player.choose() == "failed deadlineExceeded")
      #expect(await player.send(to: []) == "failed deadlineExceeded")
      end.finish()
      GamingServices.dialogTimeLimit = .seconds(60)
      #expect(await player.create(player.friendID) == "completed")
      presenter.recipientSelection = { [friend = player.friendID] _ in [friend] }
      #expect(await player.send(to: []) == "completed")
      player.expectEachToldOnce()
    }
  }
}
