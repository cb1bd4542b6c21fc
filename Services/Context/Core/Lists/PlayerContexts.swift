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
  /// Who has invited the player to a group; nil for a player who has come, and elsewhere.
  var inviter = PlayerID()
  /// When the player, and when the inviter, did not block the other, by the clock of each.
  var checkedAt: Int64 = 0
  var inviterCheckedAt: Int64 = 0

  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("game", &game)
    visit.field("info", &info)
    visit.field("inviter", &inviter)
    visit.field("checked_at", &checkedAt)
    visit.field("inviter_checked_at", &inviterCheckedAt)
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
  /// When the budget of invitations to groups is full, in milliseconds since 1970.
  var invitationsFullAt: Int64 = 0

  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("context", &context)
    visit.field("entered_at", &enteredAt)
    visit.field("has_session", &hasSession)
    visit.field("invitations_full_at", &invitationsFullAt)
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
  /// The groups that players are invited to, by who is invited and who has invited.
  private var invitations: [ContextBlockKey: Set<ContextID>] = [:]

  mutating func load(_ row: ContextListRow) {
    rows.load(row)
    noteInvitation(row)
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
    noteInvitation(row)
    var list = places.removeValue(forKey: row.owner) ?? []
    list.insert(row.place, at: list.sortedCount { $0 < row.place })
    if list.count > ContextLimits.listSizeMax {
      let dropped = ContextListKey(player: row.key.player, context: list.removeLast().id)
      if let old = rows.remove(dropped, &transaction) { forgetInvitation(old) }
    }
    places[row.owner] = list
  }

  mutating func remove(_ key: ContextListKey, _ transaction: inout Transaction) {
    if let old = rows.remove(key, &transaction) { take(old) }
  }

  mutating func put(_ row: CurrentContextRow, _ transaction: inout Transaction) {
    current.put(row, &transaction)
  }

  mutating func removeCurrent(_ owner: PlayerInGame, _ transaction: inout Transaction) {
    current.remove(owner, &transaction)
  }

  func places(of owner: PlayerInGame) -> [PageCursor<ContextKind>] { places[owner] ?? [] }

  /// In the order of the contexts' ids.
  func invitations(by key: ContextBlockKey) -> [ContextListRow] {
    (invitations[key] ?? []).sorted().compactMap {
      rows[ContextListKey(player: key.player, context: $0)]
    }
  }

  private mutating func noteInvitation(_ row: ContextListRow) {
    if row.inviter.isNil { return }
    let key = ContextBlockKey(player: row.key.player, other: row.inviter)
    invitations[key, default: []].insert(row.key.context)
  }

  private mutating func forgetInvitation(_ row: ContextListRow) {
    if row.inviter.isNil { return }
    let key = ContextBlockKey(player: row.key.player, other: row.inviter)
    invitations[key]?.remove(row.key.context)
    if invitations[key]?.isEmpty == true { invitations[key] = nil }
  }

  private mutating func take(_ row: ContextListRow) {
    forgetInvitation(row)
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
