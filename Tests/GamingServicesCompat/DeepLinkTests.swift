import Foundation
import Locking
import MusterKit
import Testing

@testable import GamingServicesCompat

extension GamingServicesTests {
  @MainActor
  @Suite("Deep links", .serialized)
  struct DeepLinkTests {
    /// The beginning of the JSON object in which app links carry their values.
    private nonisolated static let extras = "al_applink_data=%7B%22extras%22:%7B%22payload"
    private static let token = ContextID(high: 9, low: 3).description

    private func client(_ prepare: (inout FakeClient.Answers) -> Void = { _ in }) -> FakeClient {
      let client = FakeClient { answers in
        answers.contexts = [FakeClient.context(3, with: [FakeClient.friend])]
        prepare(&answers)
      }
      GamingServicesTests.configure(client)
      return client
    }

    private var isLoading: Bool { ContextState.shared.withLock { $0.linked != nil } }

    private func link(_ query: String) throws -> URL {
      try #require(URL(string: "game://play?" + query))
    }

    @Test(
      "1.10 a link counts with a payload and one of three names, in their order",
      arguments: [
        ("payload=p&tournament_id=t", "tournament t p"),
        ("payload=p&tournament_id=t&context_token_id=c", "context p"),
        ("tournament_id=t&context_token_id=c&game_request_id=r&payload=p", "request r p"),
        ("payload=&game_request_id=r", "request r "),
        ("payload=p&game_request_id=&tournament_id=t", "tournament t p"),
        ("payload=p", nil), ("game_request_id=r", nil), ("", nil),
        ("payload=p&game_request_id=", nil),
        (extras + "%22:%22p%22,%22game_request_id%22:%22r%22%7D%7D", "request r p"),
        (extras + "%22:%22p%22%7D%7D&game_request_id=r", nil),
        ("al_applink_data=nonsense&payload=p&game_request_id=r", "request r p"),
        ("payload=a+b%2Bc&game_request_id=r", "request r a b+c"),
        (extras + "%22:+%22a+b%22,%22tournament_id%22:%22t%22%7D%7D", "tournament t a b"),
        ("payload=a&game_request_id=q&payload=b&game_request_id=r", "request r b"),
        ("payload&game_request_id=r", "request r "),
      ] as [(String, String?)])
    func counts(query: String, told: String?) throws {
      _ = client()
      let listener = LinkListener()
      let observer = GamingPayloadObserver(delegate: listener)
      #expect(GamingServices.open(try link(query)) == (told != nil))
      #expect(listener.told == (told.map { [$0] } ?? []))
      withExtendedLifetime(observer) {}
    }

    @Test("1.10 a link of any length is no trouble")
    func length() throws {
      _ = client()
      let payload = String(repeating: "p", count: AppLinkURL.sizeMax)
      #expect(!GamingServices.open(try link("game_request_id=r&payload=" + payload)))
    }

    @Test("1.10 a context's link makes it current, with size 0 until it is loaded")
    func context() async throws {
      let client = client()
      let listener = LinkListener()
      let observer = GamingPayloadObserver(delegate: listener)
      GamingServices.open(try link("payload=p&context_token_id=" + Self.token))
      #expect(listener.told == ["context p"])
      #expect(listener.current == GamingContext(token: Self.token, size: 0))
      while isLoading { await Task.yield() }
      #expect(GamingContext.current == GamingContext(token: Self.token, size: 2))
      #expect(client.asked == ["SwitchContext"])
      // The context that is current already is not loaded again.
      GamingServices.open(try link("payload=p&context_token_id=" + Self.token))
      #expect(listener.current?.size == 2)
      #expect(client.asked == ["SwitchContext"])
      withExtendedLifetime(observer) {}
    }

    @Test("1.10 a link to the context that the game has put another one in place of")
    func chosen() throws {
      let known = FakeClient.context(3, with: [FakeClient.friend])
      let client = client { $0.current = known }
      let listener = LinkListener()
      let observer = GamingPayloadObserver(delegate: listener)
      GamingContext.current = nil
      GamingServices.open(try link("payload=p&context_token_id=" + Self.token))
      #expect(listener.current == GamingContext(token: Self.token, size: 2))
      #expect(client.asked.isEmpty)
      withExtendedLifetime(observer) {}
    }

    @Test("1.10 a link is told as what it is about besides, where a delegate leaves a method out")
    func leftOut() async throws {
      let client = client()
      let (first, second, tournaments) = (Players(), Players(), Tournaments())
      let observers = [first, second].map { GamingPayloadObserver(delegate: $0) }
      GamingServices.open(try link("payload=p&game_request_id=r"))
      #expect(first.told.isEmpty)
      let names = "&game_request_id=r&context_token_id=" + Self.token
      GamingServices.open(try link("payload=p" + names))
      #expect([first.told, second.told] == [["context p"], ["context p"]])
      #expect(first.current == GamingContext(token: Self.token, size: 0))
      while isLoading { await Task.yield() }
      #expect(client.asked == ["SwitchContext"] && GamingContext.current?.size == 2)
      let observer = GamingPayloadObserver(delegate: tournaments)
      GamingServices.open(try link("payload=p&tournament_id=t" + names))
      #expect(tournaments.told == ["t p"] && first.told.count == 2)
      withExtendedLifetime((observers, observer)) {}
    }

    @Test("1.10 1.5 a link to what the player cannot enter leaves the current context")
    func unknown() async throws {
      let known = FakeClient.context(3, with: [FakeClient.friend])
      let client = client { $0.current = known }
      let other = ContextID(high: 8, low: 8).description
      GamingServices.open(try link("payload=p&context_token_id=" + other))
      #expect(GamingContext.current == GamingContext(token: other, size: 0))
      while isLoading { await Task.yield() }
      #expect(client.asked == ["SwitchContext"])
      #expect(GamingContext.current?.identifier == Self.token)
      GamingServices.open(try link("payload=p&context_token_id=nonsense"))
      #expect(GamingContext.current?.identifier == Self.token)
    }

    @Test("1.10 a link that comes before the player is signed in waits until then")
    func early() async throws {
      let client = client { $0.isSignedIn = false }
      let listener = LinkListener()
      let observer = GamingPayloadObserver(delegate: listener)
      for number in 1...DeepLinks.waitingMax + 1 {
        #expect(GamingServices.open(try link("payload=p&game_request_id=\(number)")))
      }
      await Task.yield()
      client.post(.connecting)
      await Task.yield()
      #expect(listener.told.isEmpty)
      client.answers.withLock { $0.isSignedIn = true }
      client.post(.connected)
      while listener.told.count < DeepLinks.waitingMax { await Task.yield() }
      #expect(listener.told == (2...DeepLinks.waitingMax + 1).map { "request \($0) p" })
      withExtendedLifetime(observer) {}
    }

    @Test("1.10 a link is not loaded for a client that is not used any more")
    func oldClient() async {
      let old = client()
      _ = client()
      DeepLinks.load(Self.token, old)
      // What would be asked has its turn before this goes on.
      await Task.yield()
      #expect(GamingContext.current == nil && old.asked.isEmpty)
    }

    @Test("1.10 a link that comes before there is a client waits for one")
    func noClient() async throws {
      GamingServices.configure(connection: nil)
      let listener = LinkListener()
      let observer = GamingPayloadObserver(delegate: listener)
      #expect(GamingServices.open(try link("payload=p&tournament_id=t")))
      #expect(listener.told.isEmpty)
      _ = client()
      while listener.told.isEmpty { await Task.yield() }
      #expect(listener.told == ["tournament t p"])
      withExtendedLifetime(observer) {}
    }
  }
}

/// Remembers what it was told of links.
@MainActor
private final class LinkListener: GamingPayloadDelegate {
  private(set) var told: [String] = []
  /// `GamingContext.current` when it was told.
  private(set) var current: GamingContext?

  private func note(_ text: String) {
    told.append(text)
    current = GamingContext.current
  }

  func parsedGameRequestURLContaining(_ payload: GamingPayload, gameRequestID: String) {
    note("request \(gameRequestID) \(payload.payload)")
  }
  func parsedGamingContextURLContaining(_ payload: GamingPayload) {
    note("context \(payload.payload)")
  }
  func parsedTournamentURLContaining(_ payload: GamingPayload, tournamentID: String) {
    note("tournament \(tournamentID) \(payload.payload)")
  }
}

/// Hears of contexts alone.
@MainActor
private final class Players: GamingPayloadDelegate {
  private(set) var told: [String] = []
  private(set) var current: GamingContext?

  func parsedGamingContextURLContaining(_ payload: GamingPayload) {
    told.append("context \(payload.payload)")
    current = GamingContext.current
  }
}

/// Hears of tournaments alone.
@MainActor
private final class Tournaments: GamingPayloadDelegate {
  private(set) var told: [String] = []

  func parsedTournamentURLContaining(_ payload: GamingPayload, tournamentID: String) {
    told.append("\(tournamentID) \(payload.payload)")
  }
}
