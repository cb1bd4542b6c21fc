/// The key by which a board sorts its entries; a smaller key has a better rank.
///
/// `order` is the value, turned around on a board where high values come first, so that one
/// comparison serves both orders. `tie` is the entry's arrival. The server's dates never go back,
/// so it sorts equal values by date and then by arrival. Both are held as one number of 128 bits,
/// which is compared without a branch.
package struct RankKey: Hashable, Comparable, BitwiseCopyable, Sendable {
  var bits: UInt128

  init(bits: UInt128) { self.bits = bits }

  package init(order: Int64, tie: UInt64) {
    let unsigned = UInt64(bitPattern: order) ^ 1 << 63
    bits = UInt128(unsigned) << 64 | UInt128(tie)
  }

  package var order: Int64 {
    Int64(bitPattern: UInt64(truncatingIfNeeded: bits >> 64) ^ 1 << 63)
  }
  package var tie: UInt64 {
    get { UInt64(truncatingIfNeeded: bits) }
    set { bits = (bits >> 64) << 64 | UInt128(newValue) }
  }

  package static func < (left: Self, right: Self) -> Bool { left.bits < right.bits }
}
