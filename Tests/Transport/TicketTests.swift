import Foundation
import TestKit
import Testing

@testable import Transport

#if canImport(Glibc)
  import Glibc

  /// What a server's ticket costs besides the handshake.
  @Suite("Tickets", .endsAtLast)
  struct TicketTests {
    let certificates = Certificates.shared

    /// A system that is slow for a moment may send the ticket before the reply is there, and sends
    /// none before the reply in each of twenty connections.
    @Test("A server's ticket and its first reply are one packet")
    func packets() async throws {
      try await withLoop { thread in
        let seen = try await thread.serve(certificates.server())
        var counts: Set<UInt32> = []
        for _ in 0..<20 where !counts.contains(2) {
          let descriptor = try RawSocket.connected(to: seen.port)
          let count = try await TLSAttacker.run(on: descriptor) { attacker -> UInt32 in
            guard attacker.send(frame(of: [4, 5, 6])), !attacker.receive(100).isEmpty else {
              return 0
            }
            return Self.receivedSegments(descriptor)
          }
          counts.insert(count)
        }
        // Of the server's side of the handshake, and of the ticket and the reply.
        #expect(counts.contains(2), "\(counts)")
      }
    }

    @Test("A ticket is sent also by a server that has nothing to reply")
    func alone() async throws {
      try await withLoop { thread in
        let seen = try await thread.serve(certificates.server())
        let descriptor = try RawSocket.connected(to: seen.port)
        let byteCount = try await TLSAttacker.run(on: descriptor) { _ -> Int in
          var byte: UInt8 = 0
          // It waits for the first byte after the handshake.
          return unsafe recv(descriptor, &byte, 1, Int32(MSG_PEEK))
        }
        #expect(byteCount == 1)
      }
    }

    /// How many packets with data have come (`tcpi_data_segs_in` of Linux).
    private static func receivedSegments(_ descriptor: Int32) -> UInt32 {
      var facts = [UInt8](repeating: 0, count: 160)
      var size = socklen_t(facts.count)
      guard unsafe getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_INFO, &facts, &size) == 0,
        size >= 156
      else { return 0 }
      return unsafe facts.withUnsafeBytes {
        unsafe $0.loadUnaligned(fromByteOffset: 152, as: UInt32.self)
      }
    }
  }
#endif
