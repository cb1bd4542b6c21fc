import ServiceKit
import Transport

/// The TLS contexts of all loops of the gateway.
struct GatewayTLS: ProcessCredentials {
  /// In the order of their numbers.
  let loops: [LoopTLS]
  var terms: [CertificateTerm] { loops.first?.terms ?? [] }

  init(_ plan: GatewayPlan) throws {
    self.init(try (1...plan.loops).map { _ in try LoopTLS(plan) })
  }

  init(_ loops: [LoopTLS]) { self.loops = loops }

  /// Each loop's contexts have read the files by themselves, and they may have changed in between.
  func checkOwnCertificates() throws(TLSError) -> Int {
    var days = Int.max
    for loop in loops { days = min(days, try loop.checkOwnCertificates()) }
    return days
  }
}
