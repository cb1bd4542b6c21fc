internal import COpenSSL

/// A public key and the one algorithm that it is for.
///
/// It is `Sendable` because nothing changes an `EVP_PKEY` after the initialiser. Any number of
/// threads may then verify with it.
@safe
public final class VerificationKey: Sendable {
  public let keyID: String?
  public let algorithm: SignatureAlgorithm
  /// When the key may be used, in milliseconds since 1970: a certificate's is not for ever.
  let valid: Range<Int64>
  private nonisolated(unsafe) let pointer: OpaquePointer

  /// Takes over the key, also when it throws.
  init(
    owning pointer: OpaquePointer?, keyID: String?, valid: Range<Int64> = 0..<Int64.max
  ) throws(KeyFault) {
    defer { OpenSSL.forgetErrors() }
    guard let pointer = unsafe pointer else { throw .malformed }
    guard let algorithm = unsafe Self.algorithm(pointer) else {
      unsafe EVP_PKEY_free(pointer)
      throw .unusable
    }
    self.algorithm = algorithm
    self.keyID = keyID
    self.valid = valid
    unsafe self.pointer = pointer
  }

  deinit { unsafe EVP_PKEY_free(pointer) }

  /// A key in the encoding `SubjectPublicKeyInfo`.
  convenience init(info: [UInt8], keyID: String?) throws(KeyFault) {
    OpenSSL.start()
    let pointer = unsafe info.withUnsafeBufferPointer { bytes -> OpaquePointer? in
      var place = bytes.baseAddress
      return unsafe d2i_PUBKEY(nil, &place, bytes.count)
    }
    try unsafe self.init(owning: pointer, keyID: keyID)
  }

  /// The public key of a game's own back end, from a PEM text that begins with
  /// `-----BEGIN PUBLIC KEY-----`.
  ///
  /// - Parameter keyID: how tokens name it, if the game has several; else what they say is ignored.
  public convenience init(pem: [UInt8], keyID: String? = nil) throws(KeyFault) {
    OpenSSL.start()
    guard pem.count <= IdentityLimits.certificateSizeMax else { throw .malformed }
    let pointer = unsafe pem.withUnsafeBytes { bytes -> OpaquePointer? in
      guard let memory = unsafe BIO_new_mem_buf(bytes.baseAddress, Int32(bytes.count)) else {
        return nil
      }
      defer { unsafe BIO_free(memory) }
      return unsafe PEM_read_bio_PUBKEY(memory, nil, nil, nil)
    }
    try unsafe self.init(owning: pointer, keyID: keyID)
  }

  /// The one algorithm that a key of this kind and size is for.
  private static func algorithm(_ key: OpaquePointer) -> SignatureAlgorithm? {
    switch unsafe EVP_PKEY_get_base_id(key) {
    case EVP_PKEY_RSA:
      let bits = unsafe Int(EVP_PKEY_get_bits(key))
      guard bits >= IdentityLimits.rsaBitsMin, bits <= IdentityLimits.rsaBitsMax else { return nil }
      return unsafe hasUsualExponent(key) ? .rs256 : nil
    case EVP_PKEY_EC:
      var name = [CChar](repeating: 0, count: 32)
      var count = 0
      guard unsafe EVP_PKEY_get_group_name(key, &name, name.count, &count) == 1 else { return nil }
      let group = String(decoding: name.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
      return group == "prime256v1" ? .es256 : nil
    default: return nil
    }
  }

  /// Whether the public exponent is odd, above 1 and small. With 1, anybody could sign; with a huge
  /// one, verifying would take long.
  private static func hasUsualExponent(_ key: OpaquePointer) -> Bool {
    var number: OpaquePointer?
    guard unsafe EVP_PKEY_get_bn_param(key, "e", &number) == 1 else { return false }
    defer { unsafe BN_free(number) }
    let bits = unsafe BN_num_bits(number)
    return unsafe BN_is_odd(number) == 1 && bits > 1
      && bits <= IdentityLimits.rsaExponentSizeMax * 8
  }

  /// Throws if the signature is not this key's over the bytes.
  func verify(_ signature: [UInt8], of bytes: [UInt8], now: Int64) throws(IdentityError) {
    guard valid.contains(now) else { throw .keyNotValidNow }
    let encoded: [UInt8]
    switch algorithm {
    case .rs256:
      guard unsafe signature.count == Int(EVP_PKEY_get_size(pointer)) else {
        throw .signatureSizeWrong
      }
      encoded = signature
    case .es256:
      guard signature.count == 64 else { throw .signatureSizeWrong }
      encoded = DER.ecdsaSignature(signature)
    }
    defer { OpenSSL.forgetErrors() }
    let context = unsafe EVP_MD_CTX_new()
    defer { unsafe EVP_MD_CTX_free(context) }
    guard
      unsafe EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, pointer) == 1,
      unsafe EVP_DigestVerify(context, encoded, encoded.count, bytes, bytes.count) == 1
    else { throw .signatureWrong }
  }
}

/// Why a key cannot be used.
public enum KeyFault: Error, Hashable, Sendable {
  /// It cannot be read, or is no point of its curve.
  case malformed
  /// It is of another kind, too weak, too large, or not for signatures.
  case unusable
}
