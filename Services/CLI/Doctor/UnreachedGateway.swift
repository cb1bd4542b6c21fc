import MusterKit

/// Why a gateway could not be asked: the first step that failed.
enum UnreachedGateway: String, CaseIterable {
  case lookUp = "look-up of its name"
  case connect = "connection"
  case certificate = "certificate"
  case handshake = "TLS handshake"
  case signIn = "sign-in"
  case answer = "answer"

  /// What MusterKit says of the attempts begins with the same words wherever they end.
  init(_ error: MusterError) {
    let text = error.text
    self =
      switch error.code {
      case .invalidCredential, .notAuthenticated, .notAllowed: .signIn
      case _ where error.argument == "trust": .certificate
      case _ where Self.isCertificate(text): .certificate
      case _ where text.contains("handshake"): .handshake
      case _ where Self.lookUpFaults.contains { text.contains($0) }: .lookUp
      case _ where text.contains("cannot connect") || text.contains("no answer"): .connect
      default: .answer
      }
  }

  private static func isCertificate(_ text: String) -> Bool {
    text.contains("certificate") || text.contains("ostname mismatch")
  }

  /// What `gai_strerror` says.
  private static let lookUpFaults = [
    "Name or service not known", "name resolution", "No address associated",
    "nodename nor servname",
  ]

  var advice: Advice {
    switch self {
    case .lookUp, .connect, .answer: .reachGateway
    case .certificate, .handshake: .acceptCertificate
    case .signIn: .operatorSecret
    }
  }

  func finding(_ error: MusterError, gateway: String) -> Finding {
    Finding(
      check: .gateway, verdict: .red, process: gateway, text: "\(rawValue) failed: \(error.text)",
      advice: advice)
  }
}
