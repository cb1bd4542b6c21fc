import Foundation

/// The number as it goes to the others: 8 bytes, the most significant first.
enum CounterNumber {
  static func data(_ number: Int) -> Data {
    unsafe withUnsafeBytes(of: number.bigEndian) { unsafe Data($0) }
  }

  /// Nil for what is no number.
  static func number(_ data: Data) -> Int? {
    guard data.count == MemoryLayout<Int>.size else { return nil }
    return unsafe data.withUnsafeBytes { unsafe $0.loadUnaligned(as: Int.self).bigEndian }
  }
}
