import Foundation
import Locking
import MusterKit
import Testing

@testable import GamingServicesCompat

extension GamingServicesTests {
  /// The current context beyond the client: set by the game, and after a start of the app.
  @MainActor
  @Suite("The current context", .serialized)
  struct CurrentContextTests {
    let token = ContextID(high: 9, low: 1).description

    /// A start of the app: another client, and what a file has kept.
    func start(
      _ file: URL? = nil, _ prepare: (inout FakeClient.Answers) -> Void = { _ in }
    ) -> FakeClient {
      let client = FakeClient { answers in
        answers.contexts = [FakeClient.context(1, with: [FakeClient.friend])]
        prepare(&answers)
      }
      GamingServices.configure(connection: client, keepingContextIn: file)
      return client
    }

    func enter() async {
      let listener = ContextListener()
      let content = CreateContextContent(playerID: FakeClient.friend.description)
      CreateContextDialog(content: content, delegate: listener).show()
      #expect(await listener.next() == .completed)
    }

    /// Runs a body with a file that nobody has written yet.
    func withFile(_ body: (URL) async -> Void) async {
      let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("muster-context-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: folder) }
      await body(folder.appendingPathComponent("app/context.json"))
    }

    @Test("1.1 what a game sets is current until a context is entered")
    func set() async {
      _ = start()
      GamingContext.current = GamingContext(token: "a", size: 1)
      #expect(GamingContext.current?.identifier == "a")
      await enter()
      #expect(GamingContext.current?.identifier == token)
      GamingContext.current = nil
      #expect(GamingContext.current == nil)
    }

    @Test("1.1 what could not be kept takes away what stood there, and is kept when it can be")
    func unkept() async {
      await withFile { file in
        _ = start(file)
        // Nothing can be written over a folder.
        try? FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
        let context = GamingContext(token: "a", size: 1)
        GamingContext.current = context
        #expect(!FileManager.default.fileExists(atPath: file.path))
        GamingContext.current = context
        _ = start(file)
        #expect(GamingContext.current?.identifier == "a")
      }
    }

    @Test("1.1 1.7 from what the game has set, the player goes back to the own context")
    func goBack() async {
      let client = start()
      await enter()
      let listener = ContextListener()
      let content = SwitchContextContent(contextID: token)
      for chosen in [nil, GamingContext(token: "a", size: 1)] {
        GamingContext.current = chosen
        SwitchContextDialog(content: content, delegate: listener).show()
        #expect(await listener.next() == .completed)
        #expect(GamingContext.current?.identifier == token)
        SwitchContextDialog(content: content, delegate: listener).show()
        #expect(await listener.next() == .failed(.sameContext, "contextToken"))
      }
      #expect(client.asked == ["CreatePairContext"])
      // Another device has entered the context, of which this client has not heard.
      let other = start { $0.elsewhere = ContextID(high: 9, low: 1) }
      GamingContext.current = GamingContext(token: "a", size: 1)
      SwitchContextDialog(content: content, delegate: listener).show()
      #expect(await listener.next() == .completed)
      #expect(other.asked.contains("SwitchContext") && GamingContext.current?.identifier == token)
    }

    @Test("1.1 to make a context makes it current, as the SDK does; none without an identifier")
    func make() {
      _ = start()
      #expect(GamingContext(identifier: "", size: 2) == nil)
      #expect(GamingContext.current == nil)
      #expect(GamingContext(identifier: "a", size: -1)?.size == 0)
      #expect(GamingContext.current == GamingContext(token: "a", size: 0))
    }

    @Test("1.1 what a game has set ends when the player leaves, or is another one")
    func setEnds() async {
      let client = start()
      await enter()
      GamingContext.current = GamingContext(token: "a", size: 1)
      let entered = client.currentContext
      client.answers.withLock { $0.current = nil }
      #expect(GamingContext.current == nil)
      client.answers.withLock { $0.current = entered }
      #expect(GamingContext.current?.identifier == token)
      client.answers.withLock { $0.current = nil }
      GamingContext.current = GamingContext(token: "a", size: 1)
      client.answers.withLock { $0.isSignedIn = false }
      #expect(GamingContext.current == nil)
    }

    @Test("1.1 the context is current after a start of the app, and before the player signs in")
    func restart() async {
      await withFile { file in
        _ = start(file)
        #expect(GamingContext.current == nil)
        await enter()
        let client = start(file) { $0.isSignedIn = false }
        #expect(GamingContext.current == GamingContext(token: token, size: 2))
        // The server says that the player is in it still, and with whom.
        client.answers.withLock { answers in
          answers.contexts = [FakeClient.context(1, with: [FakeClient.friend, FakeClient.other])]
          (answers.isSignedIn, answers.elsewhere) = (true, ContextID(high: 9, low: 1))
        }
        client.post(.connected)
        while GamingContext.current?.size != 3 { await Task.yield() }
        #expect(GamingContext.current?.identifier == token)
      }
    }

    @Test("1.1 a context that the player has left elsewhere is not current after the sign-in")
    func leftElsewhere() async {
      await withFile { file in
        _ = start(file)
        await enter()
        let client = start(file) { $0.isSignedIn = false }
        #expect(GamingContext.current?.identifier == token)
        client.answers.withLock { $0.isSignedIn = true }
        client.post(.connected)
        while GamingContext.current != nil { await Task.yield() }
        while FileManager.default.fileExists(atPath: file.path) { await Task.yield() }
      }
    }

    @Test("1.1 a context is kept through an outage at the start")
    func outage() async {
      await withFile { file in
        _ = start(file)
        await enter()
        let client = start(file) { $0.failure = MusterError(.unavailable, "Not now.") }
        while client.asked.isEmpty { await Task.yield() }
        client.post(.connecting)
        while client.asked.count < 2 { await Task.yield() }
        #expect(GamingContext.current?.identifier == token)
      }
    }

    @Test("1.1 another player does not see the context of the one before")
    func otherPlayer() async {
      await withFile { file in
        let kept = GamingContext(token: token, size: 2)
        if let kept { try? KeptContext(kept, of: "another player").write(to: file) }
        let client = start(file) { $0.isSignedIn = false }
        #expect(GamingContext.current == kept)
        client.answers.withLock { $0.isSignedIn = true }
        #expect(GamingContext.current == nil)
      }
    }

    @Test("1.1 signing out forgets the context of this device")
    func signOut() async {
      await withFile { file in
        let client = start(file)
        await enter()
        #expect(KeptContext(at: file)?.identifier == token)
        client.answers.withLock { ($0.isSignedIn, $0.current) = (false, nil) }
        client.post(.signedOut)
        while FileManager.default.fileExists(atPath: file.path) { await Task.yield() }
        #expect(GamingContext.current == nil)
      }
    }

    @Test(
      "1.1 what follows a client that is not used any more changes nothing",
      arguments: [false, true])
    func oldFollower(hasLooked: Bool) async throws {
      let kept = try #require(GamingContext(token: token, size: 2))
      await withFile { file in
        let configure: @Sendable () -> Void = {
          try? KeptContext(kept, of: "\(FakeClient.me)").write(to: file)
          let new = FakeClient { $0.isSignedIn = false }
          GamingServices.configure(connection: new, keepingContextIn: file)
        }
        var old: FakeClient? = start(file) { answers in
          answers.current = FakeClient.context(2, with: [])
          if !hasLooked { answers.beforeSession = configure }
        }
        if hasLooked {
          while KeptContext(at: file) == nil { await Task.yield() }
          old?.answers.withLock { $0.beforeSession = configure }
          old?.post(.connected)
        }
        // Until nobody follows it.
        weak let follower = old
        old = nil
        while follower != nil { await Task.yield() }
        #expect(GamingContext.current == kept && KeptContext(at: file)?.context == kept)
      }
    }

    @Test("1.1 a dialog that ends after its client changes nothing, and asks its own client")
    func oldDialog() async throws {
      let new = FakeClient()
      let old = start { answers in
        answers.beforeReply = {
          GamingServices.configure(connection: new)
          GamingContext.current = GamingContext(token: "a", size: 1)
        }
      }
      await enter()
      #expect(GamingContext.current?.identifier == "a")
      // The old client is in it already, whatever the game has set for the new one.
      await #expect(throws: GamingServicesError.self) { try await old.enter(token) }
    }

    @Test(
      "1.1 a file that nobody can read is no context", arguments: ["", "{", "[1]", "{\"size\":1}"])
    func brokenFile(text: String) async {
      await withFile { file in
        let folder = file.deletingLastPathComponent()
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try? Data(text.utf8).write(to: file)
        _ = start(file)
        #expect(GamingContext.current == nil)
      }
    }
  }
}
