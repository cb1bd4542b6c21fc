extension CounterMetric {
  static let lostLines = CounterMetric(
    "log.lost",
    help: "Lines of the log that were not written: nobody read it, or its disk was full.")
}

extension Log {
  /// Says of lines that were lost how many they were, where they would have been.
  static func lineOfLoss(_ count: Int, source: String, format: Format) -> String {
    line(
      at: ProcessShell.clock(), .warning, source: source, "lines of the log were lost",
      ["count": "\(count)"], format: format)
  }
}

extension Metrics {
  /// Takes over what the log counts, which is of the whole process: one of its loops tells it.
  public func measure(_ log: Log) { counter(.lostLines).reach(log.lostLineCount) }
}
