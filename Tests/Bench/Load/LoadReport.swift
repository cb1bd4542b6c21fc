import Foundation
import ServiceKit

/// What a run of the load generator counted.
final class LoadReport {
  private(set) var isOpen = false
  private(set) var operations: UInt64 = 0
  private(set) var failure: String?
  private var histogram = Histogram()
  /// What a player has heard of by an event, and how long after: of a match since the last ticket
  /// of it, of a request since it was sent.
  private var heardHistogram = Histogram()
  /// Of these, what was heard while the long stream was read.
  private var duringHistogram = Histogram()
  /// Whether the long stream is being read.
  var isReplaying = false
  /// How many events of it were read, and in how many microseconds.
  var (replayed, replayMicroseconds): (UInt64, UInt64) = (0, 0)
  /// The longest time that a player has waited for a match at the end, in microseconds.
  var waited: UInt64 = 0
  private var checksum: UInt64 = 0
  private var began = ContinuousClock.now
  private var ended = ContinuousClock.now
  private var cpuBegan = 0.0

  func open() {
    isOpen = true
    began = .now
    cpuBegan = Self.cpuSeconds()
  }

  func close() {
    isOpen = false
    ended = .now
  }

  func took(microseconds: UInt64, checksum value: UInt64) {
    guard isOpen else { return }
    operations += 1
    checksum = checksum &* 31 &+ value
    histogram.record(microseconds)
  }

  func heard(microseconds: UInt64) {
    guard isOpen else { return }
    heardHistogram.record(microseconds)
    if isReplaying { duringHistogram.record(microseconds) }
  }

  /// The first failure ends the run: a benchmark of refusals would measure nothing.
  func fail(_ text: String) {
    if failure == nil { failure = text }
    isOpen = false
  }

  var json: String {
    let duration = ended - began
    let seconds =
      Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
    return """
      {"operations":\(operations),"seconds":\(seconds),\
      "ops_per_second":\(Double(operations) / seconds),\
      "p50_us":\(histogram.quantile(0.5)),"p99_us":\(histogram.quantile(0.99)),\
      "p999_us":\(histogram.quantile(0.999)),"max_us":\(histogram.maximum),\
      "heard":\(heardHistogram.count),"heard_p50_us":\(heardHistogram.quantile(0.5)),\
      "heard_p99_us":\(heardHistogram.quantile(0.99)),"waited_us":\(waited),\
      "during":\(duringHistogram.count),"during_p99_us":\(duringHistogram.quantile(0.99)),\
      "replayed":\(replayed),"replay_us":\(replayMicroseconds),\
      "cpu_seconds":\(Self.cpuSeconds() - cpuBegan),"checksum":"\(checksum)"}
      """
  }

  private static func cpuSeconds() -> Double {
    var usage = rusage()
    unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    let times = [usage.ru_utime, usage.ru_stime]
    return times.reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
  }
}
