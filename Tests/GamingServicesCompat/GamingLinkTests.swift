import Foundation
import MusterKit
import Testing

@testable import GamingServicesCompat

extension GamingServicesTests {
  @MainActor
  @Suite("Links into the game", .serialized)
  struct GamingLinkTests {
    private let listener = LinkListener()
    private let token = ContextID(high: 9, low: 1).description

    private func client(_ prepare: (inout FakeClient.Answers) -> Void = { _ in }) -> FakeClient {
      let client = FakeClient { answers in
        answers.contexts = [FakeClient.context(1, with: [FakeClient.friend])]
        prepare(&answers)
      }
      GamingServicesTests.configure(client)
      return client
    }

    private func url(_ query: String) throws -> URL {
      try #require(URL(string: "game://open?\(query)"))
    }

    @Test(
      "1.10 A link counts with a payload and one of three ids, of which the first decides",
      arguments: [
        ("payload=a&game_request_id=r&context_token_id=c&tournament_id=t", "request r a"),
        ("tournament_id=t&context_token_id=c&payload=a%20b", "context c a b"),
        ("payload=&tournament_id=t", "tournament t "),
        ("payload=a&game_request_id=&tournament_id=t", "tournament t a"),
        ("payload=a&payload=b&tournament_id=t", "tournament t a"),
        ("payload=a", nil), ("context_token_id=c", nil), ("payload=a&context_token_id=", nil),
        ("", nil),
      ] as [(String, String?)])
    func parsing(query: String, expected: String?) throws {
      let link = GamingLink(try url(query))
      let text = link.map { link in
        switch link.target {
        case .gameRequest(let id): "request \(id) \(link.payload)"
        case .context(let id): "context \(id) \(link.payload)"
        case .tournament(let id): "tournament \(id) \(link.payload)"
        }
      }
      #expect(text == expected)
    }

    @Test("1.10 A context's link makes it current at once, with size 0 until it was loaded")
    func context() async throws {
      let client = client()
      let observer = GamingPayloadObserver(delegate: listener)
      #expect(observer.open(try url("payload=p&context_token_id=\(token)")))
      #expect(listener.told == ["context \(token) p, current \(token) of 0"])
      while LinkedContext.current != nil { await Task.yield() }
      #expect(GamingContext.current?.identifier == token && GamingContext.current?.size == 2)
      // The link of the current context loads nothing.
      #expect(observer.open(try url("payload=q&context_token_id=\(token)")))
      #expect(listener.told.last == "context \(token) q, current \(token) of 2")
      #expect(client.asked == ["JoinContext"])
      #expect(!observer.open(try url("payload=p")))
    }

    @Test("1.10 1.5 After a link that leads nowhere the context from before is current again")
    func nowhere() async throws {
      let client = client { $0.current = $0.contexts[0] }
      let observer = GamingPayloadObserver(delegate: listener)
      for missing in [ContextID(high: 8, low: 8).description, "no token"] {
        #expect(
          observer.open(
            try url("payload=p&context_token_id=\(missing.replacing(" ", with: "%20"))")))
        #expect(GamingContext.current?.identifier == missing && GamingContext.current?.size == 0)
        while LinkedContext.current != nil { await Task.yield() }
        #expect(GamingContext.current?.identifier == token)
      }
      #expect(client.asked == ["JoinContext"])
    }

    @Test("1.10 Links that come before the player is signed in wait for that, in their order")
    func early() async throws {
      GamingServices.configure(connection: nil)
      let observer = GamingPayloadObserver(delegate: listener)
      #expect(observer.open(try url("payload=1&tournament_id=t")))
      for _ in 0..<10 { await Task.yield() }
      let client = client { $0.isSignedOut = true }
      #expect(observer.open(try url("payload=2&context_token_id=\(token)")))
      for _ in 0..<10 { await Task.yield() }
      #expect(listener.told.isEmpty && GamingContext.current == nil)
      client.signIn()
      while listener.told.count < 2 { await Task.yield() }
      #expect(
        listener.told == ["tournament t 1", "context \(token) 2, current \(token) of 0"])
      while LinkedContext.current != nil { await Task.yield() }
    }

    @Test("1.10 So many links wait, and no more")
    func bound() throws {
      let client = client { $0.isSignedOut = true }
      let observer = GamingPayloadObserver(delegate: listener)
      let taken = try (0..<10).map { observer.open(try url("payload=\($0)&tournament_id=t")) }
      #expect(taken.count { $0 } == 8 && client.asked.isEmpty)
    }
  }
}

@MainActor
private final class LinkListener: GamingPayloadDelegate {
  private(set) var told: [String] = []

  func parsedGamingContextURLContaining(_ payload: GamingPayload, gameContextTokenID: String) {
    let current = GamingContext.current.map { "\($0.identifier) of \($0.size)" } ?? "none"
    told.append("context \(gameContextTokenID) \(payload.payload), current \(current)")
  }

  func parsedTournamentURLContaining(_ payload: GamingPayload, tournamentID: String) {
    told.append("tournament \(tournamentID) \(payload.payload)")
  }
}
