/// The keys of one provider, and when to fetch them anew. It is a state machine: it fetches
/// nothing, and tells its caller to.
///
/// - A document is fresh for as long as its HTTP answer says, within bounds: 5 minutes at least and
///   a day at most, unless the caller names others. In the last tenth of that time it is fetched
///   anew while its keys serve on.
/// - After that a proof waits for the fetch. Where this fails, the old keys serve on until they are
///   as old as the upper bound, so that nobody is locked out while the provider cannot be reached.
/// - A key id that the document does not have causes a fetch, but one a minute at most. A proof
///   that comes too early for that is neither taken nor refused: its client tries again later.
///   So forged proofs cannot have right ones refused while keys rotate.
///
/// Times are milliseconds of a clock that never goes back, and only their differences count; with
/// the format `certificate` they are also since 1970. A proof itself is verified by the wall clock.
/// A caller that fetches reports the end of it by `fetched` or `fetchFailed`.
public struct KeyCache: Sendable {
  public static let freshMillisecondsMin: Int64 = 5 * 60 * 1000
  public static let freshMillisecondsMax: Int64 = 24 * 3600 * 1000
  /// Between the begins of two fetches.
  public static let pauseMilliseconds: Int64 = 60 * 1000
  /// The same while there are no keys at all, when every sign-in waits for them.
  public static let pauseWithoutKeysMilliseconds: Int64 = 10 * 1000
  /// A fetch of which nothing was heard for so long counts as failed.
  public static let fetchMillisecondsMax: Int64 = 60 * 1000

  /// The keys that are held, and since when.
  private struct Held {
    let keys: KeySet
    let fetchedAt: Int64
    let freshUntil: Int64
    let keptUntil: Int64

    var refreshFrom: Int64 { freshUntil - (freshUntil - fetchedAt) / 10 }
  }

  private enum Source {
    case configured(KeySet)
    case address(String, KeyFormat)
  }

  /// The newest fetch, and when it began.
  private enum Fetch {
    case never
    case underWay(FetchOrder, since: Int64)
    case succeeded(since: Int64)
    /// With an error, a document came that gives no keys.
    case failed(since: Int64, KeyDocumentError?)
  }

  private let source: Source
  private let freshMilliseconds: ClosedRange<Int64>
  private var held: Held?
  private var fetch = Fetch.never
  private var fetchCount: UInt64 = 0

  /// Keys that are fetched from an address.
  ///
  /// - Parameter freshMilliseconds: the bounds of how long a document is fresh.
  public init(
    url: String, format: KeyFormat,
    freshMilliseconds: ClosedRange<Int64> = freshMillisecondsMin...freshMillisecondsMax
  ) {
    source = .address(url, format)
    self.freshMilliseconds = freshMilliseconds
  }

  /// Keys that are configured and never fetched.
  public init(_ keys: KeySet) {
    source = .configured(keys)
    freshMilliseconds = Self.freshMillisecondsMin...Self.freshMillisecondsMax
  }

  /// What to do with a proof.
  ///
  /// - Parameters:
  ///   - keyID: the id of the key that the proof names.
  ///   - arrival: when the proof came, also when this is asked again, by the clock of `now`. A
  ///     document that was asked for later has every key that a right proof can name.
  public mutating func advice(for keyID: String?, arrival: Int64, now: Int64) -> KeyAdvice {
    if case .configured(let keys) = source {
      do {
        return .verify(try keys.key(for: keyID), refresh: nil)
      } catch { return .refuse(error) }
    }
    giveUpFetch(now)
    if let held, now >= held.keptUntil { self.held = nil }
    guard let held else { return adviceWithoutKeys(arrival, now) }
    do {
      return adviceKnown(try held.keys.key(for: keyID), held, now)
    } catch .keyUnknown {
      return adviceUnknown(arrival, now)
    } catch { return .refuse(error) }
  }

  /// The fetch has brought a document.
  ///
  /// - Parameter freshSeconds: for how long the answer stays fresh, as HTTP has it (RFC 9111); 0
  ///   if it may not be kept, nil if it does not say.
  /// - Throws: why the document gives no keys. The keys that were there serve on.
  public mutating func fetched(
    _ order: FetchOrder, document: [UInt8], freshSeconds: Int?, now: Int64
  ) throws(KeyDocumentError) {
    guard case .underWay(order, let since) = fetch, case .address(_, let format) = source else {
      return
    }
    do {
      let keys = try format.keys(document, now)
      // More seconds than 32 bits hold are no different from a day.
      let told = Int64(Int32(clamping: freshSeconds ?? 0)) * 1000
      let bounds = freshMilliseconds
      let fresh = min(max(told, bounds.lowerBound), bounds.upperBound)
      held = Held(
        keys: keys, fetchedAt: since, freshUntil: since + fresh,
        keptUntil: since + bounds.upperBound)
      fetch = .succeeded(since: since)
    } catch {
      fetch = .failed(since: since, error)
      throw error
    }
  }

  /// The fetch has brought no document: there was no answer, or one that says no.
  public mutating func fetchFailed(_ order: FetchOrder) {
    guard case .underWay(order, let since) = fetch else { return }
    fetch = .failed(since: since, nil)
  }
}

extension KeyCache {
  private mutating func adviceKnown(
    _ key: VerificationKey, _ held: Held, _ now: Int64
  ) -> KeyAdvice {
    if now < held.refreshFrom { return .verify(key, refresh: nil) }
    if now < held.freshUntil { return .verify(key, refresh: begin(now)) }
    switch fetch {
    // Nobody waits for a provider that could not be reached a moment ago.
    case .failed: return .verify(key, refresh: begin(now))
    case .underWay: return .wait
    case .never, .succeeded: return begin(now).map { .fetch($0) } ?? .verify(key, refresh: nil)
    }
  }

  private mutating func adviceUnknown(_ arrival: Int64, _ now: Int64) -> KeyAdvice {
    if case .underWay = fetch { return .wait }
    if case .succeeded(let since) = fetch, since >= arrival { return .refuse(.keyUnknown) }
    return begin(now).map { .fetch($0) } ?? .unavailable(until: nextFetch)
  }

  private mutating func adviceWithoutKeys(_ arrival: Int64, _ now: Int64) -> KeyAdvice {
    if case .underWay = fetch { return .wait }
    if case .failed(let since, .certificate(let fault)?) = fetch, since >= arrival {
      return .refuse(.certificate(fault))
    }
    return begin(now).map { .fetch($0) } ?? .unavailable(until: nextFetch)
  }

  /// The earliest time at which a fetch may begin.
  private var nextFetch: Int64 {
    let pause = held == nil ? Self.pauseWithoutKeysMilliseconds : Self.pauseMilliseconds
    switch fetch {
    case .never: return 0
    case .underWay(_, let since): return since + Self.fetchMillisecondsMax
    case .succeeded(let since), .failed(let since, _): return since + pause
    }
  }

  /// Begins a fetch, if one may begin now and none is under way.
  private mutating func begin(_ now: Int64) -> FetchOrder? {
    guard case .address(let url, _) = source, now >= nextFetch else { return nil }
    fetchCount += 1
    let order = FetchOrder(url: url, number: fetchCount)
    fetch = .underWay(order, since: now)
    return order
  }

  private mutating func giveUpFetch(_ now: Int64) {
    if case .underWay(_, let since) = fetch, now >= nextFetch {
      fetch = .failed(since: since, nil)
    }
  }
}
