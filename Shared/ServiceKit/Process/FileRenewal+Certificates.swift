import Transport

/// The TLS contexts that a process has made of its certificates, keys and authorities.
public protocol ProcessCredentials: Sendable {
  /// Until when the files are good that they were made of.
  var terms: [CertificateTerm] { get }
  /// Throws what would keep peers from taking what these very contexts show, or returns for how
  /// many days all of it is still good. No file is read for it: what was checked is what is used.
  func checkOwnCertificates() throws -> Int
}

extension FileRenewal {
  /// Adds a process's certificates, keys and authorities. What is read of them is for connections
  /// to come, and those that are there live on. From now on the log says when one of them is about
  /// to end.
  ///
  /// - Parameters:
  ///   - terms: those of the credentials that the process began with.
  ///   - read: returns what makes credentials of the files, which is called off the loop.
  public func addCertificates<Credentials: ProcessCredentials>(
    _ terms: [CertificateTerm], read: @escaping () -> @Sendable () throws -> Credentials,
    use: @escaping (Credentials) -> Void
  ) {
    let watch = CertificateWatch(terms, log)
    add(.certificates) {
      let read = read()
      return {
        let made = try read()
        _ = try made.checkOwnCertificates()
        return made
      }
    } use: { [log] (made: Credentials) in
      use(made)
      watch.terms = made.terms
      let text = CertificateTerm.text(made.terms, at: ProcessShell.clock())
      log.info("certificates renewed", ["good": text])
      watch.look()
    }
    watch.look()
    loop.every(UInt64(CertificateTerm.dayMilliseconds)) { watch.look() }
  }
}

/// Says when certificates are about to end; confined to its loop.
private final class CertificateWatch {
  var terms: [CertificateTerm]
  private let log: Log

  init(_ terms: [CertificateTerm], _ log: Log) { (self.terms, self.log) = (terms, log) }

  func look() {
    let now = ProcessShell.clock()
    for term in terms {
      let values: KeyValuePairs = [
        "setting": term.setting, "file": term.file, "days": "\(term.days(at: now))",
      ]
      switch term.state(at: now) {
      case .good: break
      case .endsSoon: log.warning("certificate ends soon", values)
      case .ended: log.error("certificate has ended", values)
      }
    }
  }
}
