import LocalServer
import Locking
import Outgoing
import TestKit
import Testing
import Transport
import Wire

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite("Push hook over HTTPS", .endsAtLast)
struct PushHookTests {
  /// An endpoint of a game, as its maker would write it: it believes what is signed, and leaves out
  /// doubles by the event's id.
  private final class Endpoint: Sendable {
    struct State: Sendable {
      /// How often each event was taken, doubles with it.
      var taken: [String: Int] = [:]
      var attempts: [String: [Int]] = [:]
      var unsigned = 0
      var callCount = 0
    }
    let state = Locked(State())
    let secrets: PushSecrets
    private let deadCalls: Int

    init(_ secrets: PushSecrets, deadCalls: Int) {
      self.secrets = secrets
      self.deadCalls = deadCalls
    }

    /// By its number, a call fails, hangs, is answered twice or slowly, or is right.
    func steps(_ request: TestRequest) -> [Step] {
      let number = state.withLock { state in
        state.callCount += 1
        state.attempts[request.headers["webhook-id"] ?? "", default: []].append(
          Int(request.headers["muster-attempt"] ?? "") ?? 0)
        return state.callCount
      }
      if number <= deadCalls { return number % 5 == 0 ? [.hang] : [.close] }
      switch number % 9 {
      case 0: return [.answer(500, "fault")]
      case 1: return [.hang]
      case 2: return [.close]
      case 3: return [.answer(302, headers: ["Location: https://example.com/"])]
      // Taken, but the answer does not arrive.
      case 4:
        take(request)
        return [.send(bytes("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab")), .close]
      case 5:
        take(request)
        return [.send(Step.bytes(200, "one") + Step.bytes(200, "two"))]
      case 6:
        take(request)
        return [.pause(50), .answer(202, "slow")]
      default:
        take(request)
        return [.answer(204)]
      }
    }

    private func take(_ request: TestRequest) {
      let id = request.headers["webhook-id"] ?? ""
      let seconds = Int64(request.headers["webhook-timestamp"] ?? "") ?? 0
      let isSigned = PushSignature.verify(
        request.headers["webhook-signature"] ?? "", id: id, seconds: seconds, body: request.body,
        secrets)
      let isNew = abs(Int64(time(nil)) - seconds) <= 300
      let isRight = isSigned && isNew && request.body == bytes("{\"event\":\"\(id)\"}")
      state.withLock { state in
        if isRight { state.taken[id, default: 0] += 1 } else { state.unsigned += 1 }
      }
    }
  }

  @Test("the status tells what came of a push, however long the answer is")
  func looksAtTheStatusOnly() async throws {
    let head = "Transfer-Encoding: chunked\r\n\r\n"
    let chunk = "1000\r\n\(String(repeating: "b", count: 4096))\r\n"
    let chunks = bytes(String(repeating: chunk, count: 100))
    let wanted: [(Int, PushOutcome)] = [
      (200, .accepted), (202, .accepted), (404, PushOutcome(.success(HTTPSResponse(status: 404)))),
      (500, .failed()),
    ]
    let secrets = try #require(PushSecrets("whsec_\(String(repeating: "BBBB", count: 10))"))
    for (status, outcome) in wanted {
      let server = TestServer.start { _ in
        [.send(bytes("HTTP/1.1 \(status) Word\r\n\(head)") + chunks), .hang]
      }
      let address = try HTTPSAddress("\(server.url)/hook")
      let row = PushRow(
        event: EventID(high: 1, low: 2), player: PlayerID(high: 3, low: 4), due: 0, since: 0)
      let request = PushCall.request(to: address, row, attempt: 1, body: [], secrets, now: 0)
      try await withClient { calls in
        #expect(PushOutcome(await calls(request)) == outcome, "\(status)")
      }
      server.stop()
    }
  }

  @Test(
    "an endpoint that fails, hangs, doubles and is slow gets each event exactly once by its id",
    arguments: [0, 25])
  func deliversEachEvent(deadCalls: Int) async throws {
    let old = "whsec_" + String(repeating: "AAAA", count: 10)
    let secrets = try #require(PushSecrets("whsec_\(String(repeating: "BBBB", count: 10)),\(old)"))
    let endpoint = Endpoint(try #require(PushSecrets(old)), deadCalls: deadCalls)
    let server = TestServer.start { endpoint.steps($0) }
    let events = (1...60).map { EventID(high: 9, low: $0) }
    var settings = PushSettings()
    settings.callsMax = 8
    settings.backoffMillisecondsMin = 5
    settings.backoffMillisecondsMax = 200
    settings.probeMillisecondsMax = 100
    // Hundreds of attempts go out side by side with other tests, and none may be given up.
    settings.attemptMillisecondsMax = 600_000
    let done = Promise<PushShell.Outcome>()
    let pushed = settings
    try await withClient(impatient) { calls in
      let address = try HTTPSAddress("\(server.url)/hook")
      await calls.thread.run { loop in
        let shell = PushShell(
          on: loop, calls.client, address, secrets, pushed, seed: 1, done: done)
        shell.start(events: events)
        loop.keep(shell)
      }
      let outcome = await done.value
      #expect(outcome.delivered == events.count)
      #expect(outcome.heldMax <= 8)
      #expect(outcome.wasFailing || deadCalls == 0)
      await calls.thread.run { loop in loop.keptObject(PushShell.self)?.end() }
    }
    server.stop()
    let found = endpoint.state.withLock { $0 }
    #expect(Set(found.taken.keys) == Set(events.map(\.description)))
    #expect(found.unsigned == 0)
    #expect(found.attempts.values.allSatisfy { $0.contains(1) })
  }
}
