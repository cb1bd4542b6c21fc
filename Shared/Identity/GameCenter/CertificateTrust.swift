internal import COpenSSL

/// The roots that a Game Center certificate must lead to, and whose it must be.
///
/// It is `Sendable` because nothing changes the store and the list after the initialiser, and
/// OpenSSL locks what it remembers of its own.
@safe
public final class CertificateTrust: Sendable {
  /// The organization in the certificate's subject. The roots are those of an authority that sells
  /// to everybody, so that a chain alone says nothing.
  let organization: String
  private nonisolated(unsafe) let store: OpaquePointer
  private nonisolated(unsafe) let intermediates: OpaquePointer

  /// - Parameters:
  ///   - roots: PEM text of the certificates that are trusted.
  ///   - intermediates: PEM text of certificates that may stand between; Game Center sends its own
  ///     certificate alone. They are not trusted by being here.
  public init(
    roots: [UInt8], intermediates: [UInt8] = [], organization: String = "Apple Inc."
  ) throws(CertificateFault) {
    OpenSSL.start()
    defer { OpenSSL.forgetErrors() }
    self.organization = organization
    guard
      let store = unsafe X509_STORE_new(), let list = unsafe OPENSSL_sk_new_null()
    else { throw .malformed }
    unsafe (self.store, self.intermediates) = (store, list)
    var rootCount = 0
    try Self.read(roots) { certificate in
      rootCount += 1
      return unsafe X509_STORE_add_cert(store, certificate) == 1
    }
    guard rootCount > 0 else { throw .malformed }
    guard !intermediates.isEmpty else { return }
    try Self.read(intermediates) { certificate in
      unsafe X509_up_ref(certificate) == 1
        && OPENSSL_sk_push(list, UnsafeRawPointer(certificate)) > 0
    }
  }

  deinit {
    unsafe X509_STORE_free(store)
    while let item = unsafe OPENSSL_sk_pop(intermediates) { unsafe X509_free(OpaquePointer(item)) }
    unsafe OPENSSL_sk_free(intermediates)
  }

  /// Reads the certificates of a PEM text one after the other.
  @safe
  private static func read(
    _ pem: [UInt8], _ take: (OpaquePointer) -> Bool
  ) throws(CertificateFault) {
    guard pem.count <= IdentityLimits.certificateSizeMax else { throw .malformed }
    let isRead = unsafe pem.withUnsafeBytes { bytes -> Bool in
      guard let memory = unsafe BIO_new_mem_buf(bytes.baseAddress, Int32(bytes.count)) else {
        return false
      }
      defer { unsafe BIO_free(memory) }
      var count = 0
      while let certificate = unsafe PEM_read_bio_X509(memory, nil, nil, nil) {
        defer { unsafe X509_free(certificate) }
        count += 1
        guard count <= IdentityLimits.certificateCountMax, unsafe take(certificate) else {
          return false
        }
      }
      // At the end there is no line to begin with; anything else is a certificate that is broken.
      return ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE
    }
    guard isRead else { throw .malformed }
  }

  /// Returns the key of a certificate, for the time that all of its chain is valid.
  ///
  /// - Parameters:
  ///   - certificate: its bytes in DER, and nothing after them.
  ///   - now: the time at which the chain must be valid, in milliseconds since 1970.
  public func key(certificate bytes: [UInt8], now: Int64) throws(CertificateFault)
    -> VerificationKey
  {
    defer { OpenSSL.forgetErrors() }
    guard let certificate = unsafe Self.certificate(bytes) else { throw .malformed }
    defer { unsafe X509_free(certificate) }
    let valid = try unsafe verifyChain(certificate, now)
    guard CertificateFields.isForSigning(certificate) else { throw .purposeWrong }
    guard
      let owner = CertificateFields.organization(certificate), isSame(owner, organization)
    else { throw .organizationWrong }
    do {
      let key = try unsafe VerificationKey(
        owning: X509_get_pubkey(certificate), keyID: nil, valid: valid)
      guard key.algorithm == .rs256 else { throw CertificateFault.keyUnusable }
      return key
    } catch { throw .keyUnusable }
  }

  private static func certificate(_ bytes: [UInt8]) -> OpaquePointer? {
    guard bytes.count <= IdentityLimits.certificateSizeMax else { return nil }
    return unsafe bytes.withUnsafeBufferPointer { buffer -> OpaquePointer? in
      var place = buffer.baseAddress
      guard let certificate = unsafe d2i_X509(nil, &place, buffer.count) else { return nil }
      if unsafe place == buffer.baseAddress.map({ unsafe $0 + buffer.count }) {
        return unsafe certificate
      }
      unsafe X509_free(certificate)
      return nil
    }
  }

  /// Returns when every certificate of the chain is valid.
  private func verifyChain(
    _ certificate: OpaquePointer, _ now: Int64
  ) throws(CertificateFault) -> Range<Int64> {
    guard let context = unsafe X509_STORE_CTX_new() else { throw .untrusted(X509_V_ERR_OUT_OF_MEM) }
    defer { unsafe X509_STORE_CTX_free(context) }
    guard unsafe X509_STORE_CTX_init(context, store, certificate, intermediates) == 1 else {
      throw .untrusted(X509_V_ERR_UNSPECIFIED)
    }
    let parameters = unsafe X509_STORE_CTX_get0_param(context)
    unsafe X509_VERIFY_PARAM_set_time(parameters, time_t(now / 1000))
    unsafe X509_VERIFY_PARAM_set_depth(parameters, Int32(IdentityLimits.certificateCountMax))
    // Refuses keys and hashes of less than 112 bits: RSA below 2,048 bits, and SHA-1.
    unsafe X509_VERIFY_PARAM_set_auth_level(parameters, 2)
    unsafe _ = X509_VERIFY_PARAM_set_flags(parameters, UInt(X509_V_FLAG_X509_STRICT))
    guard unsafe X509_verify_cert(context) == 1 else {
      throw .untrusted(unsafe X509_STORE_CTX_get_error(context))
    }
    guard let chain = unsafe X509_STORE_CTX_get0_chain(context),
      let valid = CertificateFields.valid(chain)
    else { throw .malformed }
    return valid
  }
}
