import Foundation
import MusterKit
import Stack
import Testing
import Wire

/// A game's own back end, which signs players in: the tokens of an OpenID Connect provider with one
/// key, made with the `openssl` command.
struct TokenIssuer {
  static let issuer = "https://login.chess.example"
  static let audience = "muster-chess"
  static let provider = "chess"

  let folder: URL

  /// Draws the key.
  init(in folder: URL) async throws {
    self.folder = folder
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for name in ["issuer", "forger"] {
      let path = folder.appendingPathComponent(name).path
      _ = try await Tools.run(
        "openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out \(path).key "
          + "&& openssl pkey -in \(path).key -pubout -out \(path).pem")
    }
  }

  /// What a gateway that takes its tokens is started with.
  var flags: [String] {
    [
      "--custom-provider", Self.provider, "--custom-issuer", Self.issuer,
      "--custom-audience", Self.audience, "--custom-nonce", "plain",
      "--custom-keys", folder.appendingPathComponent("issuer.pem").path,
    ]
  }

  struct Claims: Encodable {
    var iss = TokenIssuer.issuer
    var aud = TokenIssuer.audience
    var sub: String
    var nonce: String
    var iat = Int(Date().timeIntervalSince1970)
    var exp = Int(Date().timeIntervalSince1970) + 300
  }

  func token(
    _ claims: Claims, algorithm: String = "RS256", by key: String = "issuer"
  ) async throws -> String {
    let header = try JSONEncoder().encode(["alg": algorithm, "typ": "JWT"])
    let signed = Self.base64URL(header) + "." + Self.base64URL(try JSONEncoder().encode(claims))
    let keyFile = folder.appendingPathComponent("\(key).key").path
    let signature = try await Tools.run(
      "printf %s '\(signed)' | openssl dgst -sha256 -sign \(keyFile) | base64 -w 0")
    guard let bytes = Data(base64Encoded: signature.trimmingCharacters(in: .whitespacesAndNewlines))
    else { throw Tools.ToolFailed(description: "openssl signed nothing") }
    return signed + "." + Self.base64URL(bytes)
  }

  /// The proof of a right token for an attempt.
  func proof(_ subject: String, _ attempt: IdentityAttempt) async throws -> IdentityProof {
    let token = try await token(Claims(sub: subject, nonce: attempt.nonce))
    return attempt.proof(provider: Self.provider, token: token)
  }

  private static func base64URL(_ bytes: Data) -> String {
    bytes.base64EncodedString().replacingOccurrences(of: "+", with: "-")
      .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
  }
}

/// Runs a test against a deployment of its own, whose gateway takes the tokens of an issuer.
func withIssuer(
  partitions: Int = 2, logLevel: String = "info",
  _ body: (Stack, TokenIssuer) async throws -> Void
) async throws {
  let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("muster-issuer-\(UUID().uuidString)")
  defer { try? FileManager.default.removeItem(at: folder) }
  let issuer = try await TokenIssuer(in: folder)
  var options = Stack.Options(partitions: partitions)
  options.flags["gateway"] = issuer.flags
  for service in Service.behindGateway {
    for partition in 1...partitions {
      options.flags["\(service.name)/\(partition)"] = ["--log-level", logLevel]
    }
  }
  try await withStack(options) { stack in try await body(stack, issuer) }
}
