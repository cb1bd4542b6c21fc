import ServiceKit
import Transport

/// The TLS contexts of all loops of the gateway, and what it derives credentials from.
struct GatewayTLS: ProcessCredentials {
  /// In the order of their numbers.
  let loops: [LoopTLS]
  var terms: [CertificateTerm] { loops.first?.terms ?? [] }
  private let plan: GatewayPlan
  var secrets: GatewaySecrets { plan.secrets }

  init(_ plan: GatewayPlan) throws {
    self.init(try (1...plan.loops).map { _ in try LoopTLS(plan) }, of: plan)
  }

  init(_ loops: [LoopTLS], of plan: GatewayPlan) { (self.loops, self.plan) = (loops, plan) }

  /// Each loop's contexts have read the files by themselves, and they may have changed in between.
  func checkOwnCertificates() throws(TLSError) -> Int {
    var days = Int.max
    for loop in loops { days = min(days, try loop.checkOwnCertificates()) }
    return days
  }
}
