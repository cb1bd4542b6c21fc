import Domain
import Operations
import Wire

/// A seat of a running match, as long as the process lives.
struct LiveSeat {
  /// Nil while the seat is for whoever comes.
  var player = PlayerID()
  /// The client that has the seat; 0 until it joins in this life of the process.
  var client: UInt64 = 0
  /// The version of the roster with which the client took the seat.
  var since: UInt32 = 0
  var channel: Channel?
  /// What a player without a connection, or without acknowledgements, has left.
  var grace: GraceTime?
  /// Since when the player has acknowledged nothing, while the grace time runs for that.
  var silentSince: Int64?
  var isSilent: Bool { silentSince != nil }
  /// When the present connection began.
  var connectedAt: Int64 = 0
  /// Connections that the seat may still have.
  var connects = TokenBucket()
  /// Milliseconds; 0 when it is not known.
  var latency: UInt32 = 0
  /// What comes to this seat, by the sender's place; empty until data has come.
  private var lines: [ReliableLine] = []

  init(player: PlayerID) { self.player = player }

  /// A client has the seat on another connection. What was owed before is remembered: a player who
  /// only changes connections or clients acknowledges nothing either.
  ///
  /// - Parameter settlesAt: until when the connection is judged by that.
  mutating func begin(_ player: PlayerID, isNewClient: Bool, now: Int64, settlesAt: Int64) {
    if self.player != player {
      let connects = connects
      self = LiveSeat(player: player)
      self.connects = connects
    }
    connectedAt = now
    if isNewClient { latency = 0 }
    for place in lines.indices {
      lines[place].restart(isNewClient: isNewClient, settlesAt: settlesAt)
    }
  }

  /// The client that sent begins anew, or has gone.
  mutating func forget(sender place: Int) {
    if lines.indices.contains(place) { lines[place] = ReliableLine() }
  }

  private mutating func makeLine(_ place: Int) {
    while lines.count <= place { lines.append(ReliableLine()) }
  }

  /// A piece comes from the sender at a place. Returns whether to pass it on.
  mutating func pass(_ number: UInt64, size: Int, from place: Int, now: Int64) -> Bool {
    makeLine(place)
    return lines[place].pass(number, size: size, now: now)
  }

  /// The seat's client has received all of a sender's data up to a number. Returns whether the
  /// sender is to be told.
  mutating func acknowledge(
    through number: UInt64, from place: Int, tellsAgain: Bool, now: Int64
  ) -> Bool {
    makeLine(place)
    return lines[place].acknowledge(through: number, tellsAgain: tellsAgain, now: now)
  }

  func hasReceipt(from place: Int) -> Bool { lines[place].hasReceipt }

  mutating func takeReceipt(from place: Int) -> UInt64? {
    lines.indices.contains(place) ? lines[place].takeReceipt() : nil
  }

  mutating func tellAgain(sender place: Int) {
    if lines.indices.contains(place) { lines[place].tellAgain() }
  }

  /// Since when a connected player's data has waited to be acknowledged.
  ///
  /// - Parameter connected: the senders who can repeat it, by the bits of their places.
  func lateSince(_ now: Int64, connected: UInt16) -> Int64? {
    lines.indices.filter { connected & 1 << $0 != 0 }.compactMap { lines[$0].lateSince(now) }.min()
  }

  /// As `lateSince`, but what was owed over the connection before counts for a while.
  func owesSince(_ now: Int64, connected: UInt16) -> Int64? {
    lines.indices.filter { connected & 1 << $0 != 0 }.compactMap { lines[$0].owesSince(now) }.min()
  }
}
