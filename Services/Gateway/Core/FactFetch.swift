import Operations
public import Wire

/// A gateway's own call for one fact of a client's call, and what becomes of the answer.
public struct FactFetch {
  public let opcode: Opcode
  public let body: [UInt8]
  public let key: RoutingKey
  /// The declared need that it meets; none for what a service demands.
  let need: Needs
  private let attach: ([UInt8], inout Facts) throws(WireError) -> Void

  /// - Parameter attach: puts what the owner of the fact replied among the call's facts.
  init<O: Operation, K>(
    _ operation: O, at key: Identifier<K>, for need: Needs = [],
    attach: @escaping (O.Reply, inout Facts) -> Void
  ) {
    opcode = O.opcode
    body = operation.encoded
    self.key = RoutingKey(reinterpreting: key)
    self.need = need
    self.attach = { (reply, facts) throws(WireError) in
      attach(try O.Reply(decoding: reply), &facts)
    }
  }

  func attach(_ reply: [UInt8], to facts: inout Facts) throws(Failure) {
    do {
      try attach(reply, &facts)
    } catch {
      throw Failure(.malformed, "The reply to \(opcode) cannot be read: \(error).")
    }
  }
}

extension FactFetch {
  static func friends(of player: PlayerID) -> Self {
    Self(FetchFriends(of: player), at: player, for: .friends) { $1.friends = $0.friends }
  }

  static func achievementRules(of game: String) -> Self {
    let fetch = FetchAchievementRules(of: game)
    return Self(fetch, at: fetch.key, for: .achievementRules) { $1.achievementRules = $0.rules }
  }

  static func achievements(of player: PlayerID) -> Self {
    Self(FetchReportedAchievements(of: player), at: player, for: .achievements) {
      $1.achievements = $0.achievements
    }
  }

  static func participants(of context: ContextID) -> Self {
    Self(FetchParticipants(of: context), at: context) {
      $1.participants = ContextParticipants(context: context, players: $0.players)
    }
  }
}
