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
    /// What a player without a connection has left to come back.
    var grace: GraceTime?
  }

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

  /// The player's connection is gone; from now on its grace time runs, which is returned.
  mutating func disconnect(_ context: ContextID, _ player: PlayerID, now: Int64) -> GraceTime? {
    guard let match = matches[context] else { return nil }
    let seat = match.seats[player]
    if let channel = seat?.channel { unlink(channel, context) }
    let grace = GraceTime(graceMilliseconds, now: now)
    matches[context]?.seats[player] = Seat(client: seat?.client ?? 0, grace: grace)
    return grace
  }

  mutating func leave(_ context: ContextID, _ player: PlayerID) {
    guard let seat = matches[context]?.seats.removeValue(forKey: player) else { return }
    if let channel = seat.channel { unlink(channel, context) }
  }

  /// Ends a step of a player's grace time. Returns what is left; nil where none runs.
  mutating func endGraceStep(of player: PlayerID, in context: ContextID, now: Int64) -> GraceTime? {
    matches[context]?.seats[player]?.grace?.endStep(now: now)
    return matches[context]?.seats[player]?.grace
  }

  private mutating func unlink(_ channel: Channel, _ context: ContextID) {
    guard var contexts = contextsByChannel.removeValue(forKey: channel) else { return }
    contexts.removeAll { $0 == context }
    if !contexts.isEmpty { contextsByChannel[channel] = contexts }
  }
}
