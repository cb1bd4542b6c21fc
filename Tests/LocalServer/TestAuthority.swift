internal import COpenSSL
internal import Foundation

/// An authority of this run, and the certificates that it signs; made by OpenSSL in this process.
/// The authority's certificate is also in a file, for the client.
@safe
package final class TestAuthority: Sendable {
  package static let shared = TestAuthority("one")
  package static let other = TestAuthority("other")

  package let file: String
  private nonisolated(unsafe) let certificate: OpaquePointer
  private nonisolated(unsafe) let key: OpaquePointer
  private static let day = 24 * 3600

  private init(_ name: String) {
    unsafe key = Self.makeKey()
    let days = -Self.day...Self.day
    unsafe certificate = Self.make(
      subject: "authority \(name)", key: key, valid: days, issuer: nil, signedBy: key,
      [(NID_basic_constraints, "critical,CA:TRUE"), (NID_key_usage, "critical,keyCertSign")])
    file =
      NSTemporaryDirectory()
      + "muster-outgoing-\(ProcessInfo.processInfo.processIdentifier)-\(name).pem"
    let bio = unsafe BIO_new_file(file, "w")
    let written = unsafe PEM_write_bio_X509(bio, certificate)
    precondition(written == 1, "the authority cannot be written")
    unsafe BIO_free_all(bio)
  }

  /// A server's TLS context with a certificate of its own.
  /// - Parameters:
  ///   - names: as `DNS:localhost,IP:127.0.0.1`.
  ///   - valid: the days from and until which it is valid, counted from now.
  package func serverContext(
    names: String = "DNS:localhost,IP:127.0.0.1", valid: ClosedRange<Int> = -1...1,
    versionMax: Int32 = TLS1_3_VERSION
  ) -> TestServerContext {
    let key = unsafe Self.makeKey()
    let seconds = valid.lowerBound * Self.day...valid.upperBound * Self.day
    let own = unsafe Self.make(
      subject: "server", key: key, valid: seconds, issuer: certificate, signedBy: self.key,
      [(NID_subject_alt_name, names)])
    guard let context = unsafe SSL_CTX_new(TLS_server_method()) else {
      preconditionFailure("no TLS")
    }
    // Without it OpenSSL itself refuses TLS 1.1, and no client would have to.
    unsafe SSL_CTX_set_security_level(context, 0)
    unsafe _ = muster_ctx_set_min_version(context, min(versionMax, TLS1_2_VERSION))
    unsafe _ = muster_ctx_set_max_version(context, versionMax)
    unsafe SSL_CTX_use_certificate(context, own)
    unsafe SSL_CTX_use_PrivateKey(context, key)
    unsafe X509_free(own)
    unsafe EVP_PKEY_free(key)
    return unsafe TestServerContext(context)
  }

  private static func makeKey() -> OpaquePointer {
    let context = unsafe EVP_PKEY_CTX_new_id(EVP_PKEY_EC, nil)
    defer { unsafe EVP_PKEY_CTX_free(context) }
    var key: OpaquePointer?
    unsafe EVP_PKEY_keygen_init(context)
    unsafe EVP_PKEY_CTX_set_group_name(context, "P-256")
    unsafe EVP_PKEY_keygen(context, &key)
    guard let key = unsafe key else { preconditionFailure("no key could be made") }
    return unsafe key
  }

  private static func make(
    subject: String, key: OpaquePointer, valid: ClosedRange<Int>, issuer: OpaquePointer?,
    signedBy signer: OpaquePointer, _ extensions: [(Int32, String)]
  ) -> OpaquePointer {
    guard let certificate = unsafe X509_new() else { preconditionFailure("no memory") }
    unsafe X509_set_version(certificate, 2)
    unsafe ASN1_INTEGER_set(
      X509_get_serialNumber(certificate), Int.random(in: 1...Int.max / 2))
    unsafe X509_gmtime_adj(X509_getm_notBefore(certificate), valid.lowerBound)
    unsafe X509_gmtime_adj(X509_getm_notAfter(certificate), valid.upperBound)
    unsafe X509_set_pubkey(certificate, key)
    let name = unsafe X509_get_subject_name(certificate)
    let ascii: Int32 = 0x1001
    unsafe X509_NAME_add_entry_by_txt(name, "CN", ascii, Array(subject.utf8), -1, -1, 0)
    unsafe X509_set_issuer_name(certificate, X509_get_subject_name(issuer ?? certificate))
    var context = unsafe X509V3_CTX()
    unsafe X509V3_set_ctx(&context, issuer ?? certificate, certificate, nil, nil, 0)
    for (number, value) in extensions {
      let item = unsafe X509V3_EXT_conf_nid(nil, &context, number, value)
      unsafe X509_add_ext(certificate, item, -1)
      unsafe X509_EXTENSION_free(item)
    }
    let signed = unsafe X509_sign(certificate, signer, EVP_sha256())
    precondition(signed > 0, "a certificate cannot be signed")
    return unsafe certificate
  }
}

/// How a test server proves who it is.
@safe
package final class TestServerContext: Sendable {
  nonisolated(unsafe) let pointer: OpaquePointer

  @unsafe init(_ pointer: OpaquePointer) { unsafe self.pointer = pointer }

  deinit { unsafe SSL_CTX_free(pointer) }
}
