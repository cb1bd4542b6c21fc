import Operations
import Wire

/// What the clients of a gathering know of each other's doings, as players do who talk to each
/// other.
struct Gathering {
  /// The groups that were created, in the order of their creation.
  var groups: [ContextID] = []
  /// By context: what somebody was last told of it.
  var infos: [ContextID: ContextInfo] = [:]
  /// Contexts in which somebody is taking others out: nobody begins a match there meanwhile.
  var disturbed: Set<ContextID> = []
  /// How many games were forked.
  var forks = 0
  /// How many moves were made, or tried.
  var moves: UInt64 = 0
  /// By player: the own tickets, the oldest first.
  var tickets: [PlayerID: [(ticket: MatchTicketID, playerGroup: String)]] = [:]
}

/// Gatherings: players meet in groups, play turn-based games and matches of several there, and look
/// for matches in queues.
extension Workload {
  func gather(_ client: SimulatedClient) {
    if isEarly {
      if schedule.isChance(oneIn: 3) { return befriend(client) }
    } else if schedule.isChance(oneIn: 20) {
      return acknowledge(client)
    }
    let topic = deployment.options.topic
    switch schedule.isChance(oneIn: 3) ? schedule.pick(others(than: topic)) ?? topic : topic {
    case .groups: group(client)
    case .turns: turn(client)
    case .tickets: queue(client)
    case .matches: meetInGroup(client)
    }
  }

  /// Blocks keep players apart in queues. In groups and matches only the service's own tests look
  /// at them.
  private func others(than topic: Topic) -> [Topic] {
    topic == .tickets ? [.groups, .turns] : [.groups, .turns, .matches].filter { $0 != topic }
  }

  /// The client of a player, if it may make one more call.
  func free(_ player: PlayerID?) -> SimulatedClient? {
    clients.first { $0.player == player && $0.isReady && $0.openCount < Self.openMax }
  }

  /// Notes what a client was told of a context.
  func heard(_ info: ContextInfo) { gathering.infos[info.context] = info }

  /// Contexts of more than one in which a player is active, as far as that was told.
  func places(of player: PlayerID) -> [ContextID] {
    gathering.infos.values.filter { info in
      info.form != .solo
        && info.players.contains { $0.player == player && $0.state == .active }
    }.map(\.context).sorted()
  }
}
