/// What to do with a proof, as far as its key is concerned.
public enum KeyAdvice: Sendable {
  /// Verify it with this key. Where there is an order, begin that fetch as well; nobody waits.
  case verify(VerificationKey, refresh: FetchOrder?)
  /// Begin this fetch, report its end to the cache, and ask again.
  case fetch(FetchOrder)
  /// A fetch is under way: ask again when it has ended.
  case wait
  /// Nobody can say whether the proof is right before this time, in milliseconds since 1970. The
  /// client is told to try again then.
  case unavailable(until: Int64)
  case refuse(IdentityError)
}

/// A fetch that a cache wants: GET of an address over HTTPS.
public struct FetchOrder: Hashable, Sendable {
  public let url: String
  /// Tells the fetches of one cache apart.
  public let number: UInt64
}

/// How keys are read from what was fetched.
public enum KeyFormat: Sendable {
  /// A document of keys (RFC 7517), of which those with these algorithms are taken.
  case document(Set<SignatureAlgorithm>)
  /// A certificate, whose key is taken if a chain leads to a trusted root.
  case certificate(CertificateTrust)

  func keys(_ bytes: [UInt8], _ now: Int64) throws(KeyDocumentError) -> KeySet {
    switch self {
    case .document(let algorithms): return try KeySet(document: bytes, algorithms: algorithms)
    case .certificate(let trust):
      do {
        return KeySet([try trust.key(certificate: bytes, now: now)])
      } catch { throw .certificate(error) }
    }
  }
}

enum CacheControl {
  /// How long an HTTP answer may be kept, in seconds, as its field `Cache-Control` says (RFC 9111,
  /// section 5.2.2); nil if it does not say. An answer that may not be kept is fresh for 0 seconds.
  static func maxAgeSeconds(_ field: String) -> Int64? {
    var seconds: Int64?
    for directive in field.utf8.split(separator: UInt8(ascii: ",")) {
      let text = String(directive.filter { $0 != 0x20 && $0 != 0x09 }.map(Character.init))
      let parts = text.lowercased().split(separator: "=", maxSplits: 1)
      switch parts.first {
      case "no-store", "no-cache": return 0
      case "max-age":
        guard parts.count == 2, let number = Int64(parts[1].filter { $0 != "\"" }), number >= 0
        else { return 0 }
        // A year is more than any cache keeps, and cannot overflow when it is multiplied.
        seconds = min(number, 365 * 24 * 3600)
      default: break
      }
    }
    return seconds
  }
}

extension Character {
  fileprivate init(_ byte: UInt8) { self.init(Unicode.Scalar(byte)) }
}
