import Foundation
import TestKit
import Testing
@testable import Transport
import Wire

@Suite("Renewal", .endsAtLast)
struct RenewalTests {
  let certificates = Certificates.shared

  @Test("A link whose certificates are renewed shows the new one next, and uses no ticket")
  func renewal() async throws {
    try await withLoop { thread in
      let required = TLSServerContext.ClientCertificates.required(
        authority: certificates.authority)
      let server = try certificates.server(required, secret: [1, 2, 3])
      let (first, second) = (
        try certificates.client(certificate: "gateway"),
        try certificates.client(certificate: "server")
      )
      let seen = try await thread.serve(server)
      let answered = Promise<Bool>()
      let again = Promise<Int>()
      await thread.run { loop in
        let link = Link(on: loop, host: "127.0.0.1", port: seen.port, tls: first)
        link.call(1, body: [], deadlineMilliseconds: 5_000) { _ in answered.set(true) }
        link.onStateChange = { isUp in
          if isUp && link.openedCount == 2 { again.set(link.resumedCount) }
        }
        loop.keep(link)
      }
      _ = await answered.value
      #expect(await seen.peerName.value == "gateway.muster")
      await thread.run { loop in
        loop.keptObject(Link.self)?.renew(second)
        loop.keptObject(Listener.self)?.drain(within: 0) {}
      }
      _ = await seen.closed.value
      let other = try await thread.serve(server, port: seen.port)
      #expect(await again.value == 0)
      #expect(await other.peerName.value == "localhost")
    }
  }

  @Test("A server whose certificates are renewed shows and trusts the new ones in new connections")
  func serverRenewal() async throws {
    try await withLoop { thread in
      let seen = try await thread.serve(
        certificates.server(.required(authority: certificates.otherAuthority)))
      let client = try certificates.client(certificate: "gateway")
      let renewed = try certificates.server(.required(authority: certificates.authority))
      await #expect(throws: Failure.self) {
        try await thread.callOnce(seen.port, client).0.get()
      }
      await thread.run { loop in loop.keptObject(Listener.self)?.renew(renewed) }
      #expect(await thread.callOnce(seen.port, client).0 == .success([1, 2, 3]))
    }
  }

  @Test("A context says how long its certificates are good")
  func terms() throws {
    let trusted = try certificates.server(.required(authority: certificates.authority))
    let day: Int64 = 86_400_000
    let now = Int64(Date().timeIntervalSince1970 * 1000)
    for end in [trusted.certificateEnd, trusted.authorityEnd] {
      let left = try #require(end) - now
      #expect(left > 28 * day && left < 31 * day)
    }
    #expect(try certificates.client(certificate: "gateway").certificateEnd != nil)
    #expect(try certificates.client().certificateEnd == nil)
  }
}
