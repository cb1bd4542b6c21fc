/// Bounds what the queues of many connections hold together, on one loop.
///
/// Each may hold as much as a peer is behind that has a bad line; a thousand that read nothing on
/// purpose would hold more than the process has. Past the bound, those that hold most are closed:
/// strangers first, so that no number of them pushes out a player who is behind.
final class QueueBound {
  /// What a stranger holds at least who goes before players: no sign-in is as large.
  static let strangerBytesMin = 16 << 10
  /// Connections that are closed in one turn: each takes up to 0.3 ms, as the system has to drop
  /// what it holds for the peer, too.
  static let closesPerTurnMax = 8

  private unowned let loop: Loop
  private let bytesMax: Int
  /// Bytes of the blocks that the queues have, and of live data that waits.
  private(set) var byteCount = 0
  private var isAboutToRelieve = false

  init(on loop: Loop, bytesMax: Int) {
    self.loop = loop
    self.bytesMax = bytesMax
  }

  func count(_ change: Int) {
    byteCount += change
    if byteCount <= bytesMax || isAboutToRelieve { return }
    isAboutToRelieve = true
    // After the next flush, which most of it may leave with.
    loop.atEndOfTurn { [self] in
      loop.atEndOfTurn { [self] in
        isAboutToRelieve = byteCount > bytesMax
        if isAboutToRelieve { relieve() }
      }
    }
  }

  /// Strangers that hold something go before players; one that holds next to nothing has not
  /// crowded anybody.
  private static func rank(of connection: Connection) -> Int {
    connection.receiver?.isStranger == true && connection.heldBytes >= strangerBytesMin ? 1 : 0
  }

  /// Leaves three quarters: to close one at a time would be a look at all for each. Goes on in the
  /// next turn, with those who hold most by then.
  private func relieve() {
    let most = bytesMax / 4 * 3
    var left = byteCount
    let holders = loop.connections.all.filter { $0.queueBound === self }
      .map { (connection: $0, rank: Self.rank(of: $0), bytes: $0.heldBytes) }
      .sorted { ($0.rank, $0.bytes) > ($1.rank, $1.bytes) }
      .prefix(Self.closesPerTurnMax)
    for holder in holders where left > most {
      left -= holder.bytes
      holder.connection.close(.crowdedOut)
    }
    isAboutToRelieve = left > most && !holders.isEmpty
    if isAboutToRelieve { loop.atEndOfTurn { [self] in relieve() } }
  }
}
