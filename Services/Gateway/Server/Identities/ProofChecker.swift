import GatewayCore
import Identity
import Operations
import Outgoing
import ServiceKit
import Transport
import Wire

extension CounterMetric {
  static let verifiedIdentities = CounterMetric(
    "identities.verified", help: "Proofs of identity that were right.")
  static let refusedIdentities = CounterMetric(
    "identities.refused", help: "Proofs of identity that were wrong.")
  static let unavailableIdentities = CounterMetric(
    "identities.unavailable",
    help: "Proofs of identity that could not be checked, as a provider gave no answer.")
  static let identityFetches = CounterMetric(
    "identities.fetches", help: "Keys and answers that providers of identities were asked for.")
}

/// Verifies proofs for the clients of one loop, and makes the calls that this takes.
final class ProofChecker {
  /// A proof that is being verified, until it is answered.
  private final class Work {
    let errand: ReadErrand
    var done: ((Result<CheckedProof, Failure>) -> Void)?
    var timer: LoopTimer?

    init(_ errand: ReadErrand, _ done: @escaping (Result<CheckedProof, Failure>) -> Void) {
      self.errand = errand
      self.done = done
    }
  }

  private let desk: SharedProofDesk
  private let caller: HTTPSCaller
  private let questions: HTTPSCaller
  private let loop: Loop
  private let clock: () -> Int64
  private let log: Log
  private let metrics: Metrics
  private var waiting: [UInt64: Work] = [:]
  private var lastNumber: UInt64 = 0
  /// Strangers' proofs cause calls to providers.
  private var warnings = LogPace()
  private lazy var mailbox = loop.mailbox { [unowned self] (number: UInt64) in
    if let work = waiting.removeValue(forKey: number) { step(work) }
  }

  init(
    _ desk: SharedProofDesk, on loop: Loop, clock: @escaping () -> Int64, log: Log,
    metrics: Metrics
  ) {
    self.desk = desk
    self.loop = loop
    self.clock = clock
    self.log = log[.identities]
    self.metrics = metrics
    caller = desk.client.caller(on: loop)
    questions = (desk.questions ?? desk.client).caller(on: loop)
  }

  /// Says who a proof is about: `done` runs once, within the time, and not from inside this call.
  func check(
    _ errand: ProofErrand, withinMilliseconds milliseconds: UInt64,
    done: @escaping (Result<CheckedProof, Failure>) -> Void
  ) {
    var errand = errand
    errand.arrival = desk.time
    let work = Work(desk.providers.read(errand, now: errand.arrival), done)
    work.timer = loop.after(milliseconds) { [unowned self] in
      finish(work, .failure(Failure(.deadlineExceeded, "The identity provider did not answer.")))
    }
    loop.atEndOfTurn { [unowned self] in step(work) }
  }

  private func step(_ work: Work) {
    if work.done == nil { return }
    lastNumber += 1
    let (number, mailbox) = (lastNumber, mailbox)
    // Before the desk is asked: another loop may wake it at once.
    waiting[number] = work
    let step = desk.step(work.errand) { mailbox.send(number) }
    if case .wait = step { return }
    waiting[number] = nil
    switch step {
    case .wait: break
    case .verify(let verification, let refresh):
      if let refresh { fetch(refresh) }
      conclude(work) { (now) throws(IdentityError) in try verification.run(now: now) }
    case .fetch(let order): fetch(order) { [unowned self] in self.step(work) }
    case .ask(let question): ask(question, work)
    case .refuse(let fault): refuse(work, fault)
    }
  }

  private func conclude(
    _ work: Work, _ verify: (Int64) throws(IdentityError) -> CheckedProof
  ) {
    do throws(IdentityError) {
      let proof = try verify(clock())
      metrics.counter(.verifiedIdentities).add()
      finish(work, .success(proof))
    } catch {
      refuse(work, .wrong(error))
    }
  }

  /// Strangers can make any number of wrong proofs, so that the log holds them only when asked to.
  private func refuse(_ work: Work, _ fault: ProofFault) {
    switch fault {
    case .wrong(let error):
      metrics.counter(.refusedIdentities).add()
      log.debug(
        "identity refused", ["provider": work.errand.provider, "reason": "\(error)"])
      if error.isProvidersFault { warn(work.errand.provider, "\(error)") }
    case .unavailable: metrics.counter(.unavailableIdentities).add()
    }
    finish(work, .failure(fault.failure(now: desk.time)))
  }

  private func warn(
    _ provider: String, _ reason: String, event: String = "identity provider gave no answer"
  ) {
    let kind = "\(event) \(provider)"
    guard let keptBack = warnings.admit(kind, now: loop.monotonicMilliseconds) else { return }
    log.warning(
      event, ["provider": provider, "reason": reason, "kept_back": "\(keptBack)"])
  }

  private func finish(_ work: Work, _ result: Result<CheckedProof, Failure>) {
    guard let done = work.done else { return }
    work.timer?.cancel()
    (work.done, work.timer) = (nil, nil)
    done(result)
  }

  // MARK: Calls

  private func fetch(_ order: ProofDesk.Order, then: @escaping () -> Void = {}) {
    metrics.counter(.identityFetches).add()
    call(order.fetch.url, by: caller, bytesMax: order.bytesMax) { [unowned self] result in
      let fault = desk.fetched(order, try? result.get())
      let reason: String? =
        switch result {
        case .success(let answer) where !answer.isSuccess: "status \(answer.status)"
        case .success: fault.map { "\($0)" }
        case .failure(let error): "\(error)"
        }
      if let reason {
        warn(order.provider, reason, event: "identity keys were not fetched")
      }
      then()
    }
  }

  private func ask(_ question: SteamQuestion, _ work: Work) {
    call(
      question.call.secretURL, by: questions, bytesMax: IdentityLimits.steamAnswerSizeMax
    ) { [unowned self] result in
      switch result {
      case .success(let answer):
        conclude(work) { (now) throws(IdentityError) in
          try question.read(answer.body, status: answer.status, now: now)
        }
      case .failure(let error):
        warn(work.errand.provider, error.name)
        refuse(work, .unavailable(until: nil))
      }
    }
  }

  private func call(
    _ url: String, by caller: HTTPSCaller, bytesMax: Int,
    then: @escaping (Result<HTTPSResponse, HTTPSError>) -> Void
  ) {
    do throws(HTTPSAddressError) {
      caller.call(HTTPSRequest(.get, try HTTPSAddress(url), responseBytesMax: bytesMax), then: then)
    } catch {
      loop.atEndOfTurn { then(.failure(.broken("\(error)"))) }
    }
  }
}
