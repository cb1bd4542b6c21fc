/// Whether the store takes what it is given. A disk that answers nothing gives no error, and what
/// waits for it looks like a service that is slow.
struct CommitWatch {
  /// A batch is on a disk after milliseconds, on a slow and busy one after some hundred.
  static let patienceMilliseconds: UInt64 = 5_000
  static let repeatMilliseconds: UInt64 = 60_000

  /// When the batch that is under way was handed over.
  private var since: UInt64?
  private var nextWord: UInt64?

  init() {}

  /// One batch is under way at a time.
  mutating func submitted(at now: UInt64) {
    since = now
  }

  /// Returns how long the batch was under way, where that was told before.
  mutating func committed(at now: UInt64) -> UInt64? {
    let waited = nextWord == nil ? nil : waiting(at: now)
    (since, nextWord) = (nil, nil)
    return waited
  }

  /// Milliseconds; 0 when no batch is under way.
  func waiting(at now: UInt64) -> UInt64 { since.map { now - min(now, $0) } ?? 0 }

  /// Returns for how long nothing was heard of the batch, when that is to be told. Called now and
  /// then.
  mutating func look(at now: UInt64) -> UInt64? {
    guard let since, now >= nextWord ?? (since + Self.patienceMilliseconds) else { return nil }
    nextWord = now + Self.repeatMilliseconds
    return waiting(at: now)
  }
}
