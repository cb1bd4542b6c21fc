import Foundation

/// One measured case beside its baseline.
struct BenchCase: Encodable {
  var bench: String
  var `case`: String
  var unit: String
  var ours: Double
  var baseline: Double
  var ratio: Double

  static func append(_ cases: [BenchCase], to path: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    var text = ""
    for measured in cases {
      text += String(decoding: try encoder.encode(measured), as: UTF8.self) + "\n"
    }
    let url = URL(fileURLWithPath: path)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    if !FileManager.default.fileExists(atPath: path) {
      _ = FileManager.default.createFile(atPath: path, contents: nil)
    }
    let file = try FileHandle(forWritingTo: url)
    try file.seekToEnd()
    try file.write(contentsOf: Data(text.utf8))
    try file.close()
  }

  static func table(_ cases: [BenchCase]) -> String {
    let rows =
      [["bench", "case", "unit", "ours", "baseline", "ratio"]]
      + cases.map {
        [
          $0.bench, $0.case, $0.unit, figure($0.ours), figure($0.baseline),
          String(format: "%.2f", $0.ratio),
        ]
      }
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      zip(row, widths)
        .map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }
        .joined(separator: " ")
    }.joined(separator: "\n")
  }

  static func figure(_ value: Double) -> String {
    String(format: value >= 100 ? "%.0f" : "%.2f", value)
  }
}

func median(_ values: [Double]) -> Double {
  let sorted = values.sorted()
  if sorted.isEmpty { return 0 }
  let middle = sorted.count / 2
  return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}
