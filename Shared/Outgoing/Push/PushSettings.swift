/// The bounds of the push hook's delivery.
public struct PushSettings: Sendable {
  /// The most events at once that are being sent or written; also the size of a page.
  public var callsMax = 16
  /// How many attempts fail in a row, of whatever events, until only one call at a time probes the
  /// endpoint.
  public var failuresMax = 5
  /// After the first failed attempt an event waits for up to this long, and after each more for up
  /// to twice as long. After a call that this process could not make, all wait for so long.
  public var backoffMillisecondsMin: Int64 = 1_000
  public var backoffMillisecondsMax: Int64 = 3_600_000
  /// The longest time between two probes, unless the endpoint asks for a longer one.
  public var probeMillisecondsMax: Int64 = 60_000
  /// The longest time for which an endpoint may ask by `Retry-After`.
  public var retryAfterMillisecondsMax: Int64 = 3_600_000
  /// How long an event is tried before it is given up.
  public var ageMillisecondsMax: Int64 = 3 * 24 * 3_600_000
  /// After this long without an answer an attempt has failed. The calls' own time-out should come
  /// first: this one is for answers that got lost.
  public var attemptMillisecondsMax: Int64 = 30_000

  public init() {}

  func check() {
    precondition(callsMax > 0 && failuresMax > 0, "a push hook without calls")
    precondition(
      0 < backoffMillisecondsMin && backoffMillisecondsMin <= backoffMillisecondsMax
        && backoffMillisecondsMin <= probeMillisecondsMax, "the backoff's bounds cross")
    precondition(
      retryAfterMillisecondsMax >= 0 && ageMillisecondsMax > 0 && attemptMillisecondsMax > 0,
      "a time of the push hook is negative")
  }

  /// The most milliseconds to wait after so many failures.
  func ceiling(_ failures: Int, _ max: Int64) -> Int64 {
    // 30 doublings of a millisecond are twelve days; more could not be told from the bound.
    let doublings = min(Swift.max(failures - 1, 0), 30)
    let (product, overflow) = backoffMillisecondsMin.multipliedReportingOverflow(
      by: 1 << Int64(doublings))
    return overflow ? max : min(product, max)
  }
}
