import GatewayCore
import Identity
import Locking
import Operations
import Outgoing
import ServiceKit
import Transport

/// The keys of identity providers, for all loops of the process: each document is fetched once.
///
/// Who has a lock on it looks up a key or puts new ones in; proofs are read, and signatures are
/// verified, without it.
final class SharedProofDesk: Sendable {
  private struct State {
    var desk: ProofDesk
    /// By provider; each tells a loop to ask again.
    var waiting: [String: [@Sendable () -> Void]] = [:]
    var waitingCount = 0
  }

  let client: HTTPSClient
  /// Of questions about proofs, of which strangers make any number: they keep no fetch of keys
  /// waiting. Nil where no provider is asked any.
  let questions: HTTPSClient?
  let providers: IdentityProviders
  private let state: Locked<State>
  private let clock: @Sendable () -> Int64

  /// Milliseconds since 1970, by the desk's clock.
  var time: Int64 { clock() }

  /// A clock that follows no jumps: keys that were fetched in a second of the next year would be
  /// fresh until then.
  static func steadyClock() -> @Sendable () -> Int64 {
    let (startTime, start) = (ProcessShell.clock(), ContinuousClock.now)
    return { startTime + Int64(start.duration(to: .now) / .milliseconds(1)) }
  }

  /// Starts the threads of calls.
  ///
  /// - Parameter clock: milliseconds since 1970; it never goes back.
  init(_ plan: IdentityPlan, clock: @escaping @Sendable () -> Int64 = steadyClock())
    throws(TLSError)
  {
    self.clock = clock
    client = try HTTPSClient(plan.calls)
    questions = plan.providers.hasQuestions ? try HTTPSClient(plan.calls) : nil
    providers = plan.providers
    state = Locked(State(desk: ProofDesk(plan.providers)))
  }

  /// Ends all calls.
  func stop() {
    client.stop()
    questions?.stop()
  }

  /// What to do with a proof. Where that is to wait, `wake` is called once.
  func step(_ errand: ReadErrand, wake: @escaping @Sendable () -> Void)
    -> ProofDesk.Step
  {
    state.withLock { state in
      let step = state.desk.step(errand, now: time)
      guard case .wait = step else { return step }
      guard state.waitingCount < GatewayLimits.waitingProofsMax else {
        return .refuse(.unavailable(until: nil))
      }
      state.waitingCount += 1
      state.waiting[errand.provider, default: []].append(wake)
      return step
    }
  }

  /// A fetch has ended: whoever waits for it asks again.
  func fetched(_ order: ProofDesk.Order, _ answer: HTTPSResponse?) -> KeyDocumentError? {
    let document = answer.flatMap { $0.isSuccess ? $0.body : nil }
    let (waiting, fault) = state.withLock { state in
      let fault = state.desk.fetched(
        order, document: document, freshSeconds: answer?.freshSeconds, now: time)
      let waiting = state.waiting.removeValue(forKey: order.provider) ?? []
      state.waitingCount -= waiting.count
      return (waiting, fault)
    }
    for wake in waiting { wake() }
    return fault
  }
}
