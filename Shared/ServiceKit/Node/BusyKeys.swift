import Wire

/// Which key takes most of the loop's time, found by measuring one command in sixteen: the others
/// cost an addition.
///
/// Sixteen keys are counted (the "space-saving" algorithm of Metwally, Agrawal and El Abbadi): a
/// key that is not among them takes the place of the least, and counts on from its sum. So a key
/// with more than a sixteenth of all is always among them, and none is told as less than it is.
struct BusyKeys {
  static let keptMax = 16
  static let sampledOneIn: UInt64 = 16

  struct Place: Equatable {
    var key: RoutingKey
    var opcode: Opcode
    var microseconds: UInt64
    /// Whether a command has come to it as to something of a game: see `Routing.isOfGame`.
    var isOfGame = false
  }

  private var places: [Place] = []
  private var commandCount: UInt64 = 0

  /// Whether this command is to be measured.
  mutating func takesNext() -> Bool {
    commandCount &+= 1
    return commandCount % Self.sampledOneIn == 0
  }

  /// Adds what a measured command took, for all of which it stands.
  mutating func add(
    _ key: RoutingKey, _ opcode: Opcode, _ microseconds: UInt64, isOfGame: Bool = false
  ) {
    let amount = microseconds * Self.sampledOneIn
    if let place = places.firstIndex(where: { $0.key == key }) {
      places[place].microseconds += amount
      places[place].opcode = opcode
      // Timers of a board are not routed by its name: calls of the same minute are.
      if isOfGame { places[place].isOfGame = true }
    } else if places.count < Self.keptMax {
      places.append(
        Place(key: key, opcode: opcode, microseconds: amount, isOfGame: isOfGame))
    } else if let least = places.indices.min(by: {
      places[$0].microseconds < places[$1].microseconds
    }) {
      places[least] = Place(
        key: key, opcode: opcode, microseconds: places[least].microseconds + amount,
        isOfGame: isOfGame)
    }
  }

  /// The key that took most since this was asked last.
  mutating func takeBusiest() -> Place? {
    defer { places.removeAll(keepingCapacity: true) }
    return places.max { $0.microseconds < $1.microseconds }
  }
}

extension Routing {
  /// Whether the key is the game's, or that of something which its developer has named, such as a
  /// board. Any other may be a player's.
  var isOfGame: Bool { self == .firstName || self == .game }
}

extension BusyKeys.Place {
  /// Says that the key takes most of the loop. One that may be a player's is told at `debug` alone,
  /// and its slot in its place.
  func tell(_ log: Log, operation: String, permille: UInt64) {
    let event = "one key takes most of the loop"
    if isOfGame {
      // As SQLite has it: the page of incidents says how to read whose it is.
      log.warning(
        event,
        [
          "operation": operation, "key": Hexadecimal.text(key.bytes), "permille": "\(permille)",
        ])
    } else {
      log.warning(
        event,
        ["operation": operation, "slot": "\(Slot.of(key))", "permille": "\(permille)"])
      log.debug("the key that takes most of the loop", ["key": "\(key)"])
    }
  }
}
