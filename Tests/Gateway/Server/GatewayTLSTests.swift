import GatewayCore
import ServiceKit
import Stack
import Testing
import Transport

@testable import muster_gateway

/// What a start and a renewal ask of a gateway's certificates, and of which bytes they ask it.
@Suite struct GatewayTLSTests {
  private func withFiles(_ body: (ReplacedCertificate, GatewayPlan) throws -> Void) throws {
    let files = try ReplacedCertificate(of: "gateway")
    defer { files.remove() }
    let plan = try GatewayPlan(
      GatewayPlan.configuration([
        "--loops", "2", "--certificate", files.certificate, "--key", files.key, "--authority",
        files.authority, "--client-certificate", files.clientCertificate, "--client-key",
        files.clientKey,
      ]))
    try body(files, plan)
  }

  private func fault(_ credentials: GatewayTLS) -> String? {
    do {
      #expect(try credentials.checkOwnCertificates() > 300)
      return nil
    } catch { return error.text }
  }

  @Test("what was read is checked, whatever the files have had since")
  func replaced() throws {
    try withFiles { files, plan in
      let right = try GatewayTLS(plan)
      try files.replace(by: "context")
      #expect(fault(right) == nil)
      let wrong = try GatewayTLS(plan)
      try files.replace(by: "gateway")
      #expect(fault(wrong)?.hasSuffix("it is not for gateway.muster.internal") == true)
    }
  }

  @Test("the contexts of every loop are checked")
  func everyLoop() throws {
    try withFiles { files, plan in
      let right = try GatewayTLS(plan).loops
      #expect(right.count == 2)
      try files.replace(by: "context")
      let wrong = try LoopTLS(plan)
      for place in right.indices {
        var loops = right
        loops[place] = wrong
        #expect(fault(GatewayTLS(loops))?.hasSuffix("gateway.muster.internal") == true)
      }
      #expect(fault(GatewayTLS(right)) == nil)
    }
  }
}
