public import Transport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Reads what a process has of its files anew whenever the process gets SIGHUP; confined to its
/// loop.
///
/// Files that belong together are a part. A part is read and checked before anything of it is used:
/// where one file is wrong, the process goes on with all that it had of this part. The parts are
/// read one after the other and do not wait for each other to be right: a secret that is taken away
/// is away also where a certificate is wrong. Only files that cannot be read to an end hold up all.
public final class FileRenewal {
  let loop: Loop
  let log: Log
  private let reports: ManagerReports
  /// Each reads one part, and then says what of it is not used, and why; nil where all of it is.
  private var parts: [(_ done: @escaping (_ trouble: String?) -> Void) -> Void] = []
  /// What of the parts that were read in this round is not used, and why.
  private var troubles: [String] = []
  /// What the process does not use. A part changes it before the log tells why.
  var state = ReloadState() {
    didSet { if state != oldValue { onChange(state) } }
  }
  /// Called whenever the state has changed.
  public var onChange: (ReloadState) -> Void = { _ in }
  private var isReading = false
  /// Whether the files may have changed since they were begun to be read.
  private var isAskedAgain = false

  public init(on loop: Loop, log: Log, reports: ManagerReports) {
    (self.loop, self.log, self.reports) = (loop, log, reports)
  }

  /// Adds a part, which is read after those that were added before.
  ///
  /// - Parameters:
  ///   - read: returns what reads and checks the files, which is called off the loop.
  ///   - use: has the process use what was read from now on.
  public func add<Made: Sendable>(
    _ part: ReloadState.Part, read: @escaping () -> @Sendable () throws -> Made,
    use: @escaping (Made) -> Void
  ) {
    addPart { [unowned self] done in
      let read = read()
      loop.work {
        Result { try read() }
      } then: { [unowned self] result in
        switch result {
        case .success(let made):
          state.refused.remove(part)
          use(made)
          done(nil)
        case .failure(let error):
          state.refused.insert(part)
          log.error(
            "\(part) are not renewed, and those before stay in use", ["reason": "\(error)"])
          done("Its \(part) were not renewed: \(error)".asSentence)
        }
      }
    }
  }

  /// Adds a part as it is. It calls `done` exactly once, not from inside the call.
  func addPart(_ part: @escaping (_ done: @escaping (_ trouble: String?) -> Void) -> Void) {
    parts.append(part)
  }

  /// From now on SIGHUP has the files read anew, and ends nothing.
  public func start() {
    loop.onSignal(SIGHUP) { [self] in renew() }
  }

  func renew() {
    if isReading {
      isAskedAgain = true
      return
    }
    isReading = true
    troubles = []
    reports.reloading()
    renewPart(0)
  }

  private func renewPart(_ index: Int) {
    if index == parts.count { return finish() }
    let renew = parts[index]
    renew { [self] trouble in
      if let trouble { troubles.append(trouble) }
      renewPart(index + 1)
    }
  }

  private func finish() {
    isReading = false
    reports.reloaded(troubles.isEmpty ? nil : troubles.joined(separator: " "))
    if isAskedAgain {
      isAskedAgain = false
      renew()
    }
  }
}

extension String {
  /// With a full stop at its end, where a sentence has not ended there already.
  fileprivate var asSentence: String { hasSuffix(".") ? self : self + "." }
}
