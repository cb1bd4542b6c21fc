import Domain
import Operations
import Wire

/// A context in its current generation.
struct ContextRow: Row {
  static let tableID: UInt16 = 16
  static let tableName = "context"
  var key = ContextID()
  var game = ""
  var form = ContextForm()
  var generation: UInt32 = 1
  var players: [ContextPlayer] = []
  var createdAt: Int64 = 0
  var lastActiveAt: Int64 = 0
  /// Whether something was played in this generation.
  var hasPlayed = false

  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &key)
    visit.field("game", &game)
    visit.field("form", &form)
    visit.field("generation", &generation)
    visit.field("players", &players)
    visit.field("created_at", &createdAt)
    visit.field("last_active_at", &lastActiveAt)
    visit.field("has_played", &hasPlayed)
  }
}

extension ContextRow {
  /// Players who have not left.
  var present: [ContextPlayer] { players.filter { $0.state != .left } }
  var isClosed: Bool { !players.contains { $0.state != .left } }

  func holds(_ player: PlayerID) -> Bool { state(of: player).map { $0 != .left } ?? false }

  func state(of player: PlayerID) -> ContextPlayerState? {
    players.first { $0.player == player }?.state
  }

  mutating func set(_ state: ContextPlayerState, of player: PlayerID) {
    guard let index = players.firstIndex(where: { $0.player == player }) else { return }
    players[index].state = state
  }

  /// A leaving owner's role goes to an active player before an invited one, and to whoever came
  /// first.
  mutating func leave(_ player: PlayerID) {
    guard let index = players.firstIndex(where: { $0.player == player }) else { return }
    players[index].state = .left
    guard players[index].role == .owner,
      let heir = players.firstIndex(where: { $0.state == .active })
        ?? players.firstIndex(where: { $0.state == .invited })
    else { return }
    players[index].role = .participant
    players[heir].role = .owner
  }

  var info: ContextInfo {
    var info = ContextInfo()
    info.context = key
    info.generation = generation
    info.form = form
    info.size = UInt32(present.count)
    info.players = players
    info.createdAt = createdAt
    info.lastActiveAt = lastActiveAt
    info.hasPlayed = hasPlayed
    return info
  }
}
