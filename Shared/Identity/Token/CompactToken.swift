/// A signed token in compact form (RFC 7515, section 7.1): header, claims and signature.
///
/// Its parts were told apart, and nothing of it was believed. The claims are read after the
/// signature was found to be right, and not before.
public struct CompactToken: Sendable {
  /// The id of the key, by which the provider's key is found.
  public let keyID: String?
  /// What the token says its algorithm is. It is compared with the key's, and never followed.
  let algorithm: String?
  /// The bytes that are signed: the first two parts as text.
  let signed: [UInt8]
  let claims: [UInt8]
  let signature: [UInt8]

  /// - Parameter text: the token as the client sent it, at most 8 KiB.
  /// - Throws: what is wrong with its form.
  public init(_ text: [UInt8]) throws(IdentityError) {
    guard text.count <= IdentityLimits.tokenSizeMax else { throw .proofTooLarge }
    let point = UInt8(ascii: ".")
    let parts = text.split(separator: point, omittingEmptySubsequences: false)
    guard parts.count == 3 else { throw .notThreeParts }
    guard let header = Base64URL.bytes(parts[0]) else { throw .notBase64URL(.header) }
    guard let claims = Base64URL.bytes(parts[1]) else { throw .notBase64URL(.claims) }
    guard let signature = Base64URL.bytes(parts[2]) else { throw .notBase64URL(.signature) }
    self.claims = claims
    self.signature = signature
    signed = Array(text[..<(parts[2].startIndex - 1)])
    let fields = try Self.object(header, .header)
    // An extension that one must understand may change what is signed; none is understood here.
    guard fields["crit"] == nil else { throw .criticalHeader }
    try Self.check(type: fields["typ"])
    algorithm = fields["alg"]?.text
    keyID = try Self.keyID(fields["kid"])
  }

  static func object(_ bytes: [UInt8], _ part: TokenPart) throws(IdentityError) -> JSON {
    do {
      return try JSON.object(bytes, sizeMax: IdentityLimits.tokenSizeMax)
    } catch { throw .notJSON(part, error) }
  }

  /// Other kinds of tokens, such as access tokens, say so; identity tokens may leave it out.
  private static func check(type: JSON?) throws(IdentityError) {
    guard let type else { return }
    guard let text = type.text, isSame(text.uppercased(), "JWT") else { throw .typeWrong }
  }

  private static func keyID(_ field: JSON?) throws(IdentityError) -> String? {
    guard let field else { return nil }
    guard
      let text = field.text, !text.isEmpty, text.utf8.count <= IdentityLimits.keyIDSizeMax
    else { throw .keyIDMalformed }
    return text
  }
}
