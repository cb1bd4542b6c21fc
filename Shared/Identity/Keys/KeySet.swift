/// A provider's keys, found by their ids.
public struct KeySet: Sendable {
  public let keys: [VerificationKey]

  /// Keys that are configured.
  public init(_ keys: [VerificationKey]) { self.keys = keys }

  /// Finds the key that a token names.
  ///
  /// A token without a key id gets the only key, and so does any token where the only key has no
  /// id: that of a PEM text.
  func key(for keyID: String?) throws(IdentityError) -> VerificationKey {
    if keys.count == 1, keyID == nil || keys[0].keyID == nil { return keys[0] }
    guard let keyID else { throw .keyIDMissing }
    guard let key = keys.first(where: { $0.keyID.map { isSame($0, keyID) } ?? false }) else {
      throw .keyUnknown
    }
    return key
  }
}

extension KeySet {
  /// Reads a document of keys (RFC 7517).
  ///
  /// Keys that cannot be used are left out: of another kind or algorithm, not for signatures,
  /// without an id, too weak, and those after the 32nd.
  ///
  /// - Throws: if it is no such document, or holds no key that can be used.
  public init(
    document: [UInt8], algorithms: Set<SignatureAlgorithm>
  ) throws(KeyDocumentError) {
    let fields: JSON
    do {
      fields = try JSON.object(document, sizeMax: IdentityLimits.keyDocumentSizeMax)
    } catch { throw .notJSON(error) }
    guard let items = fields["keys"]?.list else { throw .noKeys }
    keys = items.prefix(IdentityLimits.keyCountMax).compactMap { item in
      guard let key = Self.key(item), algorithms.contains(key.algorithm) else { return nil }
      return key
    }
    guard !keys.isEmpty else { throw .noKeys }
  }

  private static func key(_ item: JSON) -> VerificationKey? {
    guard
      let id = item["kid"]?.text, !id.isEmpty, id.utf8.count <= IdentityLimits.keyIDSizeMax,
      isForSignatures(item), let info = info(item),
      let key = try? VerificationKey(info: info, keyID: id)
    else { return nil }
    // A document that names no algorithm leaves it to the kind of the key.
    guard let named = item["alg"] else { return key }
    guard let name = named.text, isSame(name, key.algorithm.name) else { return nil }
    return key
  }

  private static func isForSignatures(_ item: JSON) -> Bool {
    if let use = item["use"], use.text != "sig" { return false }
    guard let operations = item["key_ops"] else { return true }
    return operations.list?.contains { $0.text == "verify" } ?? false
  }

  /// The key's bytes in the encoding that OpenSSL reads.
  private static func info(_ item: JSON) -> [UInt8]? {
    func number(_ name: String) -> [UInt8]? { item[name]?.text.flatMap(Base64URL.bytes) }
    switch item["kty"]?.text {
    case "RSA":
      guard let modulus = number("n"), let exponent = number("e"),
        modulus.count <= IdentityLimits.rsaBitsMax / 8 + 1,
        exponent.count <= IdentityLimits.rsaExponentSizeMax
      else { return nil }
      return DER.rsaKey(modulus: modulus, exponent: exponent)
    case "EC":
      guard item["crv"]?.text == "P-256", let x = number("x"), let y = number("y"),
        x.count == 32, y.count == 32
      else { return nil }
      return DER.p256Key(x: x, y: y)
    default: return nil
    }
  }
}

/// Why a fetched document gives no keys; for the operator's log.
public enum KeyDocumentError: Error, Hashable, Sendable, CustomStringConvertible {
  case notJSON(JSONFault)
  /// It is no document of keys, or none of its keys can be used.
  case noKeys
  case certificate(CertificateFault)

  public var description: String {
    switch self {
    case .notJSON(let fault): "The document of keys \(fault.clause)."
    case .noKeys: "The document has no key that can be used."
    case .certificate(let fault): fault.description
    }
  }
}
