import Locking
import MusterKit
import Synchronization
import Testing

@testable import GameKitCompat

extension GameKitTests {
  @MainActor
  @Suite("Authentication", .serialized)
  struct AuthenticationTests {
    enum Told: Equatable {
      case authenticated
      case present
      case failed(GKError.Code?)
    }

    let told = AsyncStream.makeStream(of: Told.self)

    func next() async -> Told? {
      var iterator = told.stream.makeAsyncIterator()
      return await iterator.next()
    }

    func listen() {
      let continuation = told.continuation
      GKLocalPlayer.local.authenticateHandler = { screen, error in
        if GKLocalPlayer.local.isAuthenticated {
          continuation.yield(.authenticated)
        } else if screen != nil {
          continuation.yield(.present)
        } else {
          continuation.yield(.failed((error as? GKError)?.code))
        }
      }
    }

    @Test("3.1 The handler hears of every change, of a screen to present, of an error")
    func handler() async {
      let client = GameKitTests.client { $0.isSignedIn = false }
      listen()
      #expect(await next() == .failed(.notAuthenticated))
      #expect(GKLocalPlayer.local.playerID == "")
      let credential = Credential(player: FakeClient.me, device: DeviceID(), secret: [])
      GameKit.configure(connection: client, credential: credential)
      #expect(await next() == .authenticated)
      #expect(GKLocalPlayer.local.playerID == FakeClient.me.description)
      GKLocalPlayer.local.authenticateHandler = nil
      client.setSignedIn(false)
      client.answers.withLock { $0.signInFailure = MusterError(.deadlineExceeded, "Too late.") }
      listen()
      #expect(await next() == .failed(.communicationsFailure))
      GameKit.configure(connection: client, signInScreen: listenerScreen)
      #expect(await next() == .present)
      GKLocalPlayer.local.authenticateHandler = nil
    }

    @Test("3.1 Who cannot be signed in for a passing reason is told once, and signed in later")
    func again() async {
      GKLocalPlayer.signInPauseMin = .milliseconds(1)
      defer { GKLocalPlayer.signInPauseMin = .seconds(1) }
      let client = GameKitTests.client { answers in
        answers.isSignedIn = false
        answers.signInFailure = MusterError(.deadlineExceeded, "Nobody answers.")
      }
      let credential = Credential(player: FakeClient.me, device: DeviceID(), secret: [])
      for failure in [nil, MusterError(.invalidCredential, "No.")] {
        client.answers.withLock { answers in
          answers.isSignedIn = false
          answers.signInFailure = MusterError(.deadlineExceeded, "Nobody answers.")
        }
        GameKit.configure(connection: client, credential: credential)
        listen()
        #expect(await next() == .failed(.communicationsFailure))
        for _ in 1...4 { await client.signedIn.next() }
        client.answers.withLock { $0.signInFailure = failure }
        #expect(await next() == (failure == nil ? .authenticated : .failed(.invalidCredentials)))
        GKLocalPlayer.local.authenticateHandler = nil
      }
    }

    @Test("3.1 The player who signs in and out later is heard of too")
    func later() async {
      let client = GameKitTests.client { $0.isSignedIn = false }
      listen()
      #expect(await next() == .failed(.notAuthenticated))
      client.setSignedIn(true)
      #expect(await next() == .authenticated)
      GKLocalPlayer.local.authenticateHandler = nil
    }

    @Test("3.1 Nothing goes without a player")
    func required() async {
      let client = GameKitTests.client { $0.isSignedIn = false }
      let request = GKMatchRequest()
      request.recipients = [GKPlayer(FakeClient.friend, displayName: "")]
      let match = await GameKitTests.outcome { handler in
        GKMatchmaker.shared().findMatch(for: request, withCompletionHandler: handler)
      }
      #expect(match.value == nil && match.error?.code == .notAuthenticated)
      #expect(client.asked.isEmpty)
    }

    private var listenerScreen: UIViewController { UIViewController() }
  }
}
