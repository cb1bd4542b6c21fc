import Foundation

/// How often one operation of each path may allocate: a line for each, `COUNT NAME`.
struct Thresholds {
  /// An array that grows now and then costs a fraction of an allocation, more or less by chance.
  static let slack = 0.5

  private var counts: [String: Double] = [:]

  init(file: String) throws {
    let text = try String(contentsOfFile: file, encoding: .utf8)
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      let parts = line.split(separator: " ", maxSplits: 1)
      guard parts.count == 2, let count = Double(parts[0]) else { continue }
      counts[String(parts[1])] = count
    }
  }

  /// Prints what was found; true when nothing is above its threshold.
  func report(_ found: [(name: String, perCall: Double)]) -> Bool {
    print("allocations of one operation:  found  allowed")
    var isKept = true
    for (name, perCall) in found {
      let allowed = counts[name] ?? 0
      var note = ""
      if perCall > allowed + Self.slack {
        isKept = false
        note = "  MORE THAN ALLOWED"
      } else if perCall < allowed - Self.slack {
        note = "  fewer: lower the threshold"
      }
      let counts = padded(rounded(perCall), 7) + padded(rounded(allowed), 7)
      print("  \(padded(name, 28)) \(counts)\(note)")
    }
    return isKept
  }

  private func rounded(_ count: Double) -> String { "\((count * 10).rounded() / 10)" }

  private func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
