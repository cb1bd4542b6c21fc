public import Transport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The TLS contexts that a process has made of its certificates, keys and authorities.
public protocol ProcessCredentials: Sendable {
  /// Until when the files are good that they were made of.
  var terms: [CertificateTerm] { get }
  /// Throws what would keep peers from taking what these very contexts show, or returns for how
  /// many days all of it is still good. No file is read for it: what was checked is what is used.
  func checkOwnCertificates() throws -> Int
}

/// Reads a process's certificates, keys and authorities anew whenever the process gets SIGHUP, and
/// says when one of them is about to end; confined to its loop.
///
/// Everything is read and checked before anything of it is used: where one file is wrong, the
/// process goes on with all that it had. What is read is for connections to come, and those that
/// are there live on.
public final class CertificateRenewal<Credentials: ProcessCredentials> {
  private let loop: Loop
  private let log: Log
  private let reports: ManagerReports
  private let read: @Sendable () throws -> Credentials
  private let use: (Credentials) -> Void
  private var terms: [CertificateTerm]
  private var isReading = false
  /// Whether the files may have changed since they were begun to be read.
  private var isAskedAgain = false

  /// - Parameters:
  ///   - terms: those of the credentials that the process began with.
  ///   - read: makes credentials of what the files have now; called off the loop.
  ///   - use: has the process use them from now on.
  public init(
    on loop: Loop, log: Log, reports: ManagerReports, terms: [CertificateTerm],
    read: @escaping @Sendable () throws -> Credentials, use: @escaping (Credentials) -> Void
  ) {
    (self.loop, self.log, self.reports) = (loop, log, reports)
    (self.terms, self.read, self.use) = (terms, read, use)
  }

  /// From now on SIGHUP has the files read anew, and ends nothing.
  public func start() {
    loop.onSignal(SIGHUP) { [self] in renew() }
    lookAtTerms()
    loop.every(UInt64(CertificateTerm.dayMilliseconds)) { [self] in lookAtTerms() }
  }

  private func renew() {
    if isReading {
      isAskedAgain = true
      return
    }
    isReading = true
    reports.reloading()
    let read = read
    loop.work {
      Result {
        let made = try read()
        _ = try made.checkOwnCertificates()
        return made
      }
    } then: { [self] result in
      finish(result)
    }
  }

  private func finish(_ result: Result<Credentials, any Error>) {
    isReading = false
    switch result {
    case .success(let made):
      use(made)
      terms = made.terms
      log.info(
        "certificates renewed", ["good": CertificateTerm.text(terms, at: ProcessShell.clock())])
      lookAtTerms()
      reports.reloaded()
    case .failure(let error):
      log.error(
        "certificates are not renewed, and those before stay in use", ["reason": "\(error)"])
      reports.reloaded("Its certificates were not renewed: \(error).")
    }
    if isAskedAgain {
      isAskedAgain = false
      renew()
    }
  }

  private func lookAtTerms() {
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
