internal import COpenSSL

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

// How long certificates are good, and whether peers would take them.

extension TLSContext {
  /// When the own certificate ends, in milliseconds since 1970; nil without one.
  var certificateEnd: Int64? {
    guard let certificate = unsafe SSL_CTX_get0_certificate(pointer) else { return nil }
    return unsafe Self.end(of: certificate)
  }

  /// When the last of the trusted authorities ends; nil without one of a file.
  var authorityEnd: Int64? {
    let objects = unsafe X509_STORE_get0_objects(SSL_CTX_get_cert_store(pointer))
    var last: Int64?
    for index in unsafe 0..<max(OPENSSL_sk_num(objects), 0) {
      guard let item = unsafe OPENSSL_sk_value(objects, index),
        let certificate = unsafe X509_OBJECT_get0_X509(OpaquePointer(item)),
        let end = unsafe Self.end(of: certificate)
      else { continue }
      last = max(last ?? end, end)
    }
    return last
  }

  private static func end(of certificate: OpaquePointer) -> Int64? {
    var parts = unsafe tm()
    guard let date = unsafe X509_get0_notAfter(certificate),
      unsafe ASN1_TIME_to_tm(date, &parts) == 1
    else { return nil }
    return unsafe Int64(timegm(&parts)) * 1000
  }

  /// Verifies the own certificate as a peer with this context's authorities would.
  /// - Parameter path: the file that it was read from, for the error.
  func verifyOwnCertificate(_ path: String) throws(TLSError) {
    guard let check = unsafe X509_STORE_CTX_new() else { throw TLSError("no memory") }
    defer { unsafe X509_STORE_CTX_free(check) }
    var chain: OpaquePointer?
    unsafe _ = SSL_CTX_ctrl(pointer, SSL_CTRL_GET_CHAIN_CERTS, 0, &chain)
    let own = unsafe SSL_CTX_get0_certificate(pointer)
    try TLSError.check(
      unsafe X509_STORE_CTX_init(check, SSL_CTX_get_cert_store(pointer), own, chain),
      "certificate \(path)")
    if unsafe X509_verify_cert(check) == 1 { return }
    let number = unsafe X509_STORE_CTX_get_error(check)
    ERR_clear_error()
    throw TLSError(
      "certificate \(path): \(unsafe String(cString: X509_verify_cert_error_string(Int(number))))")
  }

  /// Looks whether the own certificate is good at this time, whoever has signed it.
  func checkOwnDates(_ path: String) throws(TLSError) {
    guard let own = unsafe SSL_CTX_get0_certificate(pointer) else { return }
    if unsafe X509_cmp_current_time(X509_get0_notAfter(own)) <= 0 {
      throw TLSError("certificate \(path): certificate has expired")
    }
    if unsafe X509_cmp_current_time(X509_get0_notBefore(own)) >= 0 {
      throw TLSError("certificate \(path): certificate is not yet valid")
    }
  }
}

extension TLSServerContext {
  /// When the certificate ends, in milliseconds since 1970.
  public var certificateEnd: Int64? { context.certificateEnd }
  /// When the last of the authorities of clients ends.
  public var authorityEnd: Int64? { context.authorityEnd }
}

extension TLSClientContext {
  /// When the own certificate ends, in milliseconds since 1970; nil without one.
  public var certificateEnd: Int64? { context.certificateEnd }
  /// When the last of the trusted authorities ends; nil for those of the system.
  public var authorityEnd: Int64? { context.authorityEnd }
}
