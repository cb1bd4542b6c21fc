/// How many calls the endpoint gets at once, by how the last ones went.
///
/// After failures in a row it gets none for a while, then one that probes. A success of the probe
/// closes the circuit with a window of one call, which doubles with each more: an endpoint that
/// comes back is not met by all that has waited.
struct PushCircuit: Sendable {
  enum State: Sendable, Equatable {
    /// Calls go out, as many at once as the window says.
    case closed(failures: Int, window: Int)
    /// No calls until then.
    case open(until: Int64, probesFailed: Int)
    /// One call is under way, and the others wait for its end.
    case probing(probesFailed: Int)
  }

  private(set) var state: State
  /// No calls until then: an older call has brought the endpoint's wish for a pause while another
  /// one probed.
  private var pausedUntil = Int64.min
  private let settings: PushSettings

  init(_ settings: PushSettings) {
    self.settings = settings
    state = .closed(failures: 0, window: settings.callsMax)
  }

  /// How many calls may begin now, when `sendingCount` are under way.
  func room(_ now: Int64, sendingCount: Int) -> Int {
    switch state {
    case _ where now < pausedUntil: 0
    case .closed(_, let window): max(0, window - sendingCount)
    case .open(let until, _): until <= now ? 1 : 0
    case .probing: 0
    }
  }

  /// When calls may begin by themselves, without an answer of the endpoint; nil while it is the
  /// answer that is waited for.
  func opening(sendingCount: Int) -> Int64? {
    switch state {
    case .closed(_, let window): sendingCount < window ? pausedUntil : nil
    case .open(let until, _): max(until, pausedUntil)
    case .probing: nil
    }
  }

  /// A call begins. Returns whether it is the one that probes.
  mutating func begin() -> Bool {
    guard case .open(_, let probesFailed) = state else { return false }
    state = .probing(probesFailed: probesFailed)
    return true
  }

  mutating func succeed(isProbe: Bool) {
    switch state {
    case .closed(_, let window):
      state = .closed(failures: 0, window: min(window * 2, settings.callsMax))
    case .probing where isProbe: state = .closed(failures: 0, window: 1)
    // A call from before the failures says little about now; the probe will tell.
    case .probing, .open: break
    }
  }

  /// The endpoint has answered, but has not taken the event. That closes the circuit after a probe,
  /// and says otherwise nothing of the next calls.
  mutating func answer(isProbe: Bool) {
    if case .probing = state, isProbe { state = .closed(failures: 0, window: 1) }
  }

  /// - Parameter pause: for how many milliseconds the endpoint asks for no calls.
  mutating func fail(
    _ now: Int64, isProbe: Bool, pause: Int64?, using random: inout some RandomNumberGenerator
  ) {
    let asked = pause.map { now + $0 } ?? .min
    switch state {
    case .closed(let failures, let window)
    where failures + 1 < settings.failuresMax && pause == nil:
      state = .closed(failures: failures + 1, window: window)
    case .closed:
      state = .open(until: max(asked, probeTime(now, 0, using: &random)), probesFailed: 0)
    case .open(let until, let probesFailed):
      state = .open(until: max(asked, until), probesFailed: probesFailed)
    case .probing(let probesFailed) where isProbe:
      let until = probeTime(now, probesFailed + 1, using: &random)
      state = .open(until: max(asked, until), probesFailed: probesFailed + 1)
    case .probing: pausedUntil = max(asked, pausedUntil)
    }
  }

  /// The probe has ended without a word about the endpoint; another may begin at once.
  mutating func giveBackProbe(_ now: Int64) {
    guard case .probing(let probesFailed) = state else { return }
    state = .open(until: now, probesFailed: probesFailed)
  }

  /// At least half of the backoff: probes must not come in bursts, whatever chance says.
  private func probeTime(
    _ now: Int64, _ probesFailed: Int, using random: inout some RandomNumberGenerator
  ) -> Int64 {
    let ceiling = settings.ceiling(probesFailed + 1, settings.probeMillisecondsMax)
    return now + Int64.random(in: (ceiling - ceiling / 2)...ceiling, using: &random)
  }
}
