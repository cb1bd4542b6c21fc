import TestKit
import Testing
import Wire

@testable import Transport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What a balancer says of a connection, byte by byte and before a handshake.
@Suite("Proxy header", .endsAtLast)
struct ProxyHeaderTests {
  private static let signature: [UInt8] = [
    0x0d, 0x0a, 0x0d, 0x0a, 0x00, 0x0d, 0x0a, 0x51, 0x55, 0x49, 0x54, 0x0a,
  ]

  /// A header for a peer with this IPv4 address, which connects from port 4660.
  static func ipv4(_ last: UInt8, more: [UInt8] = []) -> [UInt8] {
    signature + [0x21, 0x11, 0, UInt8(12 + more.count), 192, 0, 2, last, 10, 0, 0, 1]
      + [0x12, 0x34, 0x1d, 0x00] + more
  }

  private static let ipv6: [UInt8] =
    signature + [0x21, 0x21, 0, 36, 0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0xf1, 0, 0, 0, 0, 0, 0, 0, 9]
    + [UInt8](repeating: 1, count: 16) + [0x12, 0x34, 0x1d, 0x00]

  private static let own: [UInt8] = signature + [0x20, 0x00, 0, 0]

  private func outcome(_ bytes: [UInt8], pieces: Int = .max) -> ProxyHeader.Outcome {
    var header = ProxyHeader()
    var rest = bytes[...]
    while !rest.isEmpty {
      let next = rest.prefix(min(pieces, header.missing))
      rest = rest.dropFirst(next.count)
      let outcome = header.take(next)
      if outcome != .needsMore {
        #expect(rest.isEmpty, "bytes are left")
        return outcome
      }
    }
    return .needsMore
  }

  private func text(_ outcome: ProxyHeader.Outcome) -> String {
    if case .done(let peer) = outcome {
      peer.map { "\($0.text) of \($0.host)" } ?? "own"
    } else {
      "\(outcome)"
    }
  }

  @Test("2.10 a header names a peer, whatever pieces it comes in", arguments: [1, 3, 12, 16, 99])
  func peers(pieces: Int) {
    let cases = [
      (Self.ipv4(7), "192.0.2.7:4660 of 192.0.2.7"),
      (Self.ipv4(7, more: [3, 0, 4, 1, 2, 3, 4]), "192.0.2.7:4660 of 192.0.2.7"),
      (Self.ipv6, "[2001:db8:0:f1::9]:4660 of 2001:db8:0:f1::/64"),
      (Self.own, "own"),
      (Self.signature + [0x21, 0x00, 0, 3, 1, 2, 3], "own"),
    ]
    for (bytes, wanted) in cases {
      #expect(text(outcome(bytes, pieces: pieces)) == wanted)
      for count in 0..<bytes.count {
        #expect(outcome(Array(bytes.prefix(count)), pieces: pieces) == .needsMore)
      }
    }
  }

  @Test("a byte that is wrong where something is laid down ends it")
  func broken() {
    for place in 0..<14 {
      var bytes = Self.ipv4(7)
      bytes[place] ^= 0x44
      var header = ProxyHeader()
      var outcome = ProxyHeader.Outcome.needsMore
      while outcome == .needsMore, !bytes.isEmpty {
        let next = bytes.prefix(header.missing)
        bytes.removeFirst(next.count)
        outcome = header.take(next)
      }
      guard case .broken = outcome else {
        Issue.record("byte \(place) is taken: \(outcome)")
        continue
      }
    }
    for bytes in [
      Self.signature + [0x21, 0x11, 0, 11], Self.signature + [0x21, 0x21, 0, 35],
    ] {
      let size = Int(bytes[15])
      guard case .broken = outcome(bytes + [UInt8](repeating: 0, count: size)) else {
        Issue.record("a body of \(size) bytes is an address")
        continue
      }
    }
    guard case .broken = outcome(Self.signature + [0x21, 0x11, 2, 9]) else {
      Issue.record("a header of 537 bytes is read")
      return
    }
  }

  @Test(
    "balancers are addresses and prefixes",
    arguments: [
      ("10.0.0.1", "10.0.0.1", true), ("10.0.0.1", "10.0.0.2", false),
      ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.1", false),
      ("192.0.2.1,10.0.0.0/30", "10.0.0.3", true), ("10.0.0.0/30", "10.0.0.4", false),
      ("0.0.0.0/0", "203.0.113.9", true), ("0.0.0.0/0", "2001:db8::1", false),
      ("10.0.0.0/8", "::ffff:10.1.2.3", true), ("2001:db8::/32", "2001:db8:ff::1", true),
      ("2001:db8::/32", "2001:db9::1", false), ("2001:db8::1", "2001:db8::1", true),
      ("fd00::/65", "fd00::7fff:0:0:1", true), ("fd00::/65", "fd00::8000:0:0:1", false),
      ("", "10.0.0.1", false),
    ])
  func proxies(_ text: String, _ address: String, _ isIn: Bool) throws {
    let proxies = try #require(TrustedProxies(text))
    #expect(proxies.contains(try #require(SocketAddress.numeric(address))) == isIn)
  }

  @Test(
    "what is neither is refused",
    arguments: ["balancer", "10.0.0.0/33", "10.0.0.0/-1", "::/129", "10.0.0.1/8/8", "10.0.0.1/x"])
  func notProxies(_ text: String) { #expect(TrustedProxies(text) == nil) }

  // MARK: Before a handshake

  private func withPort(
    _ proxies: String, most: Int = 2, _ body: (SharedPort, CountingGuard) async throws -> Void
  ) async throws {
    let hosts = CountingGuard(most: most)
    let port = try await SharedPort(
      [Certificates.shared.server()], 100, hosts: hosts,
      proxies: try #require(TrustedProxies(proxies)))
    do {
      try await body(port, hosts)
    } catch {
      await port.end()
      throw error
    }
    await port.end()
  }

  /// Connects, sends the header, and then makes a call; returns what was answered.
  private func call(_ port: SharedPort, _ header: [UInt8]) async throws -> [UInt8] {
    let descriptor = try RawSocket.connected(to: port.number)
    unsafe header.withUnsafeBytes { _ = unsafe write(descriptor, $0.baseAddress, $0.count) }
    return try await TLSAttacker.run(on: descriptor) { attacker -> [UInt8] in
      attacker.send(frame(of: [4, 5, 6])) ? Array(attacker.receive(100).suffix(3)) : []
    }
  }

  @Test("2.10 who comes by a balancer is counted by the host that it names, and is served")
  func served() async throws {
    try await withPort("127.0.0.0/8") { port, hosts in
      for header in [1, 2, 3].map({ Self.ipv4($0) }) + [Self.own] {
        let answer = try await call(port, header)
        #expect(answer == [4, 5, 6])
      }
      await hosts.empty()
      let named = [1, 2, 3].map { PeerHost(ipv4: 0xc000_0200 + $0) }
      #expect(hosts.everyone == Set(named))
    }
  }

  @Test("2.10 a host that a balancer names has no more connections than any other")
  func limited() async throws {
    try await withPort("127.0.0.1", most: 0) { port, _ in
      await #expect(throws: (any Error).self) { try await call(port, Self.ipv4(1)) }
      #expect(await port.failed.value == .hostLimit("too many"))
    }
  }

  @Test("2.10 who comes by a balancer waits for a handshake as one of the host that it names")
  func turns() async throws {
    try await withPort("127.0.0.1") { port, _ in
      let waiting = Promise<PeerHost>()
      let most = HandshakeQueue.underWayMax
      await port.threads[0].run { loop in
        // None may begin.
        loop.connections.handshakes.begunCount += most
        func look() {
          guard let connection = loop.connections.handshakes.heldUp else {
            return loop.atEndOfTurn(look)
          }
          waiting.set(connection.host)
          loop.connections.handshakes.begunCount -= most
        }
        look()
      }
      let descriptor = try RawSocket.connected(to: port.number)
      defer { close(descriptor) }
      let words = try Self.ipv4(1) + TLSAttacker.hello()
      unsafe words.withUnsafeBytes { _ = unsafe write(descriptor, $0.baseAddress, $0.count) }
      #expect(await waiting.value == PeerHost(ipv4: 0xc000_0201))
    }
  }

  @Test("a header of anybody else, and none of a balancer, are broken handshakes")
  func strangers() async throws {
    try await withPort("10.0.0.0/8") { port, _ in
      await #expect(throws: (any Error).self) { try await call(port, Self.ipv4(1)) }
    }
    try await withPort("127.0.0.1") { port, _ in
      await #expect(throws: (any Error).self) { try await call(port, []) }
      let reason = await port.failed.value
      #expect(reason.text.contains("it does not begin as one"))
    }
  }
}
