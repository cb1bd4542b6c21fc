import KillRounds
import MusterKit
import Wire

/// A player of the counter whose players add at the same time: it sends signed differences of eight
/// bytes to all others, and its number is the sum of what it sent and received.
actor DeltaPlayer {
  struct Ended: Error {
    var number: Int64
    var reason: MatchEnd
  }

  private let match: Match
  private(set) var number: Int64 = 0
  private var end: MatchEnd?
  /// Whoever waits for something to be so.
  private var waiter: CheckedContinuation<Void, Never>?

  init(_ match: Match) { self.match = match }

  /// Follows the match until it ends.
  func follow() async {
    for await event in match.events {
      switch event {
      case .data(_, let bytes, _): take(bytes)
      case .ended(let reason): end = reason
      case .playerChanged, .messageLost: break
      }
      wake()
    }
  }

  private func take(_ bytes: [UInt8]) {
    var difference: UInt64 = 0
    for byte in bytes { difference = difference << 8 | UInt64(byte) }
    number += Int64(bitPattern: difference)
  }

  private func wake() {
    let waiting = waiter
    waiter = nil
    waiting?.resume()
  }

  private func untilSomethingHappens() async { await withCheckedContinuation { waiter = $0 } }

  /// Waits until all players have joined: what is sent before reaches those alone who have.
  func untilBegun() async {
    while match.expectedPlayerCount > 0 && end == nil { await untilSomethingHappens() }
  }

  /// Waits until the number is `wanted`; fails where the match ends before.
  func until(_ wanted: Int64) async -> Result<Void, Ended> {
    while number != wanted {
      if let end { return .failure(Ended(number: number, reason: end)) }
      await untilSomethingHappens()
    }
    return .success(())
  }

  /// Adds `difference` and tells the others, as soon as there is room for it.
  func add(_ difference: Int64) async throws {
    while try await !send(difference) { try await Moments.pause(.milliseconds(5)) }
    number += difference
    wake()
  }

  /// Sends a difference; false while the buffer for a receiver is full.
  private func send(_ difference: Int64) async throws -> Bool {
    var bytes: [UInt8] = []
    for shift in stride(from: 56, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: difference >> Int64(shift)))
    }
    do throws(MusterError) {
      try await match.sendReliable(bytes)
      return true
    } catch {
      if error.code == .backpressure { return false }
      throw error
    }
  }
}
