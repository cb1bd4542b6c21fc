import Domain
import Operations
import Wire

/// A seat of a running match, as long as the process lives.
///
/// It also tells a receiver who takes no data from one to whom none was sent. It believes neither
/// side: data counts when its number follows on what was passed on before, so a sender cannot make
/// a receiver owe what it cannot acknowledge; and an acknowledgement counts up to there.
struct LiveSeat {
  /// The reliable data of one sender on its way to this seat.
  struct Line {
    /// The last number that was passed on.
    var passedOn: UInt64 = 0
    var acknowledged: UInt64 = 0
    /// Since when something waits to be acknowledged and nothing was; nil when nothing does.
    var waitsSince: Int64?
    /// What the sender is to be told: an acknowledgement that it has not heard of.
    var receipt: UInt64?
  }

  /// Nil while the seat is for whoever comes.
  var player = PlayerID()
  /// The client that has the seat; 0 until it joins in this life of the process.
  var client: UInt64 = 0
  /// The version of the roster with which the client took the seat.
  var since: UInt32 = 0
  var channel: Channel?
  /// What a player without a connection, or without acknowledgements, has left.
  var grace: GraceTime?
  /// Whether the grace time runs because the player acknowledges nothing.
  var isSilent = false
  /// Milliseconds; 0 when it is not known.
  var latency: UInt32 = 0
  /// By the sender's place; empty until data has come.
  private var lines: [Line] = []

  init(player: PlayerID) { self.player = player }

  /// Another client has the seat. What waits for an acknowledgement waits on: a player who only
  /// changes clients acknowledges nothing either.
  mutating func begin(_ player: PlayerID) {
    if self.player != player { self = LiveSeat(player: player) }
    latency = 0
    for place in lines.indices {
      lines[place].passedOn = 0
      lines[place].acknowledged = 0
      lines[place].receipt = nil
    }
  }

  /// The client that sent begins anew, or has gone.
  mutating func forget(sender place: Int) {
    if lines.indices.contains(place) { lines[place] = Line() }
  }

  private mutating func makeLine(_ place: Int) {
    while lines.count <= place { lines.append(Line()) }
  }

  /// A piece from the sender at a place is passed on.
  mutating func pass(_ number: UInt64, from place: Int, now: Int64) {
    makeLine(place)
    guard number > lines[place].acknowledged, number <= lines[place].passedOn &+ 1 else { return }
    lines[place].passedOn = max(lines[place].passedOn, number)
    if lines[place].waitsSince == nil { lines[place].waitsSince = now }
  }

  /// The seat's client has received all of a sender's data up to a number.
  mutating func acknowledge(through number: UInt64, from place: Int, now: Int64) {
    makeLine(place)
    lines[place].receipt = max(lines[place].receipt ?? 0, number)
    guard number > lines[place].acknowledged, number <= lines[place].passedOn else { return }
    lines[place].acknowledged = number
    lines[place].waitsSince = number == lines[place].passedOn ? nil : now
  }

  /// The client says with its return how far it has come.
  ///
  /// - Parameter isRevived: whether the process has started since, and knows nothing of it.
  mutating func resume(through number: UInt64, from place: Int, isRevived: Bool, now: Int64) {
    makeLine(place)
    if isRevived { lines[place].passedOn = max(lines[place].passedOn, number) }
    acknowledge(through: number, from: place, now: now)
    lines[place].receipt = nil
  }

  mutating func takeReceipt(from place: Int) -> UInt64? {
    guard lines.indices.contains(place) else { return nil }
    defer { lines[place].receipt = nil }
    return lines[place].receipt
  }

  /// Whether a connected player's data has waited for too long to be acknowledged.
  ///
  /// - Parameter connected: the senders who can repeat it, by the bits of their places.
  func isStuck(since time: Int64, connected: UInt16) -> Bool {
    for place in lines.indices where connected & 1 << place != 0 {
      if let since = lines[place].waitsSince, since <= time { return true }
    }
    return false
  }
}
