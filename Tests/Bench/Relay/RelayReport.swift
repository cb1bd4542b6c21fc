import Foundation
import ServiceKit

/// What a run of the relay's load counted.
final class RelayReport {
  private(set) var isOpen = false
  private(set) var failure: String?
  var sentCount: UInt64 = 0
  var lostCount: UInt64 = 0
  /// Messages that came, and those of them that came while the run measured.
  private(set) var deliveredCount: UInt64 = 0
  private var timelyCount: UInt64 = 0
  private var histogram = Histogram()
  private var began = ContinuousClock.now
  private var ended = ContinuousClock.now
  private var cpuSeconds = 0.0

  func open() {
    isOpen = true
    sentCount = 0
    began = .now
    cpuSeconds = -Self.cpuSeconds()
  }

  func close() {
    isOpen = false
    ended = .now
    cpuSeconds += Self.cpuSeconds()
  }

  /// What comes late counts too, with the time that it took; only a second of the run does not get
  /// more messages by it.
  func delivered(microseconds: UInt64) {
    deliveredCount += 1
    if isOpen { timelyCount += 1 }
    histogram.record(microseconds)
  }

  /// The first failure ends the run.
  func fail(_ text: String) {
    if failure == nil { failure = text }
    isOpen = false
  }

  var json: String {
    let seconds = (ended - began) / .seconds(1)
    return """
      {"sent":\(sentCount),"delivered":\(deliveredCount),"lost":\(lostCount),\
      "seconds":\(seconds),"per_second":\(Double(timelyCount) / seconds),\
      "p50_us":\(histogram.quantile(0.5)),"p99_us":\(histogram.quantile(0.99)),\
      "p999_us":\(histogram.quantile(0.999)),"max_us":\(histogram.maximum),\
      "cpu_seconds":\(cpuSeconds)}
      """
  }

  private static func cpuSeconds() -> Double {
    var usage = rusage()
    unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    let times = [usage.ru_utime, usage.ru_stime]
    return times.reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
  }
}
