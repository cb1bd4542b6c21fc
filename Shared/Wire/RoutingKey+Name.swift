extension RoutingKey {
  /// Makes the key of something that a developer named within a game, such as a leaderboard. Equal
  /// names give equal keys everywhere. The key is no secret, so a plain 128-bit FNV-1a hash is
  /// enough.
  public init(game: String, name: String) {
    var hash = NameHash(game: game)
    for byte in name.utf8 { hash.mix(byte) }
    self = hash.key
  }

  /// Makes the key of the name at the front of a body; nil when the body does not begin with one.
  /// The name's bytes are taken as they are: whether they are valid text is checked by whoever
  /// decodes the body.
  public init?(game: String, nameInFrontOf body: RawSpan) {
    guard
      case .success(let (count, start)) = Reader.read(body, { ($0.count(), $0.position) })
    else { return nil }
    var hash = NameHash(game: game)
    unsafe body.withUnsafeBytes { body in
      for place in start..<start + count { hash.mix(unsafe body[place]) }
    }
    self = hash.key
  }

  /// Makes the key of a game as a whole.
  public init(game: String) { self.init(game: game, name: "") }
}

/// 128-bit FNV-1a over a game, a zero byte and a name.
private struct NameHash {
  // The offset basis; the prime is 2^88 + 0x13b.
  private var high: UInt64 = 0x6c62_272e_07bb_0142
  private var low: UInt64 = 0x62b8_2175_6295_c58d

  init(game: String) {
    for byte in game.utf8 { mix(byte) }
    mix(0)
  }

  var key: RoutingKey { RoutingKey(high: high, low: low) }

  mutating func mix(_ byte: UInt8) {
    low ^= UInt64(byte)
    let product = low.multipliedFullWidth(by: 0x13b)
    high = high &* 0x13b &+ product.high &+ (low << 24)
    low = product.low
  }
}
