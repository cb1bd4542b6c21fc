extension IdentityError: CustomStringConvertible {
  /// A sentence for the operator's log. It holds nothing that came with the proof.
  public var description: String {
    switch self {
    case .proofTooLarge, .notThreeParts, .notBase64URL, .notJSON, .criticalHeader, .typeWrong,
      .keyIDMalformed:
      formSentence
    case .keyIDMissing: "The token names no key, and the provider has several."
    case .keyUnknown: "The provider has no key of the id that the token names."
    case .keyNotValidNow: "The certificate of the key is not valid now."
    case .algorithmWrong: "The token names another algorithm than its key is for."
    case .signatureSizeWrong: "The signature has not the size that the key's signatures have."
    case .signatureWrong: "The signature is not that of the provider's key."
    case .playerMalformed, .bundleWrong, .saltMalformed, .certificateURLWrong, .certificate,
      .timestampTooOld, .timestampInFuture:
      gameCenterSentence
    case .ticketMalformed, .answerStatus, .answerTooLarge, .answerMalformed, .refusedByProvider,
      .resultNotOK, .playerDiffers, .ownerDiffers:
      steamSentence
    default: claimSentence
    }
  }

  private var formSentence: String {
    switch self {
    case .proofTooLarge: "The proof has more bytes than a proof may have."
    case .notThreeParts: "The token has not three parts with a point between."
    case .notBase64URL(let part): "The token's \(part.rawValue) is not base64url."
    case .notJSON(let part, let fault): "The token's \(part.rawValue) \(fault.clause)."
    case .criticalHeader: "The token asks for an extension that must be understood."
    case .typeWrong: "The token is of another type than JWT."
    default: "The token's key id is no short text."
    }
  }

  private var claimSentence: String {
    switch self {
    case .claimMissing(let claim): "The token has no claim \(claim.rawValue)."
    case .claimMalformed(let claim): "The token's claim \(claim.rawValue) is not of its form."
    case .issuerWrong: "The token is of another issuer."
    case .audienceWrong: "The token is for another audience."
    case .authorizedPartyWrong: "The token was given to another party."
    case .expired: "The token has expired."
    case .notYetValid: "The token is not valid yet."
    case .issuedInFuture: "The token says that it was issued after now."
    case .tooOld: "The token was issued too long ago."
    case .nonceNotGiven: "The provider's tokens need a nonce, and none was given to compare."
    default: "The token's nonce is another one than that of this sign-in."
    }
  }

  private var gameCenterSentence: String {
    switch self {
    case .playerMalformed: "The player's id is not of Game Center's form."
    case .bundleWrong: "The signature is for another app's bundle id."
    case .saltMalformed: "The salt is empty or too long."
    case .certificateURLWrong: "The certificate's address is not one of Game Center's."
    case .certificate(let fault): fault.description
    case .timestampTooOld: "The signature was made too long ago."
    default: "The signature says that it was made after now."
    }
  }

  private var steamSentence: String {
    switch self {
    case .ticketMalformed: "The ticket is no text of hexadecimal digits of a ticket's length."
    case .answerStatus(let status): "Steam answered with the HTTP status \(status)."
    case .answerTooLarge: "Steam's answer has more bytes than an answer may have."
    case .answerMalformed: "Steam's answer is not of its form."
    case .refusedByProvider(let number): "Steam refused the ticket with error \(number)."
    case .resultNotOK: "Steam's answer has another result than OK."
    case .playerDiffers: "The ticket is another player's than the client says."
    default: "The player borrows the game from its owner, which is not allowed here."
    }
  }
}

extension CertificateFault: CustomStringConvertible {
  public var description: String {
    switch self {
    case .malformed: "The certificate cannot be read."
    case .untrusted(let number):
      "The certificate leads to no configured root at this time (OpenSSL's error \(number))."
    case .organizationWrong: "The certificate belongs to another organization."
    case .purposeWrong: "The certificate is not for signing."
    case .keyUnusable: "The certificate's key is no RSA key of a fitting size."
    }
  }
}
