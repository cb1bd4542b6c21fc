/// A key that the player has pressed.
package enum Key: Equatable, Sendable {
  case character(Character)
  case up, down, pageUp, pageDown, home, end
  case enter, tab, backspace, escape
  /// Control and C.
  case interrupt
}

/// Takes the bytes of a terminal apart into keys. A sequence and a character may come in pieces.
struct KeyParser {
  private var rest: [UInt8] = []

  /// Whether the bytes so far may be a key by themselves or the beginning of one: the escape key
  /// sends what the arrows begin with. When no more comes within a moment, `flush` decides.
  var isUndecided: Bool { !rest.isEmpty }

  mutating func take(_ bytes: some Sequence<UInt8>) -> [Key] {
    rest += bytes
    var keys: [Key] = []
    while let (key, count) = first() {
      if let key { keys.append(key) }
      rest.removeFirst(count)
    }
    return keys
  }

  /// No more comes: what is left are keys of their own, or nothing that is known.
  mutating func flush() -> [Key] {
    defer { rest = [] }
    return rest.first == 0x1B ? [.escape] : []
  }

  /// The first key and its bytes, nil for a key that is not known; nil while more has to come.
  private func first() -> (Key?, Int)? {
    guard let byte = rest.first else { return nil }
    switch byte {
    case 0x1B: return sequence()
    case 0x03: return (.interrupt, 1)
    case 0x09: return (.tab, 1)
    case 0x0A, 0x0D: return (.enter, 1)
    case 0x08, 0x7F: return (.backspace, 1)
    case 0x00..<0x20: return (nil, 1)
    default: return character(byte)
    }
  }

  private func character(_ byte: UInt8) -> (Key?, Int)? {
    let count =
      switch byte {
      case 0xC2...0xDF: 2
      case 0xE0...0xEF: 3
      case 0xF0...0xF4: 4
      default: 1
      }
    if rest.count < count { return nil }
    guard let text = String(validating: rest[..<count], as: UTF8.self), let character = text.first
    else { return (nil, 1) }
    return (.character(character), count)
  }

  /// `ESC [ 1 ; 5 A` and `ESC O A`: parameters, and a final byte that says which key it is.
  private func sequence() -> (Key?, Int)? {
    guard rest.count > 1 else { return nil }
    guard rest[1] == UInt8(ascii: "[") || rest[1] == UInt8(ascii: "O") else { return (.escape, 1) }
    guard let end = rest.indices.dropFirst(2).first(where: { rest[$0] >= 0x40 }) else { return nil }
    let parameter = rest[2..<end].prefix { $0 != UInt8(ascii: ";") }
    return (Self.key(rest[end], String(decoding: parameter, as: UTF8.self)), end + 1)
  }

  private static func key(_ final: UInt8, _ parameter: String) -> Key? {
    switch (final, parameter) {
    case (UInt8(ascii: "A"), _): .up
    case (UInt8(ascii: "B"), _): .down
    case (UInt8(ascii: "H"), _), (UInt8(ascii: "~"), "1"): .home
    case (UInt8(ascii: "F"), _), (UInt8(ascii: "~"), "4"): .end
    case (UInt8(ascii: "~"), "5"): .pageUp
    case (UInt8(ascii: "~"), "6"): .pageDown
    default: nil
    }
  }
}
