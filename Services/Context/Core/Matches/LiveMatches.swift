package import Domain
import Operations
import Wire

extension NumberSetting {
  package static let matchGrace = NumberSetting(
    "match-grace-seconds", .seconds, default: 30, 1...3600,
    "How long a player whose connection is gone, or who takes no data, keeps its seat in a match. "
      + "Clients keep 4,096 pieces and 4 MiB for such a player: over a minute at 60 small pieces a "
      + "second, less for large ones, and then nothing reliable is sent to all.")
}

/// What is known of running matches only while the process lives: connections, grace times, and how
/// far reliable data has come.
struct LiveMatches {
  struct Match {
    let game: String
    let incarnation: UInt64
    var hasBegun = false
    /// Counts the changes of the seats in this incarnation.
    var version: UInt32 = 0
    /// By place, as in the roster.
    var seats: [LiveSeat]
    /// Senders who are to be told of acknowledgements, by the bits of their places.
    var owed: UInt16 = 0
    /// When it was last looked for players who take no data.
    var lookedAt: Int64 = 0
  }

  let graceMilliseconds: Int64
  private(set) var matches: [ContextID: Match] = [:]
  /// The matches that each connection has a seat in.
  private var contextsByChannel: [Channel: [ContextID]] = [:]
  /// Seats that clients have taken, by player.
  private(set) var seatCounts: [PlayerID: Int] = [:]

  init(graceMilliseconds: Int64) { self.graceMilliseconds = graceMilliseconds }

  /// How long nothing may move before the rest of the grace time begins to run.
  var silenceMax: Int64 { graceMilliseconds / 3 }
  /// How long a connection is judged by what was owed before it: time for senders to repeat that,
  /// and little beside the grace time, so that it decides for nobody who takes what comes.
  private var settleMilliseconds: Int64 { min(graceMilliseconds / 10, 3000) }

  subscript(context: ContextID) -> Match? {
    _read { yield matches[context] }
    _modify { yield &matches[context] }
  }

  /// Changes a match where it lies, or reads it there: live data passes here. Returns nil where
  /// there is none.
  ///
  /// Inlined: what the closure uses would otherwise be copied into it.
  @inline(__always)
  mutating func change<Result>(
    _ context: ContextID, _ body: (inout Match) throws(Stop) -> Result?
  ) throws(Stop) -> Result? {
    guard let index = matches.index(forKey: context) else { return nil }
    return try body(&matches.values[index])
  }

  /// Begins the memory of a match whose players have no connections.
  mutating func start(_ match: MatchRow, game: String, incarnation: UInt64) {
    let seats = match.seats.map { LiveSeat(player: $0.player) }
    matches[match.key] = Match(
      game: game, incarnation: incarnation, hasBegun: match.hasBegun, seats: seats)
    for seat in match.seats where seat.state == .joined { count(seat.player, 1) }
  }

  mutating func end(_ context: ContextID, _ roster: MatchRow) {
    guard let match = matches.removeValue(forKey: context) else { return }
    for seat in match.seats {
      if let channel = seat.channel { unlink(channel, context) }
    }
    for seat in roster.seats where seat.state == .joined { count(seat.player, -1) }
  }

  func contexts(of channel: Channel) -> [ContextID] { contextsByChannel[channel] ?? [] }

  /// How often a seat changes its connection or client: each time the others send what waits again.
  private static let connectRate = TokenBucket.Rate(
    burst: Double(ContextLimits.matchConnectBurst),
    refillMilliseconds: Double(ContextLimits.matchConnectRefillMilliseconds))

  /// Counts a connection of a seat; or returns the milliseconds until there may be one.
  mutating func takeConnect(
    _ context: ContextID, _ place: Int, client: UInt64, _ channel: Channel, now: Int64
  ) -> UInt32? {
    guard let seat = matches[context]?.seats[place],
      seat.client != client || seat.channel != channel
    else { return nil }
    return matches[context]?.seats[place].connects.take(at: Self.connectRate, now: now)
  }

  /// A client takes the seat at a place, on a connection.
  ///
  /// - Parameters:
  ///   - isNewPlayer: whether the player had no seat in the match before.
  ///   - isNewClient: whether another client had it, or none.
  mutating func connect(
    _ context: ContextID, _ place: Int, _ player: PlayerID, client: UInt64, channel: Channel,
    isNewPlayer: Bool, isNewClient: Bool, now: Int64
  ) {
    guard var match = matches.removeValue(forKey: context) else { return }
    if let old = match.seats[place].channel { unlink(old, context) }
    if isNewPlayer { count(player, 1) }
    match.version += 1
    for index in match.seats.indices {
      if isNewClient {
        // Numbers begin anew in both directions.
        match.seats[index].forget(sender: place)
      } else {
        match.seats[index].tellAgain(sender: place)
      }
    }
    match.owed |= 1 << place
    match.seats[place].begin(
      player, isNewClient: isNewClient, now: now, settlesAt: now + settleMilliseconds)
    if match.seats[place].client != client {
      match.seats[place].client = client
      match.seats[place].since = match.version
    }
    match.seats[place].channel = channel
    if !match.seats[place].isSilent { match.seats[place].grace = nil }
    matches[context] = match
    contextsByChannel[channel, default: []].append(context)
  }

  /// The player's connection is gone; from now on its grace time runs, which is returned.
  mutating func disconnect(_ context: ContextID, _ place: Int, now: Int64) -> GraceTime? {
    guard let channel = matches[context]?.seats[place].channel else {
      // After a restart there was none.
      return beginGrace(context, place, now: now)
    }
    unlink(channel, context)
    let since = matches[context]?.owesSince(place, now: now)
    matches[context]?.seats[place].channel = nil
    // Who took no data before has no more time than that.
    if let since, let silentSince = matches[context]?.seats[place].silentSince,
      since <= silentSince
    {
      return nil
    }
    matches[context]?.seats[place].silentSince = nil
    return beginGrace(context, place, now: now, owesSince: since)
  }

  /// - Parameter owesSince: since when the player has taken no data, over whatever connections: so
  ///   much less time it has, however often it comes back for a moment.
  mutating func beginGrace(
    _ context: ContextID, _ place: Int, now: Int64, owesSince: Int64? = nil
  ) -> GraceTime? {
    let waited = owesSince.map { now - $0 } ?? 0
    let left =
      waited < silenceMax
      ? graceMilliseconds
      : max(graceMilliseconds - waited, min(graceMilliseconds, 2 * GraceTime.stepMax))
    let grace = GraceTime(left, now: now)
    matches[context]?.seats[place].grace = grace
    return matches[context] == nil ? nil : grace
  }

  /// A player leaves: the seat is nobody's, or waits for the player or another.
  ///
  /// - Parameter heir: who the seat is for; nil for nobody in particular.
  mutating func leave(_ context: ContextID, _ place: Int, wasJoined: Bool, heir: PlayerID) {
    guard var match = matches.removeValue(forKey: context) else { return }
    let player = match.seats[place].player
    if let channel = match.seats[place].channel { unlink(channel, context) }
    for index in match.seats.indices { match.seats[index].forget(sender: place) }
    let connects = match.seats[place].connects
    match.seats[place] = LiveSeat(player: heir)
    match.seats[place].connects = connects
    matches[context] = match
    if wasJoined { count(player, -1) }
  }

  /// An erased player's stand-in takes the seat, if there is one.
  mutating func rename(_ player: PlayerID, to standIn: PlayerID, in context: ContextID) {
    guard let place = matches[context]?.seats.firstIndex(where: { $0.player == player }) else {
      return
    }
    matches[context]?.seats[place].player = standIn
    if let count = seatCounts.removeValue(forKey: player) { seatCounts[standIn] = count }
  }

  private mutating func count(_ player: PlayerID, _ change: Int) {
    let count = (seatCounts[player] ?? 0) + change
    seatCounts[player] = count > 0 ? count : nil
  }

  private mutating func unlink(_ channel: Channel, _ context: ContextID) {
    guard var contexts = contextsByChannel.removeValue(forKey: channel) else { return }
    contexts.removeAll { $0 == context }
    if !contexts.isEmpty { contextsByChannel[channel] = contexts }
  }
}

extension LiveMatches.Match {
  /// The caller's place, if its connection has the seat that it says; nil when it is no player of
  /// this life of the match.
  func seat(_ incarnation: UInt64, _ client: UInt64, of call: Call) throws(Stop) -> Int? {
    guard game == call.game, self.incarnation == incarnation, let place = place(of: call.player),
      seats[place].client != 0
    else { return nil }
    guard seats[place].client == client else {
      throw .refuse(.notAllowed, "Another client has this seat.")
    }
    guard let channel = call.channel, seats[place].channel == channel else {
      throw .refuse(.conflict, "This connection has no seat yet: join the match again.")
    }
    return place
  }

  func place(of player: PlayerID) -> Int? { seats.firstIndex { $0.player == player } }

  /// Notes that data goes to those of its receivers who are connected and to whom no more is under
  /// way than may be, and returns their connections. A client that came after the roster that the
  /// sender knew is not meant. Also returns whether the sender repeats what was acknowledged.
  mutating func pass(
    _ data: SendMatchData, from sender: Int, to receivers: UInt16, now: Int64
  ) -> (channels: [Channel], isBehind: Bool) {
    var (channels, isBehind): ([Channel], Bool) = ([], false)
    channels.reserveCapacity(seats.count)
    let size = data.payload.array.count
    for place in seats.indices where receivers & 1 << place != 0 {
      guard let channel = seats[place].channel, seats[place].since <= data.roster else { continue }
      if data.isReliable {
        let number = data.exceptions.sequence(for: UInt8(place)) ?? data.sequence
        guard seats[place].pass(number, size: size, from: sender, now: now) else {
          isBehind = isBehind || seats[place].hasReceipt(from: sender)
          continue
        }
      }
      channels.append(channel)
    }
    return (channels, isBehind)
  }

  /// What the client at a place has received; of seats that others have by now it counts nothing.
  ///
  /// - Parameter tellsAgain: whether the senders are told also where nothing is new.
  mutating func take(
    _ receipts: [MatchReceipt], of place: Int, tellsAgain: Bool, now: Int64
  ) {
    for receipt in receipts {
      let sender = Int(receipt.place)
      guard sender != place, seats.indices.contains(sender), seats[sender].client == receipt.seat
      else { continue }
      let isTold = seats[place].acknowledge(
        through: receipt.through, from: sender, tellsAgain: tellsAgain, now: now)
      if isTold { owed |= 1 << sender }
    }
  }

  /// What a sender is to be told of its receivers.
  mutating func takeReceipts(for sender: Int) -> [MatchReceipt] {
    var receipts: [MatchReceipt] = []
    receipts.reserveCapacity(seats.count)
    for place in seats.indices {
      guard let through = seats[place].takeReceipt(from: sender) else { continue }
      receipts.append(
        MatchReceipt(place: UInt8(place), seat: seats[place].client, through: through))
    }
    return receipts
  }

  /// The places of the senders who can repeat their data.
  private var connected: UInt16 {
    var connected: UInt16 = 0
    for (place, seat) in seats.enumerated() where seat.channel != nil { connected |= 1 << place }
    return connected
  }

  func lateSince(_ place: Int, now: Int64) -> Int64? {
    seats[place].lateSince(now, connected: connected)
  }

  func owesSince(_ place: Int, now: Int64) -> Int64? {
    seats[place].owesSince(now, connected: connected)
  }
}
