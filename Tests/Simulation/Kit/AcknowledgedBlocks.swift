import Operations
import Wire

/// Whom a client's player blocks for sure: it was told so, and has never taken it back.
struct AcknowledgedBlocks {
  private var held: Set<PlayerID> = []
  private var unblocked: Set<PlayerID> = []

  /// In the order of their identifiers.
  var all: [PlayerID] { held.sorted() }

  func contains(_ player: PlayerID) -> Bool { held.contains(player) }

  mutating func sends(_ opcode: Opcode, _ body: [UInt8]) {
    guard opcode == UnblockPlayer.opcode, let call = try? UnblockPlayer(decoding: body) else {
      return
    }
    unblocked.insert(call.player)
    held.remove(call.player)
  }

  mutating func succeeded(_ opcode: Opcode, _ body: [UInt8]) {
    guard opcode == BlockPlayer.opcode, let call = try? BlockPlayer(decoding: body),
      !unblocked.contains(call.player)
    else { return }
    held.insert(call.player)
  }
}
