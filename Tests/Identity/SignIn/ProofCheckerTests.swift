import Foundation
import Identity
import LocalServer
import Locking
import Operations
import Outgoing
import ServiceKit
import TestKit
import Testing
import Transport
import Wire

@testable import GatewayCore
@testable import muster_gateway

/// Proofs that are verified with the documents of a server of this machine, over HTTPS, by the
/// loops of one gateway.
@Suite("Proofs over HTTPS", .endsAtLast)
struct ProofCheckerTests {
  @Test("7.2 a first sign-in fetches the keys over HTTPS, and the next ones nothing")
  func cold() async throws {
    try await withGateway { gateway in
      let signUps = (0..<40).map { _ in gateway.errand(by: 0) }
      let results = await gateway.check(signUps)
      #expect(results.allSatisfy { (try? $0.get().subject) == "player" })
      #expect(gateway.server.requests.count == 1, "all of both loops wait for one answer")
      _ = await gateway.check(signUps)
      #expect(gateway.server.requests.count == 1)
    }
  }

  @Test("7.2 a gateway signs in end to end with keys from a server")
  func endToEnd() async throws {
    try await withGateway { gateway in
      let (isSame, refused) = try await onThread {
        let path = SignInPath(gateway.providers, now: gateway.now)
        path.checks = { errand in gateway.checkWaiting(errand) }
        let reply = try path.signUp(path.proof("chess", gateway.token(by: 0), attempt: 1))
        let isSame = try path.signIn(reply).player == reply.player
        let forged = path.proof("chess", gateway.token(by: 2), attempt: 2)
        let doubled = path.proof("chess", gateway.token(by: 0), attempt: 3)
        return (isSame, [forged, doubled].map { (try? path.signUp($0)) == nil })
      }
      #expect(isSame)
      #expect(refused == [true, true], "a forged token, and one whose player is there already")
    }
  }

  /// Runs what waits on a thread of its own: on one of the few that all tests share it might wait
  /// for what another one of these has to do.
  private func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value)
    async throws -> Value
  {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result(catching: body)) }
    }
  }

  @Test("7.2 keys rotate under load: no right token is refused, and no forged one taken")
  func rotation() async throws {
    try await withGateway { gateway in
      var (verified, putOff) = (0, 0)
      for round in 0..<30 {
        // The provider signs with its newest key, and publishes the one before as well.
        gateway.publish(through: round / 3)
        gateway.pass(25_000)
        let right = (0..<20).map { _ in gateway.errand(by: round / 3) }
        let forged = (0..<10).map { _ in gateway.errand(by: 99, keyID: "k\(round / 3 + 1)") }
        for (place, result) in await gateway.check(right + forged).enumerated() {
          switch result {
          case .success:
            #expect(place < right.count, "a forged token was taken")
            verified += 1
          case .failure(let failure) where failure.code == .unavailable: putOff += 1
          case .failure(let failure):
            #expect(place >= right.count, "a right token was refused: \(failure)")
          }
        }
      }
      #expect(verified >= 400, "\(verified) \(putOff)")
      #expect(gateway.server.requests.count <= 30 * 25 / 60 + 2)
    }
  }

  @Test("7.2 a provider that hangs, fails or lies is told as one that cannot be reached")
  func failing() async throws {
    for steps in [
      [Step.hang], [.answer(503)], [.answer(200, "{\"keys\":[]}")], [.close],
      [.answer(302, headers: ["Location: https://localhost/"])],
    ] {
      try await withGateway(steps: steps) { gateway in
        let result = await gateway.check([gateway.errand(by: 0)])[0]
        guard case .failure(let failure) = result else {
          Issue.record("signed in without keys")
          return
        }
        #expect(failure.code == .unavailable && failure.retryAfterMilliseconds > 0)
      }
    }
  }

  @Test("7.2 a call ends within its time, whatever its provider does")
  func deadline() async throws {
    try await withGateway(steps: [.hang], seconds: 30) { gateway in
      let result = await gateway.check([gateway.errand(by: 0)], withinMilliseconds: 50)[0]
      #expect((try? result.get()) == nil)
      if case .failure(let failure) = result { #expect(failure.code == .deadlineExceeded) }
    }
  }

  @Test("7.2 tickets that Steam does not answer keep no fetch of keys waiting")
  func questionsApart() async throws {
    try await withGateway(callsMax: 1) { gateway in
      let tickets = (0..<3).map { _ in gateway.ticket() }
      async let unanswered = gateway.check(tickets, withinMilliseconds: 2_000)
      await gateway.steamIsAsked.value
      let results = await gateway.check([gateway.errand(by: 0)])
      #expect((try? results[0].get().subject) == "player")
      for result in await unanswered { #expect(throws: Failure.self) { try result.get() } }
    }
  }

  private func withGateway(
    steps: [Step]? = nil, seconds: Int = 2, callsMax: Int? = nil,
    _ body: (CheckingGateway) async throws -> Void
  ) async throws {
    let gateway = try await CheckingGateway(steps: steps, seconds: seconds, callsMax: callsMax)
    let result: Result<Void, any Error>
    do { result = .success(try await body(gateway)) } catch { result = .failure(error) }
    await gateway.stop()
    try result.get()
  }
}

/// Two loops of a gateway that share the keys of one provider, whose server is here.
private final class CheckingGateway: Sendable {
  private struct State {
    var now: Int64 = 1_700_000_000_000
    /// The newest key of the provider's document.
    var newest = 0
  }

  let server: TestServer
  let providers: [String: IdentityProviders.Provider]
  /// Steam never answers.
  let steamIsAsked = Promise<Void>()
  private let state: Locked<State>
  private let desk: SharedProofDesk
  /// Each keeps a checker.
  private let loops: [LoopThread]

  static let keys = Locked<[Int: SigningKey]>([:])
  static func key(_ number: Int) -> SigningKey {
    keys.withLock { keys in
      let key = keys[number] ?? SigningKey(.p256)
      keys[number] = key
      return key
    }
  }

  init(steps: [Step]?, seconds: Int, callsMax: Int?) async throws {
    let state = Locked(State())
    self.state = state
    server = TestServer.start { [steamIsAsked] request in
      if request.path.hasPrefix("/steam") { return [.note(steamIsAsked), .hang] }
      if let steps { return steps }
      let newest = state.withLock { $0.newest }
      let published = Dictionary(
        uniqueKeysWithValues: (max(0, newest - 1)...newest).map { ("k\($0)", Self.key($0)) })
      return [
        .answer(200, TokenWorld.published(published), headers: ["Cache-Control: max-age=300"])
      ]
    }
    var provider = TokenProvider.custom(
      name: "chess", issuer: "https://login.chess.example", audience: "muster-chess")
    provider.keysURL = server.url + "/keys"
    provider.ageSecondsMax = 24 * 3600
    var steam = SteamProvider(appID: 480, identity: "chess", webKey: "key")
    steam.address = server.url + "/steam"
    providers = ["chess": .token(provider, keys: nil), "steam": .steam(steam)]
    var plan = IdentityPlan(IdentityProviders(providers))
    plan.calls.authorityFile = TestAuthority.shared.file
    plan.calls.callMillisecondsMax = steps == nil ? 60_000 : seconds * 1000
    if let callsMax { (plan.calls.callsMax, plan.calls.waitingMax) = (callsMax, 0) }
    desk = try SharedProofDesk(plan, clock: { [state] in state.withLock { $0.now } })
    loops = [LoopThread(name: "gateway/1"), LoopThread(name: "gateway/2")]
    for thread in loops {
      await thread.run { [desk] loop in
        loop.keep(
          ProofChecker(
            desk, on: loop, clock: { state.withLock { $0.now } },
            log: Log(source: "test", level: .error), metrics: Metrics(.gateway)))
      }
    }
  }

  var now: Int64 { state.withLock { $0.now } }
  func pass(_ milliseconds: Int64) { state.withLock { $0.now += milliseconds } }
  func publish(through newest: Int) { state.withLock { $0.newest = newest } }

  func token(by number: Int, keyID: String? = nil) -> String {
    var world = TokenWorld.custom()
    (world.key, world.keyID) = (Self.key(number), keyID ?? "k\(number)")
    let seconds = now / 1000
    return world.token(
      claims: world.claims.with("sub", "\"player\"").with("iat", "\(seconds)")
        .with("exp", "\(seconds + 3600)"))
  }

  func errand(by number: Int, keyID: String? = nil) -> ProofErrand {
    var proof = IdentityProof()
    (proof.provider, proof.attempt) = ("chess", RoutingKey(high: 1, low: 1))
    proof.token = Bytes(bytes(token(by: number, keyID: keyID)))
    return ProofErrand(
      proof: proof, nonce: nil, purpose: .signUp(SignUpWithIdentity()))
  }

  func ticket() -> ProofErrand {
    var proof = IdentityProof()
    (proof.provider, proof.attempt) = ("steam", RoutingKey(high: 1, low: 1))
    proof.token = Bytes(bytes("14000000d5c1a0"))
    return ProofErrand(proof: proof, nonce: nil, purpose: .signUp(SignUpWithIdentity()))
  }

  /// Checks proofs side by side, on both loops.
  func check(_ errands: [ProofErrand], withinMilliseconds: UInt64 = 60_000) async
    -> [Result<CheckedProof, Failure>]
  {
    let answers = errands.map { _ in Promise<Result<CheckedProof, Failure>>() }
    for (place, thread) in loops.enumerated() {
      await thread.run { [count = loops.count] loop in
        let checker = loop.keptObject(ProofChecker.self)
        for (number, errand) in errands.enumerated() where number % count == place {
          checker?.check(errand, withinMilliseconds: withinMilliseconds) {
            answers[number].set($0)
          }
        }
      }
    }
    var results: [Result<CheckedProof, Failure>] = []
    for answer in answers { results.append(await answer.value) }
    return results
  }

  /// The same for one proof, for a caller that cannot await and has a thread of its own.
  func checkWaiting(_ errand: ProofErrand) -> Result<CheckedProof, Failure> {
    let (done, found) = (DispatchSemaphore(value: 0), Locked<Result<CheckedProof, Failure>?>(nil))
    Task {
      let result = await check([errand])[0]
      found.withLock { $0 = result }
      done.signal()
    }
    done.wait()
    return found.withLock { $0 } ?? .failure(Failure(.unavailable, "no result"))
  }

  func stop() async {
    server.stop()
    desk.stop()
    for thread in loops {
      thread.stop()
      await thread.stopped()
    }
  }
}
