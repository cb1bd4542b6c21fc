internal import COpenSSL

enum TLSCertificate {
  /// Returns the first DNS name of the certificate that the peer of `ssl` proved to own.
  ///
  /// It is nil without a certificate, and for a certificate that was not verified, so a returned
  /// name can be believed.
  @safe
  static func peerName(_ ssl: OpaquePointer) -> String? {
    guard let certificate = unsafe muster_ssl_peer_certificate(ssl) else { return nil }
    defer { unsafe X509_free(certificate) }
    guard unsafe Int32(SSL_get_verify_result(ssl)) == X509_V_OK else { return nil }
    guard
      let raw = unsafe X509_get_ext_d2i(certificate, NID_subject_alt_name, nil, nil)
    else { return nil }
    let names = OpaquePointer(raw)
    defer { unsafe GENERAL_NAMES_free(names) }
    for index in unsafe 0..<max(OPENSSL_sk_num(names), 0) {
      guard let item = unsafe OPENSSL_sk_value(names, index) else { continue }
      var type: Int32 = 0
      let name = unsafe item.assumingMemoryBound(to: GENERAL_NAME.self)
      guard let value = unsafe GENERAL_NAME_get0_value(name, &type), type == GEN_DNS else {
        continue
      }
      let string = unsafe value.assumingMemoryBound(to: ASN1_STRING.self)
      guard let bytes = unsafe ASN1_STRING_get0_data(string) else { continue }
      let count = unsafe Int(ASN1_STRING_length(string))
      return unsafe String(
        decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }
    return nil
  }
}
