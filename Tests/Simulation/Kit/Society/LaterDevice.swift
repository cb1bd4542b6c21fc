import MusterKit
import Operations
import Wire

/// A device that is not its player's first: it signs up by an identity, is switched off for as long
/// as it likes, and has a place of its own in the player's stream.
struct LaterDevice {
  /// The provider's name for its player.
  var subject = ""
  var isAway = false
  /// It has signed out: nothing is kept for it until it signs in.
  var hasLeft = false
  /// Up to here it may have missed something for that, or because it was far behind.
  private(set) var excusedThrough: UInt64 = 0
  /// Up to here it has acknowledged everything, for all it knows.
  private(set) var acknowledged: UInt64 = 0

  mutating func began(_ started: SessionStarted, acknowledged: UInt64) {
    self.acknowledged = max(self.acknowledged, started.acknowledged)
    if hasLeft { excusedThrough = started.streamEnd }
    hasLeft = false
  }

  /// A call has succeeded.
  ///
  /// - Parameters:
  ///   - newest: where the stream ends.
  ///   - lagMax: how far a device may be behind that.
  mutating func succeeded(_ opcode: Opcode, _ body: [UInt8], newest: UInt64, lagMax: UInt64) {
    guard opcode == Acknowledge.opcode, let call = try? Acknowledge(decoding: body) else { return }
    // It may have been left behind before.
    if newest > acknowledged + lagMax { excusedThrough = newest }
    acknowledged = max(acknowledged, call.through)
  }
}

extension SimulatedClient {
  /// Says what is wrong with a loss that a device was told of: an event is kept until all devices
  /// have acknowledged it, or it is too old.
  func judge(_ missed: ClosedRange<UInt64>) -> String? {
    guard let device else { return "\(player) has missed \(missed)" }
    let newest = streamCount
    if newest - device.acknowledged > deployment.deviceLag {
      deployment.count(.devicesLeftBehind)
      return nil
    }
    if missed.upperBound <= device.excusedThrough { return nil }
    deployment.count(.devicesThatMissedOldEvents)
    let isOld = deployment.ledger.streams.isOld(
      missed.upperBound, of: player, at: deployment.requestClock + Self.clockErrorMax)
    return isOld ? nil : "2.8 a device of \(player) has missed \(missed) of \(newest)"
  }

  /// How many events the player's stream has had.
  var streamCount: UInt64 { UInt64(deployment.ledger.streams.streams[player]?.events.count ?? 0) }

  /// By how much a process's clock may be wrong, in milliseconds.
  private static let clockErrorMax: Int64 = 12 * 3_600_000

  func spoiled(_ started: SessionStarted) -> SessionStarted {
    var started = started
    if deployment.options.canary == .untoldLoss { started.removedThrough = 0 }
    return started
  }

  func spoiled(_ reply: ReadEvents.Reply) -> ReadEvents.Reply {
    var reply = reply
    if deployment.options.canary == .untoldLoss { reply.removedThrough = 0 }
    return reply
  }
}
