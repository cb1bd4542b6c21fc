public import Transport

extension Link {
  /// Logs why the peer cannot be reached, once for each reason, because the attempts never end.
  public func logFailedAttempts(_ log: Log, peer: String) {
    var last: CloseReason?
    onAttemptFailed = { [unowned self] reason in
      if reason == last { return }
      last = reason
      let values: KeyValuePairs = ["service": peer, "reason": reason.text]
      switch reason {
      // At start-up, and while a process starts again, nobody listening is no reason to worry. Nor
      // is the end of a process that was told to stop.
      case .connect: log.info("service not reached", values)
      case .endOfStream where wasServed: log.info("service not reached", values)
      default: log.warning("service refused", values)
      }
    }
  }
}
