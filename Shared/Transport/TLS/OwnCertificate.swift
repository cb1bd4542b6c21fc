internal import COpenSSL

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// What others will make of a certificate that this process shows, as of now.
///
/// A context is made without it: whether a certificate has ended depends on a clock, and one that
/// is wrong at the start of a machine is set right later.
extension TLSContext {
  /// Returns how many whole days the certificate is still good for.
  ///
  /// - Parameters:
  ///   - name: what the certificate has to be for; nil for any name.
  ///   - isOfAuthority: whether it has to lead to an authority that the context trusts.
  func checkOwnCertificate(
    _ path: String, name: String?, isOfAuthority: Bool
  ) throws(TLSError) -> Int {
    guard let certificate = unsafe SSL_CTX_get0_certificate(pointer),
      let end = certificateEnd
    else { throw TLSError("certificate \(path): there is none") }
    try checkOwnDates(path)
    if let name, unsafe X509_check_host(certificate, name, name.utf8.count, 0, nil) != 1 {
      throw TLSError("certificate \(path): it is not for \(name)")
    }
    if isOfAuthority { try verifyOwnCertificate(path) }
    var now = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &now)
    return (Int(end / 1000) - Int(now.tv_sec)) / 86_400
  }
}

extension TLSServerContext {
  /// Throws what would keep clients from taking the certificate, or returns for how many days it is
  /// still good. Clients have authorities of their own.
  public func checkOwnCertificate(_ path: String) throws(TLSError) -> Int {
    try context.checkOwnCertificate(path, name: nil, isOfAuthority: false)
  }

  /// The same for what is shown to peers that trust the authority of this context and look at the
  /// name.
  public func checkOwnCertificate(_ path: String, name: String) throws(TLSError) -> Int {
    try context.checkOwnCertificate(path, name: name, isOfAuthority: true)
  }
}

extension TLSClientContext {
  /// The same for what is shown to servers that trust the same authority and look at the name.
  public func checkOwnCertificate(_ path: String, name: String) throws(TLSError) -> Int {
    try context.checkOwnCertificate(path, name: name, isOfAuthority: true)
  }
}
