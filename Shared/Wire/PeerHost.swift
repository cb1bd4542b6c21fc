/// Whom connections and sign-ins are counted by: an IPv4 address, or the /64 of an IPv6 address,
/// which is the least that a line gets. Whoever has one may use each of its 2^64 addresses.
public struct PeerHost: Hashable, Sendable {
  private let bits: UInt64
  private let isIPv6: Bool

  public init(ipv4 address: UInt32) {
    bits = UInt64(address)
    isIPv6 = false
  }

  /// - Parameters:
  ///   - high: the first half of the address, its /64.
  ///   - low: the second half, which tells whether it stands for an IPv4 address
  ///     (`::ffff:192.0.2.1`).
  public init(ipv6 high: UInt64, low: UInt64) {
    isIPv6 = high != 0 || low >> 32 != 0xffff
    bits = isIPv6 ? high : low & 0xffff_ffff
  }

  /// Of a connection that has no address, such as one in memory.
  public static let none = PeerHost(ipv4: 0)
}

extension PeerHost: CustomStringConvertible {
  public var description: String {
    let (size, radix, mark) = isIPv6 ? (16, 16, ":") : (8, 10, ".")
    let parts = stride(from: 4 * size - size, through: 0, by: -size).map {
      String(bits >> UInt64($0) & (1 << UInt64(size) - 1), radix: radix)
    }
    return parts.joined(separator: mark) + (isIPv6 ? "::/64" : "")
  }
}
