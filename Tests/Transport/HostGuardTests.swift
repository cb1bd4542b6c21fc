import Locking
import TestKit
import Testing
import Wire

@testable import Transport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Who may not connect is turned away before it has cost anything, and nobody's place is forgotten.
@Suite("Host guard", .endsAtLast)
struct HostGuardTests {
  private static let local = PeerHost(ipv4: 0x7f00_0001)

  private func withPort(
    most: Int, loops: Int = 1,
    _ body: (SharedPort, CountingGuard, TLSClientContext) async throws -> Void
  ) async throws {
    let hosts = CountingGuard(most: most)
    let contexts = try (0..<loops).map { _ in try Certificates.shared.server() }
    let port = try await SharedPort(contexts, 100, hosts: hosts)
    do {
      try await body(port, hosts, Certificates.shared.client())
    } catch {
      await port.end()
      throw error
    }
    await port.end()
  }

  @Test("2.10 silent connections count, and the one too many is closed before any handshake")
  func closedAtOnce() async throws {
    try await withPort(most: 2) { port, hosts, _ in
      let silent = try (0..<2).map { _ in try RawSocket.connected(to: port.number) }
      let late = try RawSocket.connected(to: port.number)
      #expect(await port.refused.value == .hostLimit("too many"))
      var byte: UInt8 = 0
      #expect(unsafe read(late, &byte, 1) == 0, "the connection was served")
      #expect(hosts.count(Self.local) == 2)
      for descriptor in silent + [late] { close(descriptor) }
      await hosts.empty()
    }
  }

  @Test("2.10 a place is given back after a handshake that failed, a whole life, and a drain")
  func givenBack() async throws {
    try await withPort(most: 1, loops: 2) { port, hosts, client in
      let failed = try RawSocket.connected(to: port.number)
      unsafe [UInt8](repeating: 1, count: 9).withUnsafeBytes {
        _ = unsafe write(failed, $0.baseAddress, 9)
      }
      await hosts.empty()
      close(failed)
      // It was the first loop's; the next two are the second's and the first's.
      for _ in 1...2 {
        let links = await Links(client, port.number, count: 1)
        await links.opened(1)
        #expect(hosts.count(Self.local) == 1)
        await links.end()
        await hosts.empty()
      }
      await port.drain(1)
      let drained = try RawSocket.connected(to: port.number)
      await hosts.empty()
      close(drained)
    }
  }

  @Test(
    "2.10 an address is counted by its host",
    arguments: [
      ("127.0.0.1", PeerHost(ipv4: 0x7f00_0001)),
      ("::ffff:192.0.2.1", PeerHost(ipv4: 0xc000_0201)),
      ("2001:db8:0:f1:1:2:3:4", PeerHost(ipv6: 0x2001_0db8_0000_00f1, low: 0)),
    ])
  func hosts(_ text: String, _ host: PeerHost) throws {
    let addresses = try SocketAddress.resolve(text, 443, passive: false).get()
    #expect(!addresses.isEmpty && addresses.allSatisfy { $0.host == host })
  }
}

/// Lets each host have so many connections.
final class CountingGuard: HostGuard {
  private struct State {
    var counts: [PeerHost: Int] = [:]
    var waiters: [CheckedContinuation<Void, Never>] = []
    var everyone: Set<PeerHost> = []
    var isEmpty: Bool { counts.values.allSatisfy { $0 == 0 } }
  }
  private let most: Int
  private let state = Locked(State())

  init(most: Int) { self.most = most }

  func enter(_ host: PeerHost, now: UInt64) -> CloseReason? {
    state.withLock { state in
      if state.counts[host, default: 0] == most { return .hostLimit("too many") }
      state.counts[host, default: 0] += 1
      state.everyone.insert(host)
      return nil
    }
  }

  func leave(_ host: PeerHost) {
    let waiters = state.withLock { state in
      state.counts[host, default: 0] -= 1
      defer { if state.isEmpty { state.waiters = [] } }
      return state.isEmpty ? state.waiters : []
    }
    for waiter in waiters { waiter.resume() }
  }

  /// All that have ever come.
  var everyone: Set<PeerHost> { state.withLock { $0.everyone } }

  func count(_ host: PeerHost) -> Int { state.withLock { $0.counts[host, default: 0] } }

  /// Waits until nobody is connected.
  func empty() async {
    await withCheckedContinuation { continuation in
      let isEmpty = state.withLock { state in
        if !state.isEmpty { state.waiters.append(continuation) }
        return state.isEmpty
      }
      if isEmpty { continuation.resume() }
    }
  }
}
