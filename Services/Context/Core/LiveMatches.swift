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

  struct Grace {
    var context: ContextID
    var player: PlayerID
    var deadline: Int64
  }

  private let graceMilliseconds: Int64
  private(set) var matches: [ContextID: Match] = [:]
  /// The matches that each connection has a seat in.
  private var contextsByChannel: [Channel: [ContextID]] = [:]
  /// In order of their deadlines, because the grace time is the same for all; those that a player's
  /// return made void are skipped when their time comes.
  private var graces = Queue<Grace>()
  /// Running matches of which this process does not yet know anybody's connection.
  var restarted = Queue<ContextID>()

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

  /// The player's connection is gone; from now on its grace time runs.
  mutating func disconnect(_ context: ContextID, _ player: PlayerID, now: Int64) {
    guard var seat = matches[context]?.seats[player] ?? (matches[context].map { _ in Seat() })
    else { return }
    if let channel = seat.channel { unlink(channel, context) }
    let deadline = now + graceMilliseconds
    seat.channel = nil
    seat.deadline = deadline
    matches[context]?.seats[player] = seat
    graces.append(Grace(context: context, player: player, deadline: deadline))
  }

  mutating func leave(_ context: ContextID, _ player: PlayerID) {
    guard let seat = matches[context]?.seats.removeValue(forKey: player) else { return }
    if let channel = seat.channel { unlink(channel, context) }
  }

  /// The next grace time that is over; it may have been made void.
  mutating func takeGrace(now: Int64) -> Grace? {
    guard let first = graces.first, first.deadline <= now else { return nil }
    return graces.removeFirst()
  }

  func isCurrent(_ grace: Grace) -> Bool {
    matches[grace.context]?.seats[grace.player]?.deadline == grace.deadline
  }

  private mutating func unlink(_ channel: Channel, _ context: ContextID) {
    guard var contexts = contextsByChannel.removeValue(forKey: channel) else { return }
    contexts.removeAll { $0 == context }
    if !contexts.isEmpty { contextsByChannel[channel] = contexts }
  }
}
