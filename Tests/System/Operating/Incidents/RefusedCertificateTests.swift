import Foundation
import Stack
import Testing

extension Operating.Incidents {
  @Test("a process that starts with a certificate that has ended says so itself")
  func startWithEndedCertificate() async throws {
    try await withStack { stack in
      let page = try IncidentPage("A certificate ends")
      let gateway = try await stack.process("gateway")
      gateway.signal(SIGTERM)
      await gateway.ended()
      let ended = try await stack.certificate(of: "client", days: -1)
      let blind = try await stack.spawn("gateway", ["--client-certificate", ended])
      try await page.expectLog("gateway, at its start", of: blind)
      blind.signal(SIGTERM)
      await blind.ended()
      try await stack.start("gateway")
    }
  }
}
