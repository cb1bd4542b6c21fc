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
  }

  private var places: [Place] = []
  private var commandCount: UInt64 = 0

  /// Whether this command is to be measured.
  mutating func takesNext() -> Bool {
    commandCount &+= 1
    return commandCount % Self.sampledOneIn == 0
  }

  /// Adds what a measured command took, for all of which it stands.
  mutating func add(_ key: RoutingKey, _ opcode: Opcode, _ microseconds: UInt64) {
    let amount = microseconds * Self.sampledOneIn
    if let place = places.firstIndex(where: { $0.key == key }) {
      places[place].microseconds += amount
      places[place].opcode = opcode
    } else if places.count < Self.keptMax {
      places.append(Place(key: key, opcode: opcode, microseconds: amount))
    } else if let least = places.indices.min(by: {
      places[$0].microseconds < places[$1].microseconds
    }) {
      places[least] = Place(
        key: key, opcode: opcode, microseconds: places[least].microseconds + amount)
    }
  }

  /// The key that took most since this was asked last.
  mutating func takeBusiest() -> Place? {
    defer { places.removeAll(keepingCapacity: true) }
    return places.max { $0.microseconds < $1.microseconds }
  }
}
