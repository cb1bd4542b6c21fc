public import Wire

/// Why a proof of identity was refused. It is for the operator's log; a client learns `failure`.
public enum IdentityError: Error, Hashable, Sendable {
  // The form of a proof.
  case proofTooLarge
  case notThreeParts
  case notBase64URL(TokenPart)
  case notJSON(TokenPart, JSONFault)
  case criticalHeader
  case typeWrong
  case keyIDMalformed

  // The key and the signature.
  case keyIDMissing
  case keyUnknown
  case keyNotValidNow
  case algorithmWrong
  case signatureSizeWrong
  case signatureWrong

  // What a token claims.
  case claimMissing(Claim)
  case claimMalformed(Claim)
  case issuerWrong
  case audienceWrong
  case authorizedPartyWrong
  case expired
  case notYetValid
  case issuedInFuture
  case tooOld
  case nonceNotGiven
  case nonceWrong

  // Game Center.
  case playerMalformed
  case bundleWrong
  case saltMalformed
  case certificateURLWrong
  case certificate(CertificateFault)
  case timestampTooOld
  case timestampInFuture

  // Steam.
  case ticketMalformed
  /// The HTTP status of an answer that says nothing of the ticket.
  case answerStatus(Int)
  case answerTooLarge
  case answerMalformed
  /// Steam's own number of the error.
  case refusedByProvider(Int64)
  case resultNotOK
  case playerDiffers
  case ownerDiffers

  /// Whether the provider is at fault, and nobody knows whether the proof is right.
  public var isProvidersFault: Bool {
    switch self {
    case .answerStatus, .answerTooLarge, .answerMalformed: true
    default: false
    }
  }

  /// What a client is told: that its credential is wrong, and nothing that helps to forge one; or
  /// to try again where the provider is at fault.
  public var failure: Failure {
    if isProvidersFault {
      return Failure(
        .unavailable, "The identity provider gives no answer.", retryAfterMilliseconds: 1_000)
    }
    return Failure(.invalidCredential, "The proof of identity was refused.")
  }
}

public enum TokenPart: String, Hashable, Sendable { case header, claims, signature }

/// The claims that are looked at, by their names in a token.
public enum Claim: String, Hashable, Sendable {
  case issuer = "iss"
  case audience = "aud"
  case authorizedParty = "azp"
  case expiry = "exp"
  case notBefore = "nbf"
  case issuedAt = "iat"
  case nonce
  case subject = "sub"
}

/// What is wrong with the certificate of a Game Center signature.
public enum CertificateFault: Error, Hashable, Sendable {
  case malformed
  /// No chain leads to a configured root at this time; the number is OpenSSL's `X509_V_ERR`.
  case untrusted(Int32)
  /// It belongs to another organization.
  case organizationWrong
  /// It is an authority's own, or for something else than signing.
  case purposeWrong
  /// Its key is no RSA key of a fitting size.
  case keyUnusable
}
