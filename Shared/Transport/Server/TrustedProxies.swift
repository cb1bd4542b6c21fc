/// The balancers that are believed when they say whose a connection is: addresses, and prefixes
/// such as `10.0.0.0/8`.
public struct TrustedProxies: Sendable {
  private struct Prefix {
    var high: UInt64
    var low: UInt64
    /// Of an IPv6 address; an IPv4 address is one of those.
    var bits: Int

    func contains(_ address: (high: UInt64, low: UInt64)) -> Bool {
      (high ^ address.high) & Self.mask(bits) == 0
        && (low ^ address.low) & Self.mask(bits - 64) == 0
    }

    private static func mask(_ bits: Int) -> UInt64 {
      bits <= 0 ? 0 : ~0 << UInt64(max(64 - bits, 0))
    }
  }

  private let prefixes: [Prefix]

  /// None.
  public init() { prefixes = [] }

  /// - Parameter text: addresses and prefixes with commas between them; nil when one is neither.
  public init?(_ text: String) {
    var prefixes: [Prefix] = []
    for part in text.split(separator: ",") {
      guard let prefix = Self.prefix(part.filter { $0 != " " }) else { return nil }
      prefixes.append(prefix)
    }
    self.prefixes = prefixes
  }

  private static func prefix(_ text: String) -> Prefix? {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count <= 2, let address = SocketAddress.numeric(String(parts[0])) else {
      return nil
    }
    let words = address.words
    let bitsMax = address.isIPv4 ? 32 : 128
    guard let bits = parts.count == 2 ? Int(parts[1]) : bitsMax, (0...bitsMax).contains(bits) else {
      return nil
    }
    return Prefix(high: words.high, low: words.low, bits: 128 - bitsMax + bits)
  }

  func contains(_ address: SocketAddress) -> Bool {
    !prefixes.isEmpty && prefixes.contains { $0.contains(address.words) }
  }
}
