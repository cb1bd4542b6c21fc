import Dialogs
import Foundation
import GamingServicesCompat
import MusterKit
import Operations
import Stack
import Testing
import Wire

extension System.GamingDialogs {
  @MainActor
  static func playContexts() async throws {
    try await withFriends { _, player in
      #expect(GamingContext.current == nil)
      let presenter = ScriptedPresenter()
      GamingServices.presenter = presenter
      // 1.2, 1.4 and 1.5: without a word to the server.
      #expect(
        await player.choose { ($0.minParticipants, $0.maxParticipants) = (3, 2) }
          == "failed requiredArgument")
      #expect(await player.create("") == "failed requiredArgument")
      #expect(await player.change(to: "") == "failed requiredArgument")
      let unknown = PlayerID(high: 1, low: 1).description
      #expect(await player.create(unknown) == "failed notReachable")
      #expect(GamingContext.current == nil)

      #expect(await player.create(player.friendID) == "completed")
      let pair = try #require(GamingContext.current)
      #expect(pair.size == 2)
      let solo = try await player.client.createSoloContext().context.description
      #expect(await player.create(player.friendID) == "completed")
      #expect(GamingContext.current == pair)
      // 1.7 and 1.5: what fails leaves the current context as it is.
      #expect(await player.change(to: pair.identifier) == "failed sameContext")
      let missing = ContextID(high: 1, low: 1).description
      #expect(await player.change(to: missing) == "failed notFound")
      #expect(await player.change(to: "nonsense") == "failed notFound")
      #expect(GamingContext.current == pair)

      // 1.3: what each filter shows.
      var shown: [ContextItem] = []
      presenter.contextChoice = { choice in
        shown = []
        while case let page = try await choice.contexts.next(), !page.isEmpty { shown += page }
        return shown.first { $0.identifier == solo }
      }
      #expect(await player.choose() == "completed")
      #expect(Set(shown.map(\.identifier)) == [pair.identifier, solo])
      #expect(shown.first { $0.identifier == pair.identifier }?.playerNames == ["Ben"])
      #expect(GamingContext.current?.identifier == solo)
      for (filter, count) in [
        (ChooseContextFilter.newContextOnly, 2), (.newPlayersOnly, 0), (.existingChallenges, 0),
      ] {
        _ = await player.choose { $0.filter = filter }
        #expect(shown.count == count, "\(filter)")
      }
      #expect(await player.choose { $0.minParticipants = 2 } == "cancelled")
      #expect(shown.map(\.identifier) == [pair.identifier])

      // 1.4: whoever left comes back into the context of the two, which was closed meanwhile.
      let context = try #require(ContextID(pair.identifier))
      #expect(await player.change(to: pair.identifier) == "completed")
      _ = try await player.friend.switchContext(to: context)
      try await player.friend.leaveContext(context)
      try await player.client.leaveContext(context)
      while GamingContext.current != nil { await Task.yield() }
      #expect(await player.change(to: pair.identifier) == "failed notFound")
      #expect(await player.create(player.friendID) == "completed")
      #expect(GamingContext.current?.identifier == pair.identifier)
      player.expectEachToldOnce()
    }
  }

  @MainActor
  static func playRequests() async throws {
    try await withFriends { _, player in
      let failed = player.showSend(to: [player.friendID]) { $0.filters = .appUsers }
      #expect(await failed.told.first() == "failed invalidArgument")
      #expect(failed.error?.domain == ShareErrorDomain)
      #expect(failed.error?.userInfo[ErrorArgumentNameKey] as? String == "recipients")
      // 2.4: whom it reaches, by both names.
      let unknown = PlayerID(high: 1, low: 1).description
      let sent = player.showSend(to: [player.friendID, unknown]) { content in
        (content.data, content.title, content.cta) = ("level 7", "A gift", "Take it")
        (content.actionType, content.objectID) = (.send, "sword")
      }
      #expect(await sent.told.first() == "completed")
      let id = try #require(sent.results["request_id"] as? String)
      #expect(sent.results["request"] as? String == id)
      #expect(sent.results["recipients"] as? [String] == [player.friendID])
      #expect(sent.results["to"] as? [String] == [player.friendID])
      let outcomes = sent.results["outcomes"] as? [String: String]
      #expect(outcomes?[unknown] == "notReachable")
      // 2.1 and 2.7: the recipient sees what the request holds, and the sender.
      for await event in player.friend.events {
        guard let received = event.decode(RequestReceived.self) else { continue }
        let request = received.request
        #expect(request.request.description == id && request.sender == player.credential.player)
        #expect(request.message == "Play with me" && request.data == "level 7")
        #expect(request.title == "A gift" && request.cta == "Take it")
        #expect(request.actionType == .send && request.objectID == "sword")
        break
      }
      // 2.3: whom the selector shows.
      let presenter = ScriptedPresenter()
      GamingServices.presenter = presenter
      var shown: [String] = []
      for (filter, search, names) in [
        (GameRequestFilter.none, "", ["Ben"]), (.everybody, "be", ["Ben"]), (.none, "carla", []),
        (.appUsers, "", ["Ben"]), (.appNonUsers, "", []),
      ] {
        presenter.recipientSelection = { selection in
          shown = []
          let friends = selection.friends(search)
          while case let page = try await friends.next(), !page.isEmpty {
            shown += page.map(\.displayName)
          }
          return nil
        }
        let chosen = player.showSend(to: []) { $0.filters = filter }
        #expect(await chosen.told.first() == "cancelled")
        #expect(shown == names, "\(filter) \(search)")
      }
      // 2.6: not asked again, once the recipient has agreed.
      _ = try await player.friend.call(GrantConsent(to: player.credential.player))
      for await event in player.client.events where event.kind == ConsentChanged.opcode { break }
      while player.client.frictionlessRecipients?.isEmpty ?? true { await Task.yield() }
      #expect(await player.showSend(to: [player.friendID]).told.first() == "cancelled")
      let free = player.showSend(to: [player.friendID], isFrictionless: true)
      #expect(await free.told.first() == "completed")
      player.expectEachToldOnce()
    }
  }

  @MainActor
  static func playStarts() async throws {
    try await withFriends { stack, player in
      let file = stack.directory.appendingPathComponent("app/context.json")
      GamingServices.configure(client: player.client, keepingContextIn: file)
      #expect(await player.create(player.friendID) == "completed")
      let pair = try #require(GamingContext.current)
      await player.client.close()

      // The app starts anew: the context is there before the player has signed in, and after it.
      let second = MusterClient(stack.configuration)
      GamingServices.configure(client: second, keepingContextIn: file)
      #expect(GamingContext.current == pair)
      try await second.signIn(player.credential)
      while second.currentContext == nil { await Task.yield() }
      #expect(GamingContext.current == pair)
      // Another device leaves it; the next start learns that from the server.
      let context = try #require(second.currentContext?.context)
      await second.close()
      let other = MusterClient(stack.configuration)
      try await other.signIn(player.credential)
      try await other.leaveContext(context)
      let solo = try await other.createSoloContext().context.description
      await other.close()
      let third = MusterClient(stack.configuration)
      GamingServices.configure(client: third, keepingContextIn: file)
      #expect(GamingContext.current == pair)

      // Links that come before the player is signed in are told afterwards.
      let listener = LinkHearer()
      let observer = GamingPayloadObserver(delegate: listener)
      for (query, counts) in [
        ("payload=r&tournament_id=t&game_request_id=r", true), ("payload=n", false),
        ("payload=t&tournament_id=t", true), ("payload=p&context_token_id=" + solo, true),
      ] {
        let link = try #require(URL(string: "game://play?" + query))
        let isTaken = ApplicationDelegate.shared.application(
          player, open: link, options: [String: Any]())
        #expect(isTaken == counts)
      }
      #expect(listener.told.isEmpty)
      try await third.signIn(player.credential)
      while listener.told.count < 3 { await Task.yield() }
      #expect(listener.told == ["request r", "tournament t", "p " + solo])
      while third.currentContext == nil { await Task.yield() }
      #expect(GamingContext.current?.identifier == solo)
      withExtendedLifetime(observer) {}
      await third.close()
    }
  }
}

/// Hears of links, and which context is current when one is about a context.
@MainActor
private final class LinkHearer: GamingPayloadDelegate {
  private(set) var told: [String] = []

  func parsedGamingContextURLContaining(_ payload: GamingPayload) {
    told.append("\(payload.payload) \(GamingContext.current?.identifier ?? "none")")
  }
  func parsedGameRequestURLContaining(_ payload: GamingPayload, gameRequestID: String) {
    told.append("request \(gameRequestID)")
  }
  func parsedTournamentURLContaining(_ payload: GamingPayload, tournamentID: String) {
    told.append("tournament \(tournamentID)")
  }
}
