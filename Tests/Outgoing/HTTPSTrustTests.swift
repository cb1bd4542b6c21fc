import COpenSSL
import Foundation
import LocalServer
import Outgoing
import TestKit
import Testing
import Transport

@Suite("HTTPS client: whom it trusts", .endsAtLast)
struct HTTPSTrustTests {
  /// What comes of one call, and whether the server got it.
  private func call(
    _ context: TestServerContext, _ settings: HTTPSSettings = patient, host: String = "localhost"
  ) async throws -> (Answer, wasHeard: Bool) {
    let server = TestServer.start(context) { _ in [.answer(200)] }
    defer { server.stop() }
    let found = Promise<Answer>()
    try await withClient(settings) { calls in
      let address = try HTTPSAddress("https://\(host):\(server.port)/")
      found.set(await calls(HTTPSRequest(.get, address)))
    }
    return (await found.value, !server.requests.isEmpty)
  }

  @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
  func acceptsARightCertificate(_ version: Int32) async throws {
    for host in ["localhost", "127.0.0.1"] {
      let context = TestAuthority.shared.serverContext(versionMax: version)
      let (answer, wasHeard) = try await call(context, host: host)
      #expect(try answer.get().status == 200 && wasHeard)
    }
  }

  enum Wrong: CaseIterable, Sendable {
    case authority, system, expired, notYet, hostName, noName, version
  }

  @Test(arguments: Wrong.allCases)
  func refusesAWrongOne(_ wrong: Wrong) async throws {
    let own = TestAuthority.shared
    var settings = patient
    let context: TestServerContext
    switch wrong {
    case .authority: context = TestAuthority.other.serverContext()
    case .system:
      settings.authorityFile = nil
      context = own.serverContext()
    case .expired: context = own.serverContext(valid: -2 ... -1)
    case .notYet: context = own.serverContext(valid: 1...2)
    case .hostName: context = own.serverContext(names: "DNS:example.com,IP:127.0.0.1")
    // The subject's common name is no host's name.
    case .noName: context = own.serverContext(names: "email:a@localhost")
    case .version: context = own.serverContext(versionMax: TLS1_1_VERSION)
    }
    let (answer, wasHeard) = try await call(context, settings)
    guard case .failure(.tls) = answer else {
      Issue.record("\(wrong): \(answer)")
      return
    }
    #expect(!wasHeard)
  }

  @Test("the server of the test would take TLS 1.1 from a client that offers it")
  func offersAnOldVersion() {
    let server = TestServer.start(
      TestAuthority.shared.serverContext(versionMax: TLS1_1_VERSION)
    ) { _ in [] }
    defer { server.stop() }
    #expect(permissiveVersion(server.port) == TLS1_1_VERSION)
  }

  @Test func namesAMissingAuthority() {
    var settings = patient
    settings.authorityFile = "/nowhere/authority.pem"
    #expect(throws: TLSError.self) { try HTTPSClient(settings) }
  }

  @Test func noticesThatNobodyListens() async throws {
    let server = TestServer(TestAuthority.shared.serverContext(), isListening: false) { _ in [] }
    try await withClient { calls in
      let answer = await calls(HTTPSRequest(.get, try HTTPSAddress(server.url)))
      #expect(answer.failure?.name == "unreachable")
    }
  }

  /// A machine without a name server may answer at once, late or never.
  @Test func noticesAnUnknownName() async throws {
    try await withClient(impatient) { calls in
      let address = try HTTPSAddress("https://nowhere.invalid/path?key=secret")
      let failure = try #require(await calls(HTTPSRequest(.get, address)).failure)
      #expect(failure.name == "unreachable" || failure.name == "timed-out")
      #expect(!"\(failure)".contains("secret"))
    }
  }

  /// In a process of its own, because the environment is the whole process's.
  @Test func takesNoProxyFromTheEnvironment() async throws {
    await #expect(processExitsWith: .success) {
      for name in ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"] {
        unsafe setenv(name, "http://127.0.0.1:1", 1)
      }
      let server = TestServer.start { _ in [.answer(200)] }
      try await withClient { calls in
        let answer = await calls(HTTPSRequest(.get, try HTTPSAddress(server.url)))
        #expect(try answer.get().status == 200)
      }
      var proxied = patient
      proxied.proxy = "http://127.0.0.1:1"
      try await withClient(proxied) { calls in
        let answer = await calls(HTTPSRequest(.get, try HTTPSAddress(server.url)))
        #expect(answer.failure?.name == "unreachable")
      }
    }
  }
}
