#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The header of the PROXY protocol, version 2, with which a balancer begins a connection that it
/// passes on: it says whose that is. (Its text is `proxy-protocol.txt` of HAProxy.)
///
/// It says how many bytes it still needs, so that nothing is read of what comes after it.
struct ProxyHeader {
  enum Outcome: Equatable {
    case needsMore
    /// The peer's address; nil for a connection of the balancer's own, such as a health check.
    case done(SocketAddress?)
    case broken(String)
  }

  /// The most bytes of one. Those that say more than an address are a few hundred bytes at most.
  static let sizeMax = 536
  private static let signature: [UInt8] = [13, 10, 13, 10, 0, 13, 10, 81, 85, 73, 84, 10]
  /// Signature, version and command, family, and the number of the bytes that follow.
  private static let prefixSize = 16

  private var bytes: [UInt8] = []
  private var size = ProxyHeader.prefixSize

  /// How many bytes are to be read next, at most; never 0 before it is done.
  var missing: Int { size - bytes.count }

  /// - Parameter more: at most as many as are missing.
  mutating func take(_ more: some Collection<UInt8>) -> Outcome {
    precondition(more.count <= missing, "bytes of what follows the header are taken")
    bytes += more
    let known = min(bytes.count, Self.signature.count)
    guard bytes[..<known].elementsEqual(Self.signature[..<known]) else {
      return .broken("it does not begin as one")
    }
    guard bytes.count >= Self.prefixSize else { return .needsMore }
    size = Self.prefixSize + Int(bytes[14]) << 8 + Int(bytes[15])
    if size > Self.sizeMax { return .broken("it has \(size) bytes") }
    return missing > 0 ? .needsMore : peer
  }

  private var peer: Outcome {
    // The upper half is the version, the lower the command: of the balancer's own, or passed on.
    switch bytes[12] {
    case 0x20: return .done(nil)
    case 0x21: break
    default: return .broken("its version and command are \(bytes[12])")
    }
    let body = bytes[Self.prefixSize...]
    // The upper half is the family, the lower the protocol. Source and destination come first, then
    // the two ports.
    switch bytes[13] {
    case 0x00: return .done(nil)
    case 0x11 where body.count >= 12:
      return .done(SocketAddress(Array(body.prefix(4)), port: body.dropFirst(8)))
    case 0x21 where body.count >= 36:
      return .done(SocketAddress(Array(body.prefix(16)), port: body.dropFirst(32)))
    default: return .broken("its family is \(bytes[13]), and its body has \(body.count) bytes")
    }
  }
}

extension SocketAddress {
  /// - Parameters:
  ///   - address: the 4 or 16 bytes of an address.
  ///   - port: the port in its first two bytes.
  fileprivate init(_ address: [UInt8], port: ArraySlice<UInt8>) {
    let port = port.prefix(2).reduce(0) { $0 << 8 | UInt16($1) }.bigEndian
    if address.count == 4 {
      var own = sockaddr_in()
      own.sin_family = sa_family_t(AF_INET)
      own.sin_port = port
      unsafe withUnsafeMutableBytes(of: &own.sin_addr) { unsafe $0.copyBytes(from: address) }
      self = unsafe withUnsafeBytes(of: own) { unsafe SocketAddress($0) }
    } else {
      var own = sockaddr_in6()
      own.sin6_family = sa_family_t(AF_INET6)
      own.sin6_port = port
      unsafe withUnsafeMutableBytes(of: &own.sin6_addr) { unsafe $0.copyBytes(from: address) }
      self = unsafe withUnsafeBytes(of: own) { unsafe SocketAddress($0) }
    }
  }
}
