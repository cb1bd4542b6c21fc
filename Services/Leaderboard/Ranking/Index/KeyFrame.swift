/// Makes 15 bits of a key's 128, for the keys between two of a node.
///
/// A code never falls when its key rises, whatever the frame, so a search among codes narrows a key
/// down to the cells of equal code, and only for these are whole keys compared. A frame that fits
/// badly costs comparisons, never correctness. Keys outside of the frame get the least or the
/// greatest code.
struct KeyFrame: BitwiseCopyable {
  var base: UInt128
  var shift: UInt8

  static let codeMax: Int16 = .max - 1
  /// Of a cell that is not in use: above every code.
  static let unused: Int16 = .max

  /// Spreads the codes over the keys from one to another that is not below it.
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

  /// How many codes are below a code.
  ///
  /// Always looks at all cells, and takes the sign of a difference instead of comparing: a loop of
  /// fixed length without a branch becomes a few vector instructions. A search that stops early costs
  /// more, by the guesses of the processor that go wrong. No difference overflows: codes are from -1
  /// on, and the one looked for is from 0 to `codeMax`.
  @inline(__always)
  static func count(below code: Int16, in codes: UnsafePointer<Int16>, capacity: Int) -> Int {
    var below: Int16 = 0
    for slot in 0..<capacity { below &-= unsafe (codes[slot] &- code) &>> 15 }
    return Int(below)
  }
}
