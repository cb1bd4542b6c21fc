import Wire

/// Remembers the keys of the names that calls began with last. Most calls are about few boards, and
/// finding a name takes a fraction of the time of hashing it.
///
/// Each name has one place, where the last of those that share it stays.
struct NameKeys {
  /// A new place holds the key of no name in no game.
  private struct Place {
    var game = ""
    var name: [UInt8] = []
    var key = RoutingKey(game: "")

    func holds(_ game: String, _ name: RawSpan) -> Bool {
      unsafe self.game == game && name.withUnsafeBytes { unsafe $0.elementsEqual(self.name) }
    }
  }

  private static let placeCount = 256
  /// The most bytes of a name that is remembered, which bounds the memory that a client can take.
  /// No service accepts a longer name.
  private static let nameSizeMax = 128

  private var places = [Place](repeating: Place(), count: Self.placeCount)

  /// Returns the key of a name in a game, as `RoutingKey(game:name:)` makes it.
  mutating func key(game: String, name: RawSpan) -> RoutingKey {
    guard name.byteCount <= Self.nameSizeMax else { return RoutingKey(game: game, name: name) }
    let place = Self.place(game, name)
    if !places[place].holds(game, name) {
      places[place] = Place(
        game: game, name: [UInt8](copying: name), key: RoutingKey(game: game, name: name))
    }
    return places[place].key
  }

  /// The hash of both, scaled down. Whoever chooses names that share a place makes
  /// their calls slower, and nothing else.
  private static func place(_ game: String, _ name: RawSpan) -> Int {
    var hash = FNVHash()
    hash.add(game.utf8)
    hash.add(name)
    return Int(hash.value % UInt64(placeCount))
  }
}
