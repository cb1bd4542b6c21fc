public import Wire

/// A board filled with players for measuring. Ids and values follow from the players' numbers
/// alone, so that the program that fills the board and the one that asks need not tell each other.
public enum FilledBoard {
  /// The id of a player from 0 on. Ids rise with their numbers, which is the order in which a store
  /// is written fastest, and are as even as ids made by chance.
  public static func player(_ number: Int) -> PlayerID {
    let mixed = mixed(UInt64(number))
    return PlayerID(high: UInt64(number) << 32 | mixed >> 32, low: Self.mixed(mixed))
  }

  /// Uniform over all values.
  public static func value(_ number: Int) -> Int64 {
    Int64(bitPattern: mixed(~UInt64(number)))
  }

  /// SplitMix64 (Steele, Lea, Flood 2014) at a place of its sequence.
  private static func mixed(_ place: UInt64) -> UInt64 {
    var mixed = (place &+ 1) &* 0x9e37_79b9_7f4a_7c15
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
