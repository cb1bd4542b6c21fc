internal import COpenSSL

extension TLSServerContext {
  /// How many seconds from now the certificate that the server shows can still be used; negative
  /// once it has ended, and nil where it does not say.
  public var certificateSecondsLeft: Int? {
    guard let certificate = unsafe SSL_CTX_get0_certificate(context.pointer),
      let end = unsafe X509_get0_notAfter(certificate)
    else { return nil }
    var (days, seconds) = (Int32(0), Int32(0))
    guard unsafe ASN1_TIME_diff(&days, &seconds, nil, end) == 1 else { return nil }
    return Int(days) * 86_400 + Int(seconds)
  }
}
