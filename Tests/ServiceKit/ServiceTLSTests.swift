import Stack
import Testing
import Transport
import Wire

@testable import ServiceKit

/// What a start and a renewal ask of a service's certificate, and of which bytes they ask it.
@Suite struct ServiceTLSTests {
  private func withFiles(
    of process: String, _ body: (ReplacedCertificate, ServicePlan) throws -> Void
  ) throws {
    let files = try ReplacedCertificate(of: process)
    defer { files.remove() }
    let request = try Configuration.read(
      ServiceProcess<SampleCore>.settings,
      arguments: [
        "--certificate", files.certificate, "--key", files.key, "--authority", files.authority,
      ], environment: [:])
    guard case .run(let configuration) = request else {
      throw ConfigurationError("The arguments ask for something else than a run.")
    }
    try body(files, try ServicePlan(configuration, service: SampleCore.service))
  }

  private static let fault = "it is not for request.muster.internal"

  private func fault(_ check: () throws(TLSError) -> Int) -> String? {
    do {
      #expect(try check() > 300)
      return nil
    } catch { return error.text }
  }

  @Test("what was read is checked, whatever the files have had since")
  func replaced() throws {
    try withFiles(of: "leaderboard") { files, plan in
      let wrong = try ServiceTLS(plan, of: .request)
      try files.replace(by: "request")
      #expect(fault(wrong.checkOwnCertificates)?.hasSuffix(Self.fault) == true)
      let right = try ServiceTLS(plan, of: .request)
      try files.replace(by: "leaderboard")
      #expect(fault(right.checkOwnCertificates) == nil)
    }
  }

  @Test("each context is checked that is used, for those who connect and for each other service")
  func each() throws {
    try withFiles(of: "request") { files, plan in
      let right = try ServiceTLS(plan, of: .request)
      #expect(right.services.count == 2, "the two other services")
      try files.replace(by: "context")
      let wrong = try ServiceTLS(plan, of: .request)
      let server = ServiceTLS(wrong.server, right.services, plan.certificateFiles, of: .request)
      #expect(fault(server.checkOwnCertificates)?.hasSuffix(Self.fault) == true)
      for service in right.services.keys {
        var services = right.services
        services[service] = wrong.services[service]
        let mixed = ServiceTLS(right.server, services, plan.certificateFiles, of: .request)
        #expect(fault(mixed.checkOwnCertificates)?.hasSuffix(Self.fault) == true, "\(service)")
      }
    }
  }
}
