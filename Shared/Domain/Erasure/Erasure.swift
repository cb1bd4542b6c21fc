public import Wire

/// That a player is forgotten (rule 7.3).
///
/// What is the player's alone is removed. In what belongs to others too, another identifier takes
/// the place of the player's: so a roster keeps its seats, and a list its length. It is random, so
/// that it says nothing by itself; who has kept what was there before sees whose place it took.
public struct Erasure: Hashable, Sendable {
  public let player: PlayerID
  /// At the player's own slot, so that what is sent to the player's key goes where it went before.
  public let standIn: PlayerID

  public init(of player: PlayerID, as standIn: PlayerID) {
    precondition(!player.isNil && !standIn.isNil, "the nil player is not erased")
    self.player = player
    self.standIn = standIn
  }

  /// - Parameter next: a random number at each call.
  public init(of player: PlayerID, drawing next: () -> UInt64) {
    let slot = Slot.of(RoutingKey(reinterpreting: player))
    var standIn = player
    while standIn == player || standIn.isNil
      || Slot.of(RoutingKey(reinterpreting: standIn)) != slot
    {
      standIn = PlayerID(high: next(), low: next())
    }
    self.init(of: player, as: standIn)
  }

  /// What brings the player's id back where this one has put the stand-in's.
  var reversed: Erasure { Erasure(of: standIn, as: player) }

  /// The forms in which the player's id is found in bytes, and what takes the place of each.
  var forms: [(old: [UInt8], new: [UInt8])] {
    [
      (player.bytes, standIn.bytes),
      (Array(player.description.utf8), Array(standIn.description.utf8)),
    ]
  }

  /// The same bytes with the stand-in's id in the place of the player's. Their number is the same,
  /// so that whatever they are, they can be read as before.
  public func renamed(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for (old, new) in forms {
      for start in bytes.places(of: old) {
        bytes.replaceSubrange(start..<start + old.count, with: new)
      }
    }
    return bytes
  }

  public func renamed<K>(_ id: Identifier<K>) -> Identifier<K> {
    id == Identifier(reinterpreting: player) ? Identifier(reinterpreting: standIn) : id
  }

  /// True when the row is the player's alone: its key begins with the player.
  public func owns<R: Row>(_ row: R) -> Bool { row.key.keyBytes.starts(with: player.bytes) }

  /// What is left of a row: nil for one that is the player's alone. In any other the stand-in takes
  /// the player's place, and what the player wrote is empty: see `PersonalFields`.
  public func rest<R: Row>(of row: R) -> R? {
    if owns(row) { return nil }
    guard let rest = rest(of: row.encoded, R.shape) else { return nil }
    return try? R(decoding: rest)
  }

  /// What is left of an encoded message; nil when its bytes cannot be read.
  ///
  /// - Parameter nested: the shapes of encoded messages in it: a field `body` of bytes holds the
  /// one whose opcode is in the field `kind`.
  public func rest(
    of message: [UInt8], _ shape: Shape, nested: @escaping (Opcode) -> Shape? = { _ in nil }
  ) -> [UInt8]? {
    MessageEraser(self, nested).rest(of: message, shape)
  }
}

extension [UInt8] {
  /// Where the bytes occur, first to last.
  fileprivate func places(of wanted: [UInt8]) -> [Int] {
    var places: [Int] = []
    var start = 0
    while start + wanted.count <= count {
      if self[start] == wanted[0], self[start..<start + wanted.count].elementsEqual(wanted) {
        places.append(start)
        start += wanted.count
      } else {
        start += 1
      }
    }
    return places
  }
}
