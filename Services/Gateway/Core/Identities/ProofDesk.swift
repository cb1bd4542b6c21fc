import Domain
public import Identity
import Operations
public import Wire

/// Verifies proofs with the keys that it holds, and says which have to be fetched first. It fetches
/// nothing itself, and knows neither threads nor clocks.
///
/// A proof is asked about again whenever a fetch of its provider has ended. With keys that are held
/// no other server is asked about a token.
public struct ProofDesk: Sendable {
  public enum Step: Sendable {
    /// Verify, which takes up to 70 microseconds and needs nothing of the desk. Where there is an
    /// order, begin that fetch as well; nobody waits for it.
    case verify(Verification, refresh: Order?)
    /// Begin this fetch, report its end, and ask again.
    case fetch(Order)
    /// Ask again when a fetch of the provider has ended.
    case wait
    /// Make this call, and hand its answer to the `SteamQuestion`.
    case ask(SteamQuestion)
    case refuse(ProofFault)
  }

  /// A document to be fetched: GET of an address over HTTPS.
  public struct Order: Sendable {
    /// The name that clients use.
    public let provider: String
    public let fetch: FetchOrder
    /// The most bytes of the answer's body.
    public let bytesMax: Int
  }

  private let providers: IdentityProviders
  private var keys: [String: KeyCache] = [:]
  private var certificates: [String: CertificateCache] = [:]
  /// Of questions that make a call each.
  private var questions: [String: TokenBucket] = [:]

  public init(_ providers: IdentityProviders) {
    self.providers = providers
    for (name, provider) in providers.byName {
      switch provider {
      case .token(_, let configured?): keys[name] = KeyCache(configured)
      case .token(let token, nil):
        keys[name] = KeyCache(
          url: token.keysURL ?? "", format: .document(token.algorithms),
          freshMilliseconds: providers.freshMilliseconds)
      case .gameCenter(let own, let trust):
        certificates[name] = CertificateCache(
          trust: trust, provider: own, freshMilliseconds: providers.freshMilliseconds)
      case .steam: break
      }
    }
  }

  /// - Parameter now: milliseconds since 1970, which never goes back.
  public mutating func step(_ errand: ProofErrand, now: Int64) -> Step {
    step(providers.read(errand, now: now), now: now)
  }

  /// - Parameter now: milliseconds since 1970, which never goes back.
  public mutating func step(_ read: ReadErrand, now: Int64) -> Step {
    let (errand, name) = (read.errand, read.provider)
    switch read.content {
    case .failure(let fault): return .refuse(fault)
    case .success(.steam(let question)):
      let count = providers.questionsPerMinute
      let rate = TokenBucket.Rate(burst: count, refillMilliseconds: 60_000 / count)
      if let wait = questions[name, default: TokenBucket()].take(at: rate, now: now) {
        return .refuse(.unavailable(until: now + Int64(wait)))
      }
      return .ask(question)
    case .success(.token(let provider, let token)):
      let advice = keys[name]?.advice(for: token.keyID, arrival: errand.arrival, now: now)
      return step(advice, name, bytesMax: IdentityLimits.keyDocumentSizeMax) { key in
        Verification(.token(provider, token), key, errand)
      }
    case .success(.gameCenter(let provider, let proof)):
      let advice = certificates[name]?.advice(
        for: proof.certificateURL, arrival: errand.arrival, now: now)
      return step(advice, name, bytesMax: IdentityLimits.certificateSizeMax) { key in
        Verification(.gameCenter(provider, proof), key, errand)
      }
    }
  }

  private func step(
    _ advice: KeyAdvice?, _ name: String, bytesMax: Int,
    _ verification: (VerificationKey) -> Verification
  ) -> Step {
    func order(_ fetch: FetchOrder) -> Order {
      Order(provider: name, fetch: fetch, bytesMax: bytesMax)
    }
    switch advice {
    case .verify(let key, let refresh):
      return .verify(verification(key), refresh: refresh.map(order))
    case .fetch(let fetch): return .fetch(order(fetch))
    case .wait: return .wait
    case .unavailable(let until): return .refuse(.unavailable(until: until))
    case .refuse(let error): return .refuse(.wrong(error))
    case nil: return .refuse(.unavailable(until: nil))
    }
  }

  /// A fetch has ended.
  ///
  /// - Parameters:
  ///   - document: the body of an answer that says yes; else nil.
  ///   - freshSeconds: for how long the answer may be kept, where it says so.
  /// - Returns: what is wrong with the document, for the operator's log.
  public mutating func fetched(
    _ order: Order, document: [UInt8]?, freshSeconds: Int?, now: Int64
  ) -> KeyDocumentError? {
    do throws(KeyDocumentError) {
      guard let document else {
        keys[order.provider]?.fetchFailed(order.fetch)
        certificates[order.provider]?.fetchFailed(order.fetch)
        return nil
      }
      try keys[order.provider]?.fetched(
        order.fetch, document: document, freshSeconds: freshSeconds, now: now)
      try certificates[order.provider]?.fetched(
        order.fetch, certificate: document, freshSeconds: freshSeconds, now: now)
      return nil
    } catch {
      return error
    }
  }
}

/// A proof whose form was looked at, and of which nothing was believed. It takes nothing of a desk
/// to read one: what strangers send keeps no other sign-in waiting.
public struct ReadErrand: Sendable {
  enum Content: Sendable {
    case token(TokenProvider, CompactToken)
    case gameCenter(GameCenterProvider, GameCenterProof)
    case steam(SteamQuestion)
  }

  let errand: ProofErrand
  public var provider: String { errand.proof.provider }
  let content: Result<Content, ProofFault>
}

extension IdentityProviders {
  /// - Parameter now: milliseconds since 1970.
  public func read(_ errand: ProofErrand, now: Int64) -> ReadErrand {
    let content: Result<ReadErrand.Content, ProofFault>
    do throws(IdentityError) {
      content =
        try self.content(errand.proof, now).map { .success($0) }
        ?? .failure(.unavailable(until: nil))
    } catch {
      content = .failure(.wrong(error))
    }
    return ReadErrand(errand: errand, content: content)
  }

  private func content(_ proof: IdentityProof, _ now: Int64) throws(IdentityError)
    -> ReadErrand.Content?
  {
    switch self[proof.provider] {
    case .token(let provider, _): return .token(provider, try CompactToken(proof.token.array))
    case .gameCenter(let provider, _):
      let signature = GameCenterProof(proof.gameCenter ?? GameCenterSignature())
      try provider.check(signature, now: now)
      return .gameCenter(provider, signature)
    case .steam(let provider):
      let ticket = String(decoding: proof.token.array, as: UTF8.self)
      let call = try provider.call(ticket: ticket)
      return .steam(SteamQuestion(provider: provider, ticket: ticket, call: call))
    case nil: return nil
    }
  }
}

/// A proof and the key that it is to be verified with.
public struct Verification: Sendable {
  enum Content: Sendable {
    case token(TokenProvider, CompactToken)
    case gameCenter(GameCenterProvider, GameCenterProof)
  }

  private let content: Content
  private let key: VerificationKey
  private let nonce: GivenNonce?

  init(_ content: Content, _ key: VerificationKey, _ errand: ProofErrand) {
    self.content = content
    self.key = key
    nonce = errand.nonce
  }

  /// - Parameter now: milliseconds since 1970.
  public func run(now: Int64) throws(IdentityError) -> CheckedProof {
    switch content {
    case .token(let provider, let token):
      let nonce = nonce.flatMap { $0.expiresAt > now ? $0 : nil }
      let identity = try provider.verify(token, with: key, nonce: nonce?.text, now: now)
      return CheckedProof(identity, provider.nonce == .notUsed ? nil : nonce)
    case .gameCenter(let provider, let proof):
      return CheckedProof(try provider.verify(proof, with: key, now: now), nil)
    }
  }
}

/// A question to Steam about a ticket.
public struct SteamQuestion: Sendable {
  let provider: SteamProvider
  let ticket: String
  public let call: WebCall

  public func read(_ answer: [UInt8], status: Int, now: Int64) throws(IdentityError)
    -> CheckedProof
  {
    let identity = try provider.verify(answer: answer, status: status, ticket: ticket, now: now)
    return CheckedProof(identity.identity, nil)
  }
}

/// Why a proof was not taken.
public enum ProofFault: Error, Hashable, Sendable {
  case wrong(IdentityError)
  /// Nobody can say whether it is right, before this time if there is one; milliseconds since 1970.
  case unavailable(until: Int64?)

  /// What the client is told.
  public func failure(now: Int64) -> Failure {
    switch self {
    case .wrong(let error): error.failure
    case .unavailable(let until):
      Failure(
        .unavailable, "The identity provider cannot be reached.",
        retryAfterMilliseconds: UInt32(clamping: max(1_000, (until ?? now) - now)))
    }
  }
}

extension GameCenterProof {
  fileprivate init(_ signature: GameCenterSignature) {
    self.init(
      playerID: signature.playerID, bundleID: signature.bundleID, timestamp: signature.timestamp,
      salt: signature.salt.array, signature: signature.signature.array,
      certificateURL: signature.certificateURL)
  }
}
