/// Shortens keys of 128 bits to codes of 15, for the keys between two given ones.
///
/// A greater key never has a smaller code, whatever the frame. So a search among codes narrows a
/// key down to the cells of equal code, and compares whole keys for these only. A frame that fits
/// badly costs comparisons, but never gives a wrong answer. Keys outside the frame get the least or
/// the greatest code.
struct KeyFrame: BitwiseCopyable {
  var base: UInt128
  var shift: UInt8

  static let codeMax: Int16 = .max - 1
  /// The code of a cell that is not in use; it is above every other.
  static let unused: Int16 = .max

  /// Spreads the codes over the keys from `first` to `last`, which must not be below it.
  init(from first: RankKey, through last: RankKey) {
    base = first.bits
    let width = UInt128.bitWidth - (last.bits - first.bits).leadingZeroBitCount
    shift = UInt8(max(0, width - 15))
  }

  @inline(__always)
  func code(of key: RankKey) -> Int16 {
    let distance = (key.bits &- base) &>> UInt128(shift)
    let clamped = Int16(truncatingIfNeeded: min(distance, UInt128(Self.codeMax)))
    return key.bits < base ? 0 : clamped
  }

  /// Returns how many codes are below a code.
  ///
  /// It always looks at all cells, and takes the sign of a difference instead of comparing, because
  /// a loop of fixed length without a branch becomes a few vector instructions. A search that stops
  /// early costs more: the processor guesses its branches wrong. No difference overflows: codes are
  /// at least -1, and the code to compare with is from 0 to `codeMax`.
  @inline(__always)
  static func count(below code: Int16, in codes: UnsafePointer<Int16>, capacity: Int) -> Int {
    var below: Int16 = 0
    for slot in 0..<capacity { below &-= unsafe (codes[slot] &- code) &>> 15 }
    return Int(below)
  }
}
