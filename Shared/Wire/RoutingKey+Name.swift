extension RoutingKey {
  /// Makes the key of something that a developer named within a game, such as a leaderboard. Equal
  /// names give equal keys everywhere.
  ///
  /// The key is the first half of the SHA-256 of the game's length (four bytes), the game and the
  /// name. It is no secret, but nobody finds a second name for a key: otherwise the names of one
  /// game could take the keys of another's.
  public init(game: String, name: String) {
    var hash = SHA256(game: game)
    for byte in name.utf8 { hash.add(byte) }
    self.init(hash)
  }

  /// Makes the key of a name that is given by its bytes. Whether they are valid text is checked by
  /// whoever decodes the name.
  public init(game: String, name: RawSpan) {
    var hash = SHA256(game: game)
    unsafe name.withUnsafeBytes { name in
      for place in 0..<name.count { hash.add(unsafe name[place]) }
    }
    self.init(hash)
  }

  /// Makes the key of a game as a whole.
  public init(game: String) { self.init(game: game, name: "") }

  private init(_ hash: SHA256) {
    let words = hash.finish()
    self.init(
      high: UInt64(words[0]) << 32 | UInt64(words[1]),
      low: UInt64(words[2]) << 32 | UInt64(words[3]))
  }

  /// Returns where the bytes are of the name at the front of a body; nil when the body does not
  /// begin with one.
  public static func firstName(in body: RawSpan) -> Range<Int>? {
    guard
      case .success(let (count, start)) = Reader.read(body, { ($0.count(), $0.position) })
    else { return nil }
    return start..<start + count
  }
}

extension SHA256 {
  fileprivate init(game: String) {
    self.init()
    let count = UInt32(game.utf8.count)
    for shift in stride(from: 24, through: 0, by: -8) {
      add(UInt8(truncatingIfNeeded: count >> UInt32(shift)))
    }
    for byte in game.utf8 { add(byte) }
  }
}
