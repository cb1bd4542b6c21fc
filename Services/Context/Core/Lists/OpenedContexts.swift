import Domain
import Operations
import Wire

struct OpenedContextKey: RowKey {
  var player = PlayerID()
  var context = ContextID()

  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("context", &context)
  }
}

/// A context that a player has opened and that is still kept, whoever is in it: what one player can
/// make others store is bounded.
struct OpenedContextRow: Row {
  static let tableID: UInt16 = 26
  static let tableName = "opened_context"
  var key = OpenedContextKey()
  var game = ""
  var form = ContextForm()

  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("game", &game)
    visit.field("form", &form)
  }
}

/// How many contexts each player has opened in a game.
struct OpenedContexts {
  private var rows = ResidentTable<OpenedContextRow>()
  private var counts: [PlayerInGame: FetchOpenedContexts.Reply] = [:]

  mutating func load(_ row: OpenedContextRow) {
    rows.load(row)
    count(row, +1)
  }

  func count(of owner: PlayerInGame) -> FetchOpenedContexts.Reply {
    counts[owner] ?? FetchOpenedContexts.Reply()
  }

  mutating func record(
    _ opening: ContextOpening, _ row: OpenedContextRow, _ transaction: inout Transaction
  ) {
    switch opening {
    case .counts where rows[row.key] == nil:
      rows.put(row, &transaction)
      count(row, +1)
    case .isOver:
      if let old = rows.remove(row.key, &transaction) { count(old, -1) }
    default: break
    }
  }

  private mutating func count(_ row: OpenedContextRow, _ change: Int) {
    let owner = PlayerInGame(player: row.key.player, game: row.game)
    var reply = count(of: owner)
    switch row.form {
    case .solo: reply.solos = UInt32(Int(reply.solos) + change)
    case .matched: reply.forks = UInt32(Int(reply.forks) + change)
    default: reply.groups = UInt32(Int(reply.groups) + change)
    }
    counts[owner] = reply.solos == 0 && reply.groups == 0 && reply.forks == 0 ? nil : reply
  }
}
