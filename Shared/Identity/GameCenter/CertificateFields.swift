internal import COpenSSL

/// What is read of a certificate besides its key.
enum CertificateFields {
  /// Whether the certificate is one for signing, and not an authority's own.
  @safe
  static func isForSigning(_ certificate: OpaquePointer) -> Bool {
    guard unsafe X509_check_ca(certificate) == 0 else { return false }
    // Both functions set all bits where the certificate does not say what it is for.
    let usage = unsafe X509_get_key_usage(certificate)
    let purposes = unsafe X509_get_extended_key_usage(certificate)
    return usage & UInt32(KU_DIGITAL_SIGNATURE) != 0 && purposes & UInt32(XKU_CODE_SIGN) != 0
  }

  /// The one organization in the certificate's subject; nil where there are none or several.
  @safe
  static func organization(_ certificate: OpaquePointer) -> String? {
    guard let subject = unsafe X509_get_subject_name(certificate) else { return nil }
    let place = unsafe X509_NAME_get_index_by_NID(subject, NID_organizationName, -1)
    guard
      place >= 0, unsafe X509_NAME_get_index_by_NID(subject, NID_organizationName, place) < 0,
      let entry = unsafe X509_NAME_get_entry(subject, place),
      let value = unsafe X509_NAME_ENTRY_get_data(entry)
    else { return nil }
    var text: UnsafeMutablePointer<UInt8>?
    let count = unsafe ASN1_STRING_to_UTF8(&text, value)
    guard count >= 0, let text = unsafe text else { return nil }
    defer { unsafe CRYPTO_free(text, #file, #line) }
    return unsafe String(
      decoding: UnsafeBufferPointer(start: text, count: Int(count)), as: UTF8.self)
  }

  /// When all certificates of a chain are valid, in milliseconds since 1970.
  @safe
  static func valid(_ chain: OpaquePointer) -> Range<Int64>? {
    var (from, until) = (Int64.min, Int64.max)
    for place in unsafe 0..<max(OPENSSL_sk_num(chain), 0) {
      guard let item = unsafe OPENSSL_sk_value(chain, place),
        let begin = unsafe milliseconds(X509_get0_notBefore(OpaquePointer(item))),
        let end = unsafe milliseconds(X509_get0_notAfter(OpaquePointer(item)))
      else { return nil }
      (from, until) = (max(from, begin), min(until, end))
    }
    return from < until ? from..<until : nil
  }

  private static func milliseconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64? {
    guard let time = unsafe time, let epoch = unsafe ASN1_TIME_set(nil, 0) else { return nil }
    defer { unsafe ASN1_STRING_free(epoch) }
    var days: Int32 = 0
    var seconds: Int32 = 0
    guard unsafe ASN1_TIME_diff(&days, &seconds, epoch, time) == 1 else { return nil }
    return (Int64(days) * 86400 + Int64(seconds)) * 1000
  }
}
