import KillRounds
import MusterKit
import Wire

/// A player of the counter whose players add at the same time: it sends signed differences of eight
/// bytes to all others, and its number is the sum of what it sent and received. A player's last
/// message is a difference of 0.
actor DeltaPlayer {
  /// The match has ended too early, or nothing has come for too long.
  struct Ended: Error {
    var report: Report
    var reason: MatchEnd?
  }

  /// What the player has, and of how many others a last message has come.
  struct Report: Sendable {
    var number: Int64 = 0
    var others: Int
    var lastOf: Set<PlayerID> = []
    /// Messages that came twice, out of order or not at all.
    var faults: [String] = []

    var isWhole: Bool { lastOf.count == others && faults.isEmpty }
  }

  private let match: Match
  private(set) var report: Report
  private(set) var eventCount = 0
  private var end: MatchEnd?
  private var hasGivenUp = false
  /// Whoever waits for something to be so.
  private var waiter: CheckedContinuation<Void, Never>?

  init(_ match: Match, of playerCount: Int) {
    self.match = match
    report = Report(others: playerCount - 1)
  }

  /// Follows the match until it ends.
  func follow() async {
    for await event in match.events {
      eventCount += 1
      switch event {
      case .data(let sender, let bytes, _): take(bytes, from: sender)
      case .ended(let reason): end = reason
      case .messageLost(let sender): report.faults.append("a lost message of \(sender)")
      case .playerChanged: break
      }
      wake()
    }
  }

  private func take(_ bytes: [UInt8], from sender: PlayerID) {
    var bits: UInt64 = 0
    for byte in bytes { bits = bits << 8 | UInt64(byte) }
    let difference = Int64(bitPattern: bits)
    if report.lastOf.contains(sender) {
      report.faults.append("\(difference) of \(sender) behind its last message")
    }
    if difference == 0 { report.lastOf.insert(sender) }
    report.number += difference
  }

  // MARK: Waiting

  /// Ends all waiting: nothing comes any more.
  func giveUp() {
    hasGivenUp = true
    wake()
  }

  private func wake() {
    let waiting = waiter
    waiter = nil
    waiting?.resume()
  }

  private func wait(while isMissing: () -> Bool) async throws {
    while isMissing() {
      try goOn()
      await withCheckedContinuation { waiter = $0 }
    }
  }

  private func goOn() throws {
    if end != nil || hasGivenUp { throw Ended(report: report, reason: end) }
  }

  /// Waits until all players have joined: what is sent before reaches those alone who have.
  func untilBegun() async throws { try await wait { match.expectedPlayerCount > 0 } }

  /// Waits until the last messages of all others have come.
  func untilLast() async throws { try await wait { report.lastOf.count < report.others } }

  // MARK: Sending

  /// Adds `difference` and tells the others, as soon as there is room for it.
  func add(_ difference: Int64) async throws {
    while try await !send(difference) {
      try goOn()
      try await Moments.pause(.milliseconds(5))
    }
    report.number += difference
  }

  func sayLast() async throws { try await add(0) }

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
