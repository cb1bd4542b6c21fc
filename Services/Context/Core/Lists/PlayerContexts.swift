import Domain
import Operations
import Wire

/// One context in one player's list: a summary of what the context last was.
struct ContextListRow: Row {
  static let tableID: UInt16 = 17
  static let tableName = "context_list"
  var key = ContextListKey()
  var game = ""
  var info = ContextInfo()

  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("game", &game)
    visit.field("info", &info)
  }
}

struct ContextListKey: RowKey {
  var player = PlayerID()
  var context = ContextID()

  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("context", &context)
  }
}

/// The context that a player is in, in one game.
struct CurrentContextRow: Row {
  static let tableID: UInt16 = 18
  static let tableName = "current_context"
  var key = PlayerInGame()
  /// Nil after the player left it. `enteredAt` stays, so that news of an earlier entry that come
  /// late are known to be old.
  var context: ContextID?
  var enteredAt: Int64 = 0
  /// Whether the player has ever had a session in the game, as far as that was told here.
  var hasSession = false

  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("context", &context)
    visit.field("entered_at", &enteredAt)
    visit.field("has_session", &hasSession)
  }
}

struct PlayerInGame: RowKey {
  var player = PlayerID()
  var game = ""

  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("game", &game)
  }
}

/// Every player's contexts. Each list is a sorted array: a change moves a few bytes for each
/// context of the player, and a page is found in O(log n).
struct PlayerContexts {
  private(set) var rows = ResidentTable<ContextListRow>()
  private(set) var current = ResidentTable<CurrentContextRow>()
  /// The most recently active first.
  private var places: [PlayerInGame: [PageCursor<ContextKind>]] = [:]

  mutating func load(_ row: ContextListRow) {
    rows.load(row)
    places[row.owner, default: []].append(row.place)
  }

  mutating func load(_ row: CurrentContextRow) { current.load(row) }

  /// Puts the lists in order, once all rows are loaded.
  mutating func sort() {
    for owner in places.keys { places[owner]?.sort() }
  }

  mutating func put(_ row: ContextListRow, _ transaction: inout Transaction) {
    if let old = rows[row.key] { take(old) }
    rows.put(row, &transaction)
    var list = places.removeValue(forKey: row.owner) ?? []
    list.insert(row.place, at: list.sortedCount { $0 < row.place })
    if list.count > ContextLimits.listSizeMax {
      let dropped = list.removeLast().id
      rows.remove(ContextListKey(player: row.key.player, context: dropped), &transaction)
    }
    places[row.owner] = list
  }

  mutating func remove(_ key: ContextListKey, _ transaction: inout Transaction) {
    if let old = rows.remove(key, &transaction) { take(old) }
  }

  mutating func put(_ row: CurrentContextRow, _ transaction: inout Transaction) {
    current.put(row, &transaction)
  }

  func places(of owner: PlayerInGame) -> [PageCursor<ContextKind>] { places[owner] ?? [] }

  private mutating func take(_ row: ContextListRow) {
    guard var list = places.removeValue(forKey: row.owner) else { return }
    let index = list.sortedCount { $0 < row.place }
    if index < list.count && list[index] == row.place { list.remove(at: index) }
    if !list.isEmpty { places[row.owner] = list }
  }
}

extension ContextListRow {
  var owner: PlayerInGame { PlayerInGame(player: key.player, game: game) }

  var place: PageCursor<ContextKind> { PageCursor(time: -info.lastActiveAt, id: key.context) }
}
