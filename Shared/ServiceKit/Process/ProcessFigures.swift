#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension CounterMetric {
  static let processorTime = CounterMetric(
    "process.cpu", .microseconds, help: "Processor time of the process, all threads together.")
}

extension GaugeMetric {
  static let memory = GaugeMetric(
    "process.memory", .bytes, help: "Memory that the process has in RAM.")
  static let descriptors = GaugeMetric(
    "process.descriptors", help: "Files and sockets that the process has open.")
  static let descriptorsFree = GaugeMetric(
    "process.descriptors_free", help: "Files and sockets that the process may open besides.")
}

/// What the system says about the process. To read it takes up to some milliseconds, where many
/// sockets are open, and is for a thread that may block.
public struct ProcessFigures: Sendable {
  var memoryBytes: UInt64 = 0
  var processorMicroseconds: UInt64 = 0
  var descriptorCount = 0
  var descriptorsMax = 0

  public static func read() -> ProcessFigures {
    var figures = ProcessFigures()
    // Pages in all, and those that are in RAM.
    let pages = SystemFile.text(of: "/proc/self/statm")?.split(separator: " ")
    if let pages, pages.count > 1, let resident = UInt64(pages[1]) {
      figures.memoryBytes = resident * UInt64(sysconf(Int32(_SC_PAGESIZE)))
    }
    var usage = rusage()
    if unsafe getrusage(own, &usage) == 0 {
      figures.processorMicroseconds = microseconds(usage.ru_utime) + microseconds(usage.ru_stime)
    }
    figures.descriptorCount = entryCount(of: "/proc/self/fd")
    figures.descriptorsMax = Descriptors.limit
    return figures
  }

  private static func microseconds(_ time: timeval) -> UInt64 {
    UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_usec)
  }

  private static func entryCount(of path: String) -> Int {
    guard let folder = unsafe opendir(path) else { return 0 }
    defer { unsafe closedir(folder) }
    var count = 0
    while unsafe readdir(folder) != nil { count += 1 }
    // The folder itself, the one above, and the descriptor that reads it.
    return max(0, count - 3)
  }
}

extension ProcessFigures {
  #if canImport(Glibc)
    private static var own: Int32 { Int32(RUSAGE_SELF.rawValue) }
  #else
    private static var own: Int32 { RUSAGE_SELF }
  #endif
}

extension Metrics {
  public func set(_ figures: ProcessFigures) {
    gauge(.memory).set(figures.memoryBytes)
    counter(.processorTime).reach(figures.processorMicroseconds)
    gauge(.descriptors).set(figures.descriptorCount)
    gauge(.descriptorsFree).set(max(0, figures.descriptorsMax - figures.descriptorCount))
  }
}
