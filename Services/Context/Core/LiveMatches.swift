package import Domain
import Operations
import Wire

extension NumberSetting {
  package static let matchGrace = NumberSetting(
    "match-grace-seconds", .seconds, default: 30, 1...3600,
    "How long a player whose connection is gone keeps its seat in a match.")
}

/// What is known of running matches only while the process lives: connections and grace times.
struct LiveMatches {
  struct Match {
    var incarnation: UInt64
    var seats: [PlayerID: Seat] = [:]
  }

  struct Seat {
    /// The client that has the seat; 0 until it joins in this life of the process.
    var client: UInt64 = 0
    var channel: Channel?
    /// When a player without a connection has left.
    var deadline: Int64?
  }

  /// How late a grace time may end. What comes later was held up: the process stood still, its
  /// clock was set, or its disk was full, where a timer fires again after a second. The player may
  /// have tried to come back all the while, and found nobody to take it in.
  static let latenessMillisecondsMax: Int64 = 500

  private let graceMilliseconds: Int64
  private(set) var matches: [ContextID: Match] = [:]
  /// The matches that each connection has a seat in.
  private var contextsByChannel: [Channel: [ContextID]] = [:]

  init(graceMilliseconds: Int64) { self.graceMilliseconds = graceMilliseconds }

  subscript(context: ContextID) -> Match? { matches[context] }

  mutating func start(_ context: ContextID, incarnation: UInt64) {
    matches[context] = Match(incarnation: incarnation)
  }

  mutating func end(_ context: ContextID) {
    guard let match = matches.removeValue(forKey: context) else { return }
    for seat in match.seats.values {
      if let channel = seat.channel { unlink(channel, context) }
    }
  }

  func contexts(of channel: Channel) -> [ContextID] { contextsByChannel[channel] ?? [] }

  mutating func connect(
    _ context: ContextID, _ player: PlayerID, client: UInt64, channel: Channel
  ) {
    if let old = matches[context]?.seats[player]?.channel { unlink(old, context) }
    matches[context]?.seats[player] = Seat(client: client, channel: channel)
    contextsByChannel[channel, default: []].append(context)
  }

  /// The player's connection is gone; from now on its grace time runs, whose end is returned.
  mutating func disconnect(_ context: ContextID, _ player: PlayerID, now: Int64) -> Int64? {
    guard let match = matches[context] else { return nil }
    let seat = match.seats[player]
    if let channel = seat?.channel { unlink(channel, context) }
    let deadline = now + graceMilliseconds
    matches[context]?.seats[player] = Seat(client: seat?.client ?? 0, deadline: deadline)
    return deadline
  }

  mutating func leave(_ context: ContextID, _ player: PlayerID) {
    guard let seat = matches[context]?.seats.removeValue(forKey: player) else { return }
    if let channel = seat.channel { unlink(channel, context) }
  }

  /// How long ago a player's grace time ended; nil while it runs, or when there is none.
  func lateness(of player: PlayerID, in context: ContextID, now: Int64) -> Int64? {
    guard let deadline = matches[context]?.seats[player]?.deadline, deadline <= now else {
      return nil
    }
    return now - deadline
  }

  private mutating func unlink(_ channel: Channel, _ context: ContextID) {
    guard var contexts = contextsByChannel.removeValue(forKey: channel) else { return }
    contexts.removeAll { $0 == context }
    if !contexts.isEmpty { contextsByChannel[channel] = contexts }
  }
}
