import COpenSSL

/// A certificate that is made for a test run.
@safe
final class Certificate: Sendable {
  nonisolated(unsafe) let pointer: OpaquePointer
  let key: SigningKey
  let name: String

  /// What a certificate says of itself.
  struct Facts {
    var name = "Apple Inc."
    var organization: String? = "Apple Inc."
    var secondOrganization: String?
    var isAuthority = false
    var keyUsage = "critical,digitalSignature"
    var extendedKeyUsage: String? = "codeSigning"
    /// In seconds since 1970.
    var valid = Int64(1_600_000_000)..<Int64(1_800_000_000)
    var digest = "SHA256"
  }

  /// Without an issuer it is signed by its own key.
  init(_ key: SigningKey, _ facts: Facts, by issuer: Certificate? = nil) {
    guard let made = unsafe X509_new() else { fatalError("no memory") }
    unsafe pointer = made
    self.key = key
    name = facts.name
    unsafe X509_set_version(made, 2)
    unsafe ASN1_INTEGER_set(X509_get_serialNumber(made), Int.random(in: 1...1_000_000_000))
    let subject = unsafe X509_get_subject_name(made)
    for organization in [facts.organization, facts.secondOrganization] {
      if let organization { unsafe Self.add("O", organization, to: subject) }
    }
    unsafe Self.add("CN", facts.name, to: subject)
    unsafe X509_set_issuer_name(
      made, issuer.map { unsafe X509_get_subject_name($0.pointer) } ?? subject)
    unsafe ASN1_TIME_set(X509_getm_notBefore(made), time_t(facts.valid.lowerBound))
    unsafe ASN1_TIME_set(X509_getm_notAfter(made), time_t(facts.valid.upperBound))
    unsafe X509_set_pubkey(made, key.pointer)
    addExtensions(facts, issuer)
    let signer = issuer?.key ?? key
    let size = unsafe X509_sign(made, signer.pointer, EVP_get_digestbyname(facts.digest))
    precondition(size > 0)
  }

  deinit { unsafe X509_free(pointer) }

  private static func add(_ field: String, _ text: String, to name: OpaquePointer?) {
    unsafe X509_NAME_add_entry_by_txt(
      name, field, V_ASN1_UTF8STRING, Array(text.utf8), Int32(text.utf8.count), -1, 0)
  }

  private func addExtensions(_ facts: Facts, _ issuer: Certificate?) {
    var context = unsafe v3_ext_ctx()
    unsafe X509V3_set_ctx(&context, issuer?.pointer ?? pointer, pointer, nil, nil, 0)
    func add(_ id: Int32, _ value: String) {
      guard let field = unsafe X509V3_EXT_nconf_nid(nil, &context, id, value) else {
        fatalError("OpenSSL makes no extension \(value)")
      }
      unsafe X509_add_ext(pointer, field, -1)
      unsafe X509_EXTENSION_free(field)
    }
    add(NID_basic_constraints, facts.isAuthority ? "critical,CA:TRUE" : "critical,CA:FALSE")
    add(NID_key_usage, facts.keyUsage)
    if let usage = facts.extendedKeyUsage { add(NID_ext_key_usage, usage) }
    add(NID_subject_key_identifier, "hash")
    if issuer != nil { add(NID_authority_key_identifier, "keyid:always") }
  }

  var der: [UInt8] {
    var start: UnsafeMutablePointer<UInt8>?
    let count = unsafe i2d_X509(pointer, &start)
    defer { unsafe CRYPTO_free(start, #file, #line) }
    return unsafe Array(UnsafeBufferPointer(start: start, count: Int(count)))
  }

  var pem: [UInt8] {
    let memory = unsafe BIO_new(BIO_s_mem())
    defer { unsafe BIO_free(memory) }
    unsafe PEM_write_bio_X509(memory, pointer)
    return readAll(memory)
  }
}

/// The certificates of the tests: a root, an authority below it and Game Center's own below that;
/// and the same of a forger.
enum Certificates {
  static let root = Certificate(Keys.rsaNext, facts("Root"))
  static let authority = Certificate(SigningKey(.rsa(2048)), facts("Signing CA"), by: root)
  static let gameCenter = Certificate(Keys.rsa, Certificate.Facts(), by: authority)
  static let forgedRoot = Certificate(Keys.rsaForger, facts("Root"))
  static let forgedAuthority = Certificate(Keys.rsaForger, facts("Signing CA"), by: forgedRoot)

  static func facts(_ name: String) -> Certificate.Facts {
    Certificate.Facts(
      name: name, organization: "DigiTest", isAuthority: true, keyUsage: "critical,keyCertSign",
      extendedKeyUsage: nil)
  }

  /// One of Game Center's with something else about it.
  static func made(
    key: SigningKey = Keys.rsa, by issuer: Certificate = authority,
    _ change: (inout Certificate.Facts) -> Void = { _ in }
  ) -> [UInt8] {
    var facts = Certificate.Facts()
    change(&facts)
    return Certificate(key, facts, by: issuer).der
  }
}
