/// The keys of Game Center's certificates by their addresses, as a state machine like `KeyCache`.
///
/// The addresses come from clients. So it holds few of them, and begins few fetches of new ones: a
/// client that invents addresses costs ten fetches a minute for the whole process, and pushes out
/// no certificate that was found to be right.
public struct CertificateCache: Sendable {
  public static let addressCountMax = 16
  /// Fetches of addresses that are not held, in each of these milliseconds.
  public static let newFetchesMax = 10
  public static let newFetchesMilliseconds: Int64 = 60 * 1000

  private struct Entry {
    var keys: KeyCache
    var usedAt: Int64
  }

  private let trust: CertificateTrust
  private var entries: [String: Entry] = [:]
  private var windowBegan = Int64.min
  private var newFetches = 0

  public init(trust: CertificateTrust) { self.trust = trust }

  /// What to do with a proof that `GameCenterProvider.check` has let pass.
  ///
  /// - Parameters: as with `KeyCache.advice`.
  public mutating func advice(for url: String, arrival: Int64, now: Int64) -> KeyAdvice {
    if entries[url] == nil {
      guard countNewFetch(now), makeRoom() else {
        return .unavailable(until: windowBegan + Self.newFetchesMilliseconds)
      }
      entries[url] = Entry(
        keys: KeyCache(url: url, format: .certificate(trust)), usedAt: now)
    }
    entries[url]?.usedAt = now
    return entries[url]?.keys.advice(for: nil, arrival: arrival, now: now)
      ?? .unavailable(until: now)
  }

  /// As `KeyCache.fetched`.
  public mutating func fetched(
    _ order: FetchOrder, certificate: [UInt8], cacheControl: String?, now: Int64
  ) throws(KeyDocumentError) {
    try entries[order.url]?.keys.fetched(
      order, document: certificate, cacheControl: cacheControl, now: now)
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
  /// longest ago. If all have one, the one used longest ago goes.
  private mutating func makeRoom() -> Bool {
    guard entries.count >= Self.addressCountMax else { return true }
    let without = entries.filter { !$0.value.keys.hasKeys }
    let oldest = (without.isEmpty ? entries : without).min { $0.value.usedAt < $1.value.usedAt }
    return oldest.map { entries.removeValue(forKey: $0.key) != nil } ?? false
  }
}
