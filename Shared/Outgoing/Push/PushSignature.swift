internal import Transport
internal import Wire

/// Signs what the push hook sends, so that the endpoint knows whom it is from and when it was made.
///
/// It is the scheme of Standard Webhooks (standardwebhooks.com), for which libraries exist in many
/// languages: HMAC-SHA256 over the event's id, the time in seconds since 1970 and the body, with
/// dots between them; in base 64 after `v1,`, one for each secret with blanks between them.
public enum PushSignature {
  /// The value of the header `webhook-signature`.
  public static func sign(
    id: String, seconds: Int64, body: [UInt8], _ secrets: PushSecrets
  ) -> String {
    secrets.all.map { secret in
      "v1," + Base64.text(Crypto.hmacSHA256(key: secret, data: signed(id, seconds, body)))
    }.joined(separator: " ")
  }

  /// Whether one of the signatures in a header fits one of the secrets, as an endpoint checks it.
  /// The time is for the endpoint to compare with its own: it refuses what is older than minutes.
  public static func verify(
    _ header: String, id: String, seconds: Int64, body: [UInt8], _ secrets: PushSecrets
  ) -> Bool {
    let wanted = secrets.all.map { Crypto.hmacSHA256(key: $0, data: signed(id, seconds, body)) }
    return header.split(separator: " ").contains { part in
      guard part.hasPrefix("v1,"), let bytes = Base64.bytes(part.dropFirst(3)) else { return false }
      return wanted.contains { Crypto.constantTimeEquals($0, bytes) }
    }
  }

  private static func signed(_ id: String, _ seconds: Int64, _ body: [UInt8]) -> [UInt8] {
    Array("\(id).\(seconds).".utf8) + body
  }
}

/// The secrets that sign. With two, each call has a signature of both: the endpoint can take over
/// the new one at any time, and the former one is removed afterwards.
public struct PushSecrets: Sendable {
  public static let sizes = 24...64
  let all: [[UInt8]]

  /// Reads one or two texts with a comma between them, the present secret first, each as
  /// `whsec_BASE64` of 24 to 64 bytes; nil for anything else.
  public init?(_ text: String) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let secrets = parts.compactMap { part -> [UInt8]? in
      guard part.hasPrefix("whsec_"), let bytes = Base64.bytes(part.dropFirst(6)),
        Self.sizes.contains(bytes.count)
      else { return nil }
      return bytes
    }
    guard secrets.count == parts.count, (1...2).contains(secrets.count) else { return nil }
    all = secrets
  }
}

// A log could show it by accident.
extension PushSecrets: CustomStringConvertible, CustomReflectable {
  public var description: String { all.count == 1 ? "1 secret" : "\(all.count) secrets" }
  public var customMirror: Mirror { Mirror(self, children: ["count": all.count]) }
}
