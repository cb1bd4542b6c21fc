/// What to do with a proof, as far as its key is concerned.
public enum KeyAdvice: Sendable {
  /// Verify it with this key. Where there is an order, begin that fetch as well; nobody waits.
  case verify(VerificationKey, refresh: FetchOrder?)
  /// Begin this fetch, report its end to the cache, and ask again.
  case fetch(FetchOrder)
  /// A fetch is under way: ask again when it has ended.
  case wait
  /// Nobody can say whether the proof is right before this time, by the cache's clock. The client
  /// is told to try again then.
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
