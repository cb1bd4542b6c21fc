/// SplitMix64 (Steele, Lea, Flood 2014), as in the baselines in C++.
package struct SplitMix {
  private var state: UInt64 = 1

  package init() {}

  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  package mutating func below(_ bound: UInt64) -> UInt64 {
    next().multipliedFullWidth(by: bound).high
  }
  package mutating func value() -> Int64 { Int64(bitPattern: next()) }
}
