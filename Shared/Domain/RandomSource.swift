/// Where a service's chance comes from: the system's in production, a seed in a simulation.
public enum RandomSource: RandomNumberGenerator, Sendable {
  case system
  case seeded(UInt64)

  public mutating func next() -> UInt64 {
    switch self {
    case .system:
      var generator = SystemRandomNumberGenerator()
      return generator.next()
    case .seeded(let state):
      // SplitMix64 (Steele, Lea, Flood 2014): every seed gives a full-period sequence.
      let advanced = state &+ 0x9e37_79b9_7f4a_7c15
      self = .seeded(advanced)
      var mixed = advanced
      mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
      return mixed ^ (mixed >> 31)
    }
  }
}
