public import Wire

/// Which players the rows of a table are about: an export finds them by this (rule 7.3).
public enum RowSubjects: Sendable {
  /// The players in the row's fields of type `PlayerID`, at any depth. Players within its bytes and
  /// keys are found too.
  case playersInFields
  /// The players whose ids are within bytes, texts or routing keys: the row has no field for a
  /// player.
  case playersInBytes
  /// No player: from the row alone, nothing in it can be traced to one.
  case nobody

  /// Whether the rows belong into an export, and are looked through by an erasure.
  var arePlayers: Bool { self != .nobody }

  /// Traps when the row's fields contradict the choice.
  func check<R: Row>(_ type: R.Type) {
    let players = R.shape.contains { $0 == .identifier(PlayerKind.name) }
    let opaque = R.shape.contains {
      [.scalar("Bytes"), .scalar("String"), .identifier(RoutingKind.name)].contains($0)
    }
    switch self {
    case .playersInFields:
      precondition(players, "\(R.tableName) does not say which players its rows are about")
    case .playersInBytes:
      precondition(opaque && !players, "\(R.tableName) has no bytes, or fields, for players")
    case .nobody:
      precondition(!players, "\(R.tableName) has players and is said to be about nobody")
    }
  }
}

extension Shape {
  fileprivate func contains(where isWanted: (Shape) -> Bool) -> Bool {
    if isWanted(self) { return true }
    return switch self {
    case .message(_, let fields, _): fields.contains { $0.shape.contains(where: isWanted) }
    case .optional(let inner), .list(let inner): inner.contains(where: isWanted)
    case .scalar, .identifier, .enumeration: false
    }
  }
}

/// Finds a player's id among the bytes of rows, wherever it is: in a field, in a message that is
/// kept encoded, in a key made of it, or as text.
///
/// The search is exact: ids are 128 random bits, so no other bytes are equal to them.
public struct PlayerTrace: Sendable {
  private let forms: [[UInt8]]

  /// - Precondition: `player` is not the nil identifier, whose bytes are in many rows.
  public init(_ player: PlayerID) {
    precondition(!player.isNil, "no row is about the nil player")
    forms = [player.bytes, Array(player.description.utf8)]
  }

  package func isIn(_ row: [UInt8]) -> Bool { forms.contains { row.contains(sequence: $0) } }
}

extension [UInt8] {
  /// - Precondition: `wanted` is not empty.
  package func contains(sequence wanted: [UInt8]) -> Bool {
    var start = 0
    while start + wanted.count <= count {
      // Nearly every start ends at its first byte.
      if self[start] == wanted[0], self[start..<start + wanted.count].elementsEqual(wanted) {
        return true
      }
      start += 1
    }
    return false
  }
}
