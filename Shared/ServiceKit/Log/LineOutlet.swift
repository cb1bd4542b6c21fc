#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A descriptor that takes whole lines, for a thread that may block.
struct LineOutlet {
  static let end = UInt8(ascii: "\n")
  /// What a pipe takes without the bytes of another process in between.
  static let pieceBytesMax = Int(PIPE_BUF)

  private let descriptor: Int32
  /// Whether the last line that was begun has no end.
  private var isCut = false

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Returns where the lines end that are written at once: one line at least.
  static func pieceEnd(in text: [UInt8], from start: Int) -> Int {
    if text.count - start <= pieceBytesMax { return text.count }
    let last =
      text[start..<start + pieceBytesMax].lastIndex(of: end)
      ?? text[(start + pieceBytesMax)...].firstIndex(of: end)
    return last.map { $0 + 1 } ?? text.count
  }

  /// As `write`; false when the line was not written, or not whole.
  mutating func takes(_ line: String) -> Bool { write(Array(line.utf8)[...]) == 0 }

  /// Waits for as long as nobody takes the lines.
  ///
  /// - Returns: how many the system refused, one that is cut included.
  mutating func write(_ lines: ArraySlice<UInt8>) -> Int {
    var rest = lines
    // A line that was cut must not run into the next one.
    if !isCut || SystemFile.write([Self.end], to: descriptor).isEmpty {
      rest = SystemFile.write(lines, to: descriptor)
      isCut = rest.startIndex > lines.startIndex && lines[rest.startIndex - 1] != Self.end
    }
    return rest.count { $0 == Self.end }
  }
}
