#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

package enum Machine {
  /// Processor time of this process in nanoseconds: what other processes use does not count.
  package static var processorTime: Double { Double(clock()) * (1e9 / Double(CLOCKS_PER_SEC)) }

  /// What this process has in memory; 0 where the system does not say it in Linux's way.
  package static var residentBytes: Int {
    let file = unsafe open("/proc/self/statm", O_RDONLY)
    if file < 0 { return 0 }
    defer { close(file) }
    var text = [UInt8](repeating: 0, count: 128)
    let count = unsafe text.withUnsafeMutableBytes { unsafe read(file, $0.baseAddress, $0.count) }
    let fields = String(decoding: text.prefix(max(0, count)), as: UTF8.self).split(separator: " ")
    return fields.count > 1 ? (Int(fields[1]) ?? 0) * Int(getpagesize()) : 0
  }

  package static func fail(_ text: String, code: Int32) -> Never {
    print(text)
    exit(code)
  }
}

/// One line of JSON from numbers and texts.
package func line(_ fields: [(String, String)]) -> String {
  "{" + fields.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}"
}

/// With three decimals, without Foundation.
package func figure(_ value: Double) -> String { "\((value * 1000).rounded() / 1000)" }

/// A checksum as the baselines print it: sixteen hexadecimal digits, in quotes.
package func hexadecimal(_ checksum: UInt64) -> String {
  let digits = String(checksum, radix: 16)
  return "\"\(String(repeating: "0", count: 16 - digits.count))\(digits)\""
}

/// Nanoseconds of the processor that each of so many operations takes; `body` gets their numbers.
package func nanoseconds(each count: Int, _ body: (Int) -> Void) -> Double {
  let start = Machine.processorTime
  for number in 0..<count { body(number) }
  return (Machine.processorTime - start) / Double(count)
}
