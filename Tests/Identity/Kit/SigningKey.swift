import COpenSSL

/// A key pair that is made for a test run.
@safe
final class SigningKey: Sendable {
  enum Kind { case rsa(Int), p256, p384 }

  nonisolated(unsafe) let pointer: OpaquePointer
  let isRSA: Bool

  init(_ kind: Kind) {
    let name = if case .rsa = kind { "RSA" } else { "EC" }
    let context = unsafe EVP_PKEY_CTX_new_from_name(nil, name, nil)
    defer { unsafe EVP_PKEY_CTX_free(context) }
    unsafe EVP_PKEY_keygen_init(context)
    switch kind {
    case .rsa(let bits): unsafe EVP_PKEY_CTX_set_rsa_keygen_bits(context, Int32(bits))
    case .p256: unsafe EVP_PKEY_CTX_set_group_name(context, "P-256")
    case .p384: unsafe EVP_PKEY_CTX_set_group_name(context, "P-384")
    }
    var key: OpaquePointer?
    unsafe EVP_PKEY_generate(context, &key)
    guard let key = unsafe key else { fatalError("OpenSSL makes no key") }
    unsafe pointer = key
    isRSA = name == "RSA"
  }

  deinit { unsafe EVP_PKEY_free(pointer) }

  /// Signs as OpenSSL does: RSA with PKCS #1 v1.5, ECDSA in DER.
  func sign(_ bytes: [UInt8], digest: String = "SHA256", isPSS: Bool = false) -> [UInt8] {
    let context = unsafe EVP_MD_CTX_new()
    defer { unsafe EVP_MD_CTX_free(context) }
    var settings: OpaquePointer?
    unsafe EVP_DigestSignInit(context, &settings, EVP_get_digestbyname(digest), nil, pointer)
    if isPSS { unsafe EVP_PKEY_CTX_set_rsa_padding(settings, RSA_PKCS1_PSS_PADDING) }
    var count = 2048
    var signature = [UInt8](repeating: 0, count: count)
    let result = unsafe EVP_DigestSign(context, &signature, &count, bytes, bytes.count)
    precondition(result == 1)
    return Array(signature.prefix(count))
  }

  /// Signs as tokens have it: of ECDSA the two numbers, as long as the curve's, side by side.
  func tokenSignature(_ bytes: [UInt8], digest: String = "SHA256") -> [UInt8] {
    let signature = sign(bytes, digest: digest)
    guard !isRSA else { return signature }
    // 30 size 02 size R 02 size S; no size of P-256 needs a second byte.
    let r = signature[4..<(4 + Int(signature[3]))]
    let s = signature[(r.endIndex + 2)...]
    return [r, s].flatMap { number in
      let digits = number.drop { $0 == 0 }
      return [UInt8](repeating: 0, count: 32 - digits.count) + digits
    }
  }

  /// One of the key's numbers: n and e, or qx and qy.
  func number(_ name: String) -> [UInt8] {
    var number: OpaquePointer?
    let result = unsafe EVP_PKEY_get_bn_param(pointer, name, &number)
    precondition(result == 1)
    defer { unsafe BN_free(number) }
    var bytes = [UInt8](repeating: 0, count: unsafe Int(BN_num_bits(number) + 7) / 8)
    unsafe BN_bn2bin(number, &bytes)
    return bytes
  }

  var pem: [UInt8] {
    let memory = unsafe BIO_new(BIO_s_mem())
    defer { unsafe BIO_free(memory) }
    unsafe PEM_write_bio_PUBKEY(memory, pointer)
    return readAll(memory)
  }

  /// The key as an entry of a document of keys.
  func jwk(_ id: String?, _ more: [(String, String)] = [("use", "\"sig\"")]) -> String {
    var fields = more
    if let id { fields.append(("kid", quoted(id))) }
    if isRSA {
      fields += [("kty", "\"RSA\""), ("n", number64("n")), ("e", number64("e"))]
    } else {
      fields += [("kty", "\"EC\""), ("crv", "\"P-256\"")]
      fields += [("x", number64("qx", 32)), ("y", number64("qy", 32))]
    }
    return object(fields)
  }

  private func number64(_ name: String, _ count: Int = 0) -> String {
    let digits = number(name)
    let padding = [UInt8](repeating: 0, count: max(count - digits.count, 0))
    return quoted(base64URL(padding + digits))
  }
}

@safe
func readAll(_ memory: OpaquePointer?) -> [UInt8] {
  var bytes = [UInt8](repeating: 0, count: 64 * 1024)
  let count = unsafe BIO_read(memory, &bytes, Int32(bytes.count))
  return Array(bytes.prefix(Int(max(count, 0))))
}

/// The keys of the tests. Making an RSA key takes a while, so each is made once.
enum Keys {
  static let rsa = SigningKey(.rsa(2048))
  static let rsaNext = SigningKey(.rsa(2048))
  static let rsaForger = SigningKey(.rsa(2048))
  static let rsaWeak = SigningKey(.rsa(1024))
  static let p256 = SigningKey(.p256)
  static let p256Forger = SigningKey(.p256)
  static let p384 = SigningKey(.p384)
}
