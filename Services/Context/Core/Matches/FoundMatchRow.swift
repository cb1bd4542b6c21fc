package import Domain
import Operations
import Wire

extension NumberSetting {
  /// As long as the grace time: a client that is there joins within a second, and one whose
  /// connection is just gone has as long to come back as in a match.
  package static let matchJoin = NumberSetting(
    "match-join-seconds", .seconds, default: 30, 1...3600,
    "How long those who have joined a match that was found wait for the others.")
}

/// A match that was found, until it begins: what becomes of it when not all players join.
struct FoundMatchRow: Row {
  static let tableID: UInt16 = 47
  static let tableName = "found_match"
  /// The context.
  var key = ContextID()
  var players: [PlayerID] = []
  /// With how many players it may begin.
  var needed: UInt32 = 0
  /// Of the players, by which they wait again.
  var tickets: [PlaceTicket] = []
  var foundAt: Int64 = 0

  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &key)
    visit.field("players", &players)
    visit.field("needed", &needed)
    visit.field("tickets", &tickets)
    visit.field("found_at", &foundAt)
  }

  /// Only the others wait again by the tickets.
  mutating func forgetTicket(of player: PlayerID) {
    for place in tickets.indices { tickets[place].players.removeAll { $0 == player } }
    tickets.removeAll { $0.players.isEmpty }
  }

  func outcome(joinedCount: Int) -> JoiningOutcome {
    joinedCount >= needed ? .begins : .tooFew
  }

  /// Whether a player who has not joined may be about to: in all matches that were found for the
  /// ticket the player has not let others wait for as long as they wait in one. Each player of a
  /// party counts alone: else one who is there would keep one who is gone in match after match.
  func mayCome(_ player: PlayerID, within milliseconds: Int64, now: Int64) -> Bool {
    absence(of: player, now: now) < milliseconds
  }

  /// For how long this match, and those before it that were found for the ticket, waited for a
  /// player who joined none of them. A party's ticket may name players who wait by their own again.
  private func absence(of player: PlayerID, now: Int64) -> Int64 {
    let ticket = tickets.first { $0.players.contains(player) }
    let before = ticket?.absences.first { $0.player == player }
    return (before?.milliseconds ?? 0) + now - foundAt
  }

  /// The tickets of those who wait again. The time in the match counts neither as waiting nor in
  /// the lives of the tickets, but for players who did not join: else the ticket of a client that
  /// is gone would live for ever.
  ///
  /// - Parameter placeUntil: until when the tickets have their old place in the line, so that
  ///   nobody keeps one by letting a match wait.
  func returning(
    _ players: [PlayerID], joined: [PlayerID], placeUntil: Int64, now: Int64
  ) -> [PlaceTicket] {
    tickets.compactMap { ticket in
      var ticket = ticket
      ticket.players.removeAll { !players.contains($0) }
      if ticket.players.isEmpty { return nil }
      // Of a party, one player who is there speaks for the others.
      if ticket.players.contains(where: joined.contains) {
        ticket.createdAt += now - foundAt
        ticket.expiresAt += now - foundAt
      }
      ticket.absences = ticket.players.filter { !joined.contains($0) }
        .map { TicketAbsence($0, absence(of: $0, now: now)) }
      if now > placeUntil { ticket.arrival = 0 }
      return ticket
    }
  }
}

extension Matches {
  /// Whether a match need not wait for anybody. A found one with too few players waits for its end.
  func isComplete(_ match: MatchRow) -> Bool {
    match.expectedPlayerCount == 0
      && found[match.key]?.outcome(joinedCount: match.joinedCount) != .tooFew
  }

  /// Those who have joined a found match wait for the others from now on. After a restart of the
  /// service they have the whole time again, as with grace times, and so the timer follows from
  /// the row.
  func awaitOthers(in context: ContextID, _ transaction: inout Transaction) {
    if found[context] == nil { return }
    transaction.setTimer(
      EndJoining(), on: context, at: transaction.now + joinMilliseconds, isKept: false)
  }

  func forgetFound(_ context: ContextID, _ transaction: inout Transaction) {
    if found.remove(context, &transaction) == nil { return }
    transaction.cancelTimer(EndJoining.self, on: context)
  }
}
