/// The keys of Game Center's certificates by their addresses, as a state machine like `KeyCache`.
///
/// The addresses come from clients. So it holds few of them, and begins few fetches of those that
/// have never brought a right certificate: a client that invents addresses costs ten fetches a
/// minute for the whole process. It pushes out no certificate that was found to be right, and keeps
/// nobody from signing in with the provider's own, which do not count among the ten.
///
/// Its times are milliseconds since 1970, by which chains of certificates are judged, of a clock
/// that never goes back: one that follows the wall clock, and waits for it where that is set back.
public struct CertificateCache: Sendable {
  /// Besides the provider's own.
  public static let addressCountMax = 16
  /// Fetches of addresses that have not brought a right certificate, in each of these milliseconds.
  public static let newFetchesMax = 10
  public static let newFetchesMilliseconds: Int64 = 60 * 1000

  private enum Standing: Int, Comparable {
    case unproven
    /// It has brought a right certificate.
    case proven
    /// The provider names it.
    case own

    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  private struct Entry {
    var keys: KeyCache
    var standing: Standing
    var usedAt: Int64

    init(
      _ url: String, _ trust: CertificateTrust, _ freshMilliseconds: ClosedRange<Int64>,
      _ standing: Standing
    ) {
      keys = KeyCache(
        url: url, format: .certificate(trust), freshMilliseconds: freshMilliseconds)
      self.standing = standing
      usedAt = .min
    }
  }

  private let trust: CertificateTrust
  private let freshMilliseconds: ClosedRange<Int64>
  private var entries: [String: Entry] = [:]
  private let ownCount: Int
  private var windowBegan = Int64.min
  private var newFetches = 0

  /// - Parameter freshMilliseconds: the bounds of how long a certificate is fresh.
  public init(
    trust: CertificateTrust, provider: GameCenterProvider,
    freshMilliseconds: ClosedRange<Int64> =
      KeyCache.freshMillisecondsMin...KeyCache.freshMillisecondsMax
  ) {
    self.trust = trust
    self.freshMilliseconds = freshMilliseconds
    for url in provider.certificateURLs {
      entries[url] = Entry(url, trust, freshMilliseconds, .own)
    }
    ownCount = entries.count
  }

  /// What to do with a proof that `GameCenterProvider.check` has let pass.
  ///
  /// - Parameters: as with `KeyCache.advice`.
  public mutating func advice(for url: String, arrival: Int64, now: Int64) -> KeyAdvice {
    var entry = entries[url] ?? Entry(url, trust, freshMilliseconds, .unproven)
    entry.usedAt = now
    let advice = entry.keys.advice(for: nil, arrival: arrival, now: now)
    if case .fetch = advice, entry.standing == .unproven, !countNewFetch(now) {
      return .unavailable(until: windowBegan + Self.newFetchesMilliseconds)
    }
    if entries[url] == nil { makeRoom() }
    entries[url] = entry
    return advice
  }

  /// As `KeyCache.fetched`.
  public mutating func fetched(
    _ order: FetchOrder, certificate: [UInt8], freshSeconds: Int?, now: Int64
  ) throws(KeyDocumentError) {
    guard var entry = entries[order.url] else { return }
    defer { entries[order.url] = entry }
    try entry.keys.fetched(order, document: certificate, freshSeconds: freshSeconds, now: now)
    entry.standing = max(entry.standing, .proven)
  }

  /// As `KeyCache.fetchFailed`.
  public mutating func fetchFailed(_ order: FetchOrder) {
    entries[order.url]?.keys.fetchFailed(order)
  }

  private mutating func countNewFetch(_ now: Int64) -> Bool {
    if windowBegan == .min || now >= windowBegan + Self.newFetchesMilliseconds {
      (windowBegan, newFetches) = (now, 0)
    }
    guard newFetches < Self.newFetchesMax else { return false }
    newFetches += 1
    return true
  }

  /// Drops, when all places are taken, the address without a right certificate that was used
  /// longest ago. If all have brought one, the one used longest ago goes.
  private mutating func makeRoom() {
    guard entries.count - ownCount >= Self.addressCountMax else { return }
    let oldest = entries.filter { $0.value.standing != .own }.min { left, right in
      (left.value.standing, left.value.usedAt) < (right.value.standing, right.value.usedAt)
    }
    if let oldest { entries[oldest.key] = nil }
  }
}
