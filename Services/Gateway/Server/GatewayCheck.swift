import ServiceKit
import Wire

/// `--check` of a gateway: tries all that a start does before it binds the port and connects to
/// services. Each part reads its settings by itself, so that a fault of one hides no other.
enum GatewayCheck {
  /// - Parameter faults: what is wrong with values of settings.
  static func run(_ configuration: Configuration, _ faults: ConfigurationFaults) -> Never {
    var check = StartCheck(GatewayMain.program, faults)
    check.part("settings") {
      try GatewayPlan(configuration)
    } says: {
      "listens on \($0.listen.host), port \($0.listen.port)"
    }
    if configuration["keys-file"]?.isEmpty == false {
      check.part("keys in use") {
        try GatewaySecrets(configuration)
      } says: {
        $0.summary
      }
    }
    certificates(configuration, &check)
    check.part("identity providers") {
      try GatewayMain.proofDesk(IdentityPlan(configuration))
    } says: {
      $0 == nil ? "none" : "can be used"
    }
    check.folders(configuration)
    check.end()
  }

  private static func certificates(_ configuration: Configuration, _ check: inout StartCheck) {
    check.certificateFiles(configuration)
    check.readable("certificate", configuration["client-certificate"])
    check.readable("key", configuration["client-key"])
    check.part("certificates") {
      let files = try CertificateFiles(configuration)
      // Any service will do: to all of them the gateway shows the same.
      return (files.certificate, try LoopTLS.checkOwn(files, to: .request))
    } says: {
      "\($0.0) is good for \($0.1) days"
    }
    check.part("certificate for games") {
      let files = GatewayCertificateFiles(try CertificateFiles(configuration), configuration)
      return (files.clientCertificate, try LoopTLS.checkForClients(files))
    } says: {
      "\($0.0) is good for \($0.1) days"
    }
  }
}
