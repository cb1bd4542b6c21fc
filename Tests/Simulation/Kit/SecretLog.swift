import Wire

/// Bytes that only one player may be told, or nobody until a sealed round is revealed: whatever
/// clients are told is searched for them.
final class SecretLog {
  struct Secret {
    var player: PlayerID
    /// Who may be told besides.
    var others: [PlayerID]
    /// Of a sealed move: it may be told once its round is revealed.
    var isSealed: Bool
    /// When another player was first told of it, in the simulation's milliseconds.
    var toldAt: Int64?
  }

  private static let mark: [UInt8] = [0xfa, 0xce, 0x5e, 0xc2]
  private(set) var all: [Secret] = []

  /// Returns twelve bytes that nothing else has.
  func secret(
    of player: PlayerID, and others: [PlayerID] = [], isSealed: Bool = false
  ) -> [UInt8] {
    all.append(Secret(player: player, others: others, isSealed: isSealed))
    var writer = Writer()
    writer.integer(UInt64(all.count))
    return Self.mark + writer.bytes
  }

  func secret(in bytes: [UInt8]) -> Secret? { numbers(in: bytes).first.map { all[$0] } }

  /// Looks through what a player is told. Returns what is wrong with it.
  func look(_ bytes: [UInt8], told player: PlayerID, now: Int64) -> String? {
    var fault: String?
    for number in numbers(in: bytes)
    where all[number].player != player && !all[number].others.contains(player) {
      if all[number].toldAt == nil { all[number].toldAt = now }
      if !all[number].isSealed {
        fault = "1.11 \(player) was told what \(all[number].player) keeps hidden"
      }
    }
    return fault
  }

  private func numbers(in bytes: [UInt8]) -> [Int] {
    guard bytes.count >= 12, !all.isEmpty else { return [] }
    var found: [Int] = []
    for start in 0...bytes.count - 12
    where bytes[start] == 0xfa && bytes[start..<start + 4].elementsEqual(Self.mark) {
      let number = bytes[start + 4..<start + 12].reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
      if let index = Int(exactly: number), (1...all.count).contains(index) {
        found.append(index - 1)
      }
    }
    return found
  }
}
