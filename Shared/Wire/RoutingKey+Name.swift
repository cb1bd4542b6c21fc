extension RoutingKey {
  /// The key of something that a developer named within a game, such as a leaderboard. It is no
  /// secret, so a plain 128-bit FNV-1a hash does; equal names give equal keys everywhere.
  public init(game: String, name: String) {
    // The offset basis and prime of 128-bit FNV-1a; the prime is 2^88 + 0x13b.
    var high: UInt64 = 0x6c62_272e_07bb_0142
    var low: UInt64 = 0x62b8_2175_6295_c58d
    func mix(_ byte: UInt8) {
      low ^= UInt64(byte)
      let product = low.multipliedFullWidth(by: 0x13b)
      high = high &* 0x13b &+ product.high &+ (low << 24)
      low = product.low
    }
    for byte in game.utf8 { mix(byte) }
    mix(0)
    for byte in name.utf8 { mix(byte) }
    self.init(high: high, low: low)
  }

  /// The key of what belongs to a game as a whole.
  public init(game: String) { self.init(game: game, name: "") }
}
