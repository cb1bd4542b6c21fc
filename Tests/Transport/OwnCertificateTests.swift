import Testing
import Wire

@testable import Transport

/// What a start, a renewal and `--check` ask of a process's certificate.
@Suite("Own certificate")
struct OwnCertificateTests {
  private let certificates = Certificates.shared

  /// Makes a certificate of the gateway that has ended a day ago; returns the name of its files.
  private func ended() async throws -> String {
    let program = try Program(
      """
      set -e
      cd '\(certificates.folder)'
      cp gateway.key ended.key
      printf 'subjectAltName=DNS:gateway.muster' >ended.ext
      openssl x509 -req -days -1 -in gateway.csr -CA authority.pem -CAkey authority.key \
        -set_serial 77 -extfile ended.ext -out ended.pem 2>ended.log || cat ended.log
      """)
    let output = await program.output.value
    try #require(output.isEmpty, "\(output)")
    return "ended"
  }

  private func fault(_ check: () throws(TLSError) -> Int) -> String? {
    do {
      _ = try check()
      return nil
    } catch { return error.text }
  }

  @Test("one that others take is good for whole days")
  func good() throws {
    let server = try certificates.server()
    #expect((28...30).contains(try server.checkOwnCertificate("own.pem")))
    let client = try certificates.client(certificate: "gateway")
    #expect(
      (28...30).contains(try client.checkOwnCertificate("own.pem", name: "gateway.muster")))
  }

  @Test("one that others would not take is told with its file and the reason")
  func bad() async throws {
    let client = try certificates.client(certificate: "gateway")
    #expect(
      fault { () throws(TLSError) in try client.checkOwnCertificate("own.pem", name: "context") }
        == "certificate own.pem: it is not for context")
    let other = try certificates.client(
      authority: certificates.otherAuthority, certificate: "gateway")
    #expect(
      fault { () throws(TLSError) in
        try other.checkOwnCertificate("own.pem", name: "gateway.muster")
      } == "certificate own.pem: unable to get local issuer certificate")
    let ended = try await ended()
    let late = try certificates.client(certificate: ended)
    #expect(
      fault { () throws(TLSError) in
        try late.checkOwnCertificate("own.pem", name: "gateway.muster")
      } == "certificate own.pem: certificate has expired")
    let server = try TLSServerContext(
      certificate: certificates.path("\(ended).pem"), key: certificates.path("\(ended).key"),
      clientCertificates: .none)
    #expect(
      fault { () throws(TLSError) in try server.checkOwnCertificate("own.pem") }
        == "certificate own.pem: certificate has expired")
    let none = try certificates.client()
    #expect(
      fault { () throws(TLSError) in try none.checkOwnCertificate("own.pem", name: "context") }
        == "certificate own.pem: there is none")
  }

  @Test("that of a server whose clients look at its name is held to name and authority")
  func ofNamedServer() throws {
    let server = try certificates.server(.required(authority: certificates.authority))
    #expect((28...30).contains(try server.checkOwnCertificate("own.pem", name: "localhost")))
    #expect(
      fault { () throws(TLSError) in try server.checkOwnCertificate("own.pem", name: "context") }
        == "certificate own.pem: it is not for context")
    let other = try certificates.server(.required(authority: certificates.otherAuthority))
    #expect(
      fault { () throws(TLSError) in try other.checkOwnCertificate("own.pem", name: "localhost") }
        == "certificate own.pem: unable to get local issuer certificate")
  }

  /// Clients of the gateway have authorities of their own, which it does not know.
  @Test("that of a server may be of any authority")
  func ofAnyAuthority() throws {
    let server = try certificates.server(.required(authority: certificates.otherAuthority))
    #expect(try server.checkOwnCertificate("own.pem") > 0)
  }
}
