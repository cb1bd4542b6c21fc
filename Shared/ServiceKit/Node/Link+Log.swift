public import Transport

extension Link {
  /// Logs why the peer cannot be reached, once for each reason, because the attempts never end.
  public func logFailedAttempts(_ log: Log, peer: String) {
    var last: CloseReason?
    onAttemptFailed = { reason in
      if reason == last { return }
      last = reason
      let values: KeyValuePairs = ["service": peer, "reason": reason.text]
      // At start-up, and while a process starts again, nobody listening is no reason to worry.
      if case .connect = reason {
        log.info("service not reached", values)
      } else {
        log.warning("service refused", values)
      }
    }
  }
}
