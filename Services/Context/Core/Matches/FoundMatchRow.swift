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

  func outcome(joinedCount: Int) -> JoiningOutcome {
    joinedCount >= needed ? .begins : .tooFew
  }

  /// The tickets of those who wait again. The time in the match does not count in their lives.
  func returning(_ players: [PlayerID], now: Int64) -> [PlaceTicket] {
    tickets.compactMap { ticket in
      var ticket = ticket
      ticket.players.removeAll { !players.contains($0) }
      ticket.expiresAt += now - foundAt
      return ticket.players.isEmpty ? nil : ticket
    }
  }
}

extension Matches {
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
