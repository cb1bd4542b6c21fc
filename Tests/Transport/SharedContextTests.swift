import Foundation
import TestKit
import Testing
import Transport

@Suite("Shared TLS contexts", .endsAtLast)
struct SharedContextTests {
  private let certificates = Certificates.shared

  @Test("Who asks for the same trust and name has the same context, while somebody holds it")
  func same() throws {
    let trust = TLSClientContext.Trust.authority(certificates.authority)
    let first = try TLSClientContext.shared(trust: trust, serverName: "shared.test")
    #expect(try TLSClientContext.shared(trust: trust, serverName: "shared.test") === first)
    #expect(try TLSClientContext.shared(trust: trust, serverName: "other.test") !== first)
    let other = TLSClientContext.Trust.authority(certificates.otherAuthority)
    #expect(try TLSClientContext.shared(trust: other, serverName: "shared.test") !== first)
    let system = try TLSClientContext.shared(trust: .system)
    #expect(try TLSClientContext.shared(trust: .system) === system)
  }

  @Test("A context is released with the last who holds it")
  func released() throws {
    let trust = TLSClientContext.Trust.authority(certificates.authority)
    weak var context: TLSClientContext?
    do {
      let held = try TLSClientContext.shared(trust: trust, serverName: "released.test")
      context = held
    }
    #expect(context == nil)
  }

  @Test("After the authority's file has changed, it is read again")
  func changedFile() throws {
    let path = certificates.path("changing-\(UUID().uuidString).pem")
    let (old, new) = try (
      Data(contentsOf: URL(fileURLWithPath: certificates.authority)),
      Data(contentsOf: URL(fileURLWithPath: certificates.otherAuthority))
    )
    try old.write(to: URL(fileURLWithPath: path))
    let first = try TLSClientContext.shared(trust: .authority(path))
    try new.write(to: URL(fileURLWithPath: path))
    #expect(try TLSClientContext.shared(trust: .authority(path)) !== first)
    try FileManager.default.removeItem(atPath: path)
    #expect(throws: TLSError.self) { try TLSClientContext.shared(trust: .authority(path)) }
  }
}
