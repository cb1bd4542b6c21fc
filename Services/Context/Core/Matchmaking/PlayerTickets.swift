import Domain
import Operations
import Wire

/// A ticket in the list of one of its players: a copy that effects of the queue bring up to date.
struct PlayerTicketRow: Row {
  static let tableID: UInt16 = 43
  static let tableName = "player_ticket"
  var key = PlayerTicketKey()
  var info = TicketInfo()
  /// When it ended; 0 while it waits.
  var endedAt: Int64 = 0

  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("info", &info)
    visit.field("ended_at", &endedAt)
  }
}

struct PlayerTicketKey: RowKey {
  var player = PlayerID()
  var game = ""
  var ticket = MatchTicketID()

  var owner: PlayerInGame { PlayerInGame(player: player, game: game) }

  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("game", &game)
    visit.field("ticket", &ticket)
  }
}

/// Each player's tickets: those that wait, and the last that have ended.
final class PlayerTickets: CorePart {
  private var table = GroupedTable<PlayerTicketRow, PlayerInGame> { $0.owner }

  func register(_ router: inout Router) {
    router.on(ListTickets.self, listTickets)
    router.on(FetchTickets.self, fetchTickets)
    router.on(RecordTicket.self, recordTicket)
  }

  func register(_ tables: inout Tables) {
    tables.resident(PlayerTicketRow.self) { self.table.load($0) }
    tables.erases(PlayerTicketRow.self) { (row, erasure, transaction) in
      self.table.erase(row.key, erasure, &transaction)
    }
  }

  private func listTickets(
    _ operation: ListTickets, _ call: Call, _ transaction: inout Transaction
  ) -> ListTickets.Reply { list(call.player, call.game) }

  private func fetchTickets(
    _ operation: FetchTickets, _ call: Call, _ transaction: inout Transaction
  ) -> ListTickets.Reply { list(operation.player, call.game) }

  private func list(_ player: PlayerID, _ game: String) -> ListTickets.Reply {
    var reply = ListTickets.Reply()
    reply.tickets = table.rows(of: PlayerInGame(player: player, game: game)).map(\.info).sorted {
      ($0.createdAt, $0.ticket) > ($1.createdAt, $1.ticket)
    }
    return reply
  }

  private func recordTicket(
    _ operation: RecordTicket, _ call: Call, _ transaction: inout Transaction
  ) {
    var row = PlayerTicketRow()
    row.key.player = operation.player
    row.key.game = call.game
    row.key.ticket = operation.info.ticket
    row.info = operation.info
    // What has ended stays so.
    if let known = table[row.key], known.endedAt != 0 { return }
    let others = table.rows(of: row.key.owner).filter { $0.key != row.key }
    if row.info.state == .waiting {
      let open = others.count { $0.endedAt == 0 }
      if open >= MatchmakingLimits.ticketsPerPlayerMax {
        drop(row, &transaction)
        return
      }
    } else {
      row.endedAt = max(1, transaction.now)
      let ended = others.filter { $0.endedAt != 0 }
      if ended.count >= MatchmakingLimits.endedTicketsKept,
        let oldest = ended.min(by: { ($0.endedAt, $0.key.ticket) < ($1.endedAt, $1.key.ticket) })
      {
        table.remove(oldest.key, &transaction)
      }
    }
    table.put(row, &transaction)
  }

  /// Calls side by side can bring a player more tickets than there may be.
  private func drop(_ row: PlayerTicketRow, _ transaction: inout Transaction) {
    var effect = DropTicket()
    effect.queue = RoutingKey(game: row.key.game, name: row.info.playerGroup)
    effect.ticket = row.key.ticket
    transaction.effect(effect, on: effect.queue, game: row.key.game)
  }
}
