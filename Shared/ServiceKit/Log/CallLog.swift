package import Wire

/// What a process logs of calls that have ended, each line with the call's trace. Slow calls, and
/// those that failed through no fault of their callers, are warnings, of which there are few,
/// however many such calls there are. With the level `debug` every call has a line.
///
/// Confined to one loop. Its times are microseconds of a clock that only goes forward.
package final class CallLog {
  /// A call that takes longer is told as slow: far more than a commit or a fact takes, and less
  /// than a player waits for gladly.
  package static let slowMicroseconds: UInt64 = 1_000_000
  /// Between two lines of one kind.
  static let quietMilliseconds: UInt64 = 10_000

  private let log: Log
  /// True when every call has a line.
  package let hasAll: Bool
  private var pace = LogPace(quietMilliseconds: CallLog.quietMilliseconds)

  package init(_ log: Log) {
    self.log = log
    hasAll = log.has(.debug)
  }

  /// True for a call that may have a line: nothing has to be put together for the others.
  package func isAbout(_ failure: Failure?, microseconds: UInt64) -> Bool {
    hasAll || microseconds >= Self.slowMicroseconds || failure?.isUnexpected == true
  }

  /// A call has ended.
  ///
  /// - Parameters:
  ///   - trace: nil where it is not known.
  ///   - peer: who made it, or answered it.
  ///   - failure: nil when it was carried out.
  ///   - microseconds: how long it took.
  package func ended(
    _ trace: TraceID?, operation: String, peer: String, _ failure: Failure?, microseconds: UInt64,
    now: UInt64
  ) {
    let trace = trace?.description ?? "unknown"
    let took = "\(microseconds)"
    if let failure, failure.isUnexpected, let keptBack = admit("call failed", now) {
      log.warning(
        "call failed",
        [
          "trace": trace, "operation": operation, "peer": peer, "reason": failure.description,
          "microseconds": took, "kept_back": "\(keptBack)",
        ])
    } else if microseconds >= Self.slowMicroseconds, let keptBack = admit("call was slow", now) {
      log.warning(
        "call was slow",
        [
          "trace": trace, "operation": operation, "peer": peer,
          "reason": failure?.description ?? "", "microseconds": took,
          "kept_back": "\(keptBack)",
        ])
    } else if let failure {
      log.debug(
        "call failed",
        [
          "trace": trace, "operation": operation, "peer": peer, "reason": failure.description,
          "microseconds": took,
        ])
    } else {
      log.debug(
        "call",
        ["trace": trace, "operation": operation, "peer": peer, "microseconds": took])
    }
  }

  private func admit(_ event: String, _ microseconds: UInt64) -> Int? {
    pace.admit(event, now: microseconds / 1000)
  }

  /// A client has closed its connection before a call was answered. Clients may: the line is for
  /// whoever looks for the call, and no warning.
  package func givenUp(
    _ trace: TraceID?, operation: String, peer: String, microseconds: UInt64, now: UInt64
  ) {
    let keptBack = admit("call given up", now)
    if keptBack == nil && !hasAll { return }
    log.info(
      "call given up",
      [
        "trace": trace?.description ?? "unknown", "operation": operation, "peer": peer,
        "reason": "the client has closed the connection", "microseconds": "\(microseconds)",
        "kept_back": "\(keptBack ?? 0)",
      ])
  }
}

extension Failure {
  /// True for a failure that no caller is at fault for, and that no limit is there for.
  package var isUnexpected: Bool {
    switch code {
    // Of a service that the deployment leaves out nothing else is to be expected.
    case .unavailable: !isLeftOut
    case .deadlineExceeded, .storageFull, .disconnected, .wrongPartition: true
    default: false
    }
  }
}
