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
  var name = ""
  /// Of a group; 0 for other forms.
  var sizeMax: UInt32 = 0
  var policy = JoinPolicy()
  var link = ContextLink()
  /// Who asks to be let into a group, the first one first.
  var requests: [PlayerID] = []
  /// Whom somebody has removed from a group, the first one first.
  var removed: [PlayerID] = []
  /// Who has owned a group, the last one last.
  var formerOwners: [PlayerID] = []
  /// Among whose opened contexts it counts; nil for whom none are counted.
  var opener = PlayerID()
  var boards: [LinkedBoardEntry] = []
  /// When players were asked for blocks: of a pair the two of them, of a group those who are
  /// invited.
  var checks: [BlockCheck] = []
  /// Turn-based games that were played in it and are gone: their numbers do not come again.
  var goneTurnGames: UInt32 = 0

  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &key)
    visit.field("game", &game)
    visit.field("form", &form)
    visit.field("generation", &generation)
    visit.field("players", &players)
    visit.field("created_at", &createdAt)
    visit.field("last_active_at", &lastActiveAt)
    visit.field("has_played", &hasPlayed)
    visit.field("name", &name)
    visit.field("size_max", &sizeMax)
    visit.field("policy", &policy)
    visit.field("link", &link)
    visit.field("requests", &requests)
    visit.field("removed", &removed)
    visit.field("former_owners", &formerOwners)
    visit.field("opener", &opener)
    visit.field("boards", &boards)
    visit.field("checks", &checks)
    visit.field("gone_turn_games", &goneTurnGames)
  }
}

/// When a player blocked the other one of a pair not, or whoever has invited the player, by the
/// clock that the player's blocks are dated by.
struct BlockCheck: Message, Hashable {
  var player = PlayerID()
  var time: Int64 = 0
  /// Nil in a pair, which both of the two have begun.
  var inviter = PlayerID()
  /// When the inviter blocked the player not, by the inviter's clock.
  var inviterTime: Int64 = 0

  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("time", &time)
    visit.field("inviter", &inviter)
    visit.field("inviter_time", &inviterTime)
  }
}

/// A board that is linked to a context, as the board has last said.
struct LinkedBoardEntry: Message, Hashable {
  var board = ""
  var openChallenges: UInt32 = 0
  var version: UInt64 = 0

  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("board", &board)
    visit.field("open_challenges", &openChallenges)
    visit.field("version", &version)
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

  func role(of player: PlayerID) -> ContextRole {
    players.first { $0.player == player }?.role ?? .participant
  }

  /// Those who are not the player, without those who have left.
  func others(than player: PlayerID) -> [PlayerID] {
    present.map(\.player).filter { $0 != player }
  }

  /// Whom a player who comes in must not be kept apart from. Who is only invited to a group is no
  /// hindrance for others who are.
  func met(by player: PlayerID) -> [PlayerID] {
    guard form == .group, state(of: player) == .invited else { return others(than: player) }
    return players.filter { $0.state == .active }.map(\.player)
  }

  mutating func set(_ state: ContextPlayerState, of player: PlayerID) {
    guard let index = players.firstIndex(where: { $0.player == player }) else { return }
    players[index].state = state
  }

  mutating func set(_ role: ContextRole, of player: PlayerID) {
    guard let index = players.firstIndex(where: { $0.player == player }) else { return }
    players[index].role = role
  }

  /// A player leaves. An owner's role goes to a moderator before others, to an active player before
  /// an invited one, and to whoever came first; in a group, to nobody who never came. Groups and
  /// matched contexts forget whoever has left them.
  mutating func leave(_ player: PlayerID) {
    guard let index = players.firstIndex(where: { $0.player == player }) else { return }
    players[index].state = .left
    if players[index].role == .owner {
      noteOwner(player)
      if let heir {
        players[index].role = .participant
        players[heir].role = .owner
      }
    }
    if form == .group || form == .matched { players.remove(at: index) }
    if form == .group { forgetInvitation(of: player) }
  }

  /// Somebody who has entered or left is not invited any more.
  mutating func forgetInvitation(of player: PlayerID) {
    checks.removeAll { $0.player == player }
  }

  /// Whether nobody but the player has come.
  func isLast(_ player: PlayerID) -> Bool {
    state(of: player) == .active
      && !players.contains { $0.state == .active && $0.player != player }
  }

  private var heir: Int? {
    players.firstIndex { $0.state == .active && $0.role == .moderator }
      ?? players.firstIndex { $0.state == .active }
      ?? (form == .group ? nil : players.firstIndex { $0.state == .invited })
  }

  /// Notes who may open a group again.
  mutating func noteOwner(_ player: PlayerID) {
    guard form == .group else { return }
    formerOwners.removeAll { $0 == player }
    formerOwners.append(player)
    if formerOwners.count > ContextLimits.formerOwnersMax { formerOwners.removeFirst() }
  }

  /// A player who moderated a group does so no more, and must not let others in by its link.
  mutating func renewLink(knownTo player: PlayerID, _ transaction: inout Transaction) {
    if GroupRoles.mayModerate(role(of: player)) { link = transaction.identifier() }
  }

  /// Notes that a player must not come back uninvited.
  mutating func noteRemoval(_ player: PlayerID) {
    removed.removeAll { $0 == player }
    removed.append(player)
    if removed.count > ContextLimits.removedKeptMax { removed.removeFirst() }
  }
}
