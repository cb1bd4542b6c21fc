import Domain
import Operations
import Wire

struct InviteTokenKey: RowKey {
  var player = PlayerID()
  var token = InviteTokenID()
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("token", &token)
  }

  var text: String { InviteToken(sender: player, id: token).description }
}

/// An invite token, at its sender's key. It is remembered for a while after its end, to tell
/// whoever comes late why it cannot be claimed.
struct InviteTokenRow: Row {
  static let tableID: UInt16 = 39
  static let tableName = "invite_token"
  var key = InviteTokenKey()
  var game = ""
  /// Milliseconds since 1970.
  var created: Int64 = 0
  var state = InviteTokenState.open
  /// When it was claimed, revoked or expired; 0 before.
  var ended: Int64 = 0
  /// Who has claimed it.
  var claimant = PlayerID()
  /// Requests that were sent to it; while it is open, each is a `TokenRequestRow`.
  var requestCount: UInt8 = 0
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("game", &game)
    visit.field("created", &created)
    visit.field("state", &state)
    visit.field("ended", &ended)
    visit.field("claimant", &claimant)
    visit.field("requestCount", &requestCount)
  }
}

struct TokenRequestKey: RowKey {
  var token = InviteTokenKey()
  /// The first request of a token is 0.
  var number: UInt8 = 0
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("token", &token)
    visit.field("number", &number)
  }
}

/// A request that waits for whoever claims an invite token. Cold: it is read once.
struct TokenRequestRow: Row {
  static let tableID: UInt16 = 40
  static let tableName = "token_request"
  var key = TokenRequestKey()
  var request = ReceivedRequest()
  var wantsReceipt = false
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("request", &request)
    visit.field("wantsReceipt", &wantsReceipt)
  }
}

/// The invite tokens of all players of this process.
struct InviteTokens {
  /// How long one that has ended is remembered, for whoever comes late by its link.
  static let memoryMilliseconds: Int64 = 90 * 24 * 3600 * 1000

  private let lifetimeMilliseconds: Int64
  private var table = GroupedTable<InviteTokenRow, PlayerID> { $0.player }

  init(lifetimeMilliseconds: Int64) { self.lifetimeMilliseconds = lifetimeMilliseconds }

  subscript(key: InviteTokenKey) -> InviteTokenRow? { table[key] }

  /// Those of one game, the newest first.
  func rows(of player: PlayerID, in game: String) -> [InviteTokenRow] {
    table.rows(of: player).filter { $0.game == game }
      .sorted { ($1.created, $0.key.token) < ($0.created, $1.key.token) }
  }

  /// How many are open, those too whose timer is due.
  func openCount(of player: PlayerID) -> Int {
    table.rows(of: player).count { $0.state == .open }
  }

  func expiry(of row: InviteTokenRow) -> Int64 { row.created + lifetimeMilliseconds }

  /// When its timer comes: it expires, or it is forgotten.
  func due(of row: InviteTokenRow) -> Int64 {
    row.state == .open ? expiry(of: row) : row.ended + Self.memoryMilliseconds
  }

  /// One that is too old is expired even before its timer says so.
  func state(of row: InviteTokenRow, now: Int64) -> InviteTokenState {
    row.state == .open && expiry(of: row) <= now ? .expired : row.state
  }

  func info(_ row: InviteTokenRow, now: Int64) -> InviteTokenInfo {
    var info = InviteTokenInfo()
    info.token = row.key.text
    info.state = state(of: row, now: now)
    (info.created, info.expires) = (row.created, expiry(of: row))
    (info.player, info.requestCount) = (row.claimant, row.requestCount)
    return info
  }

  /// Adds an open one, and forgets the one that ended first where there are many.
  mutating func add(_ row: InviteTokenRow, _ transaction: inout Transaction) {
    let player = row.key.player
    if table.count(of: player) >= InviteTokenLimits.keptMax {
      let ended = table.rows(of: player).filter { $0.state != .open }
      let first = ended.min { ($0.ended, $0.key.token) < ($1.ended, $1.key.token) }
      if let first { forget(first, &transaction) }
    }
    table.put(row, &transaction)
    setTimer(of: row, &transaction)
  }

  /// Puts an open one over itself.
  mutating func put(_ row: InviteTokenRow, _ transaction: inout Transaction) {
    table.put(row, &transaction)
  }

  /// Notes why one cannot be claimed any more.
  mutating func end(
    _ row: InviteTokenRow, as state: InviteTokenState, by claimant: PlayerID = PlayerID(),
    _ transaction: inout Transaction
  ) {
    var row = row
    (row.state, row.ended, row.claimant) = (state, transaction.now, claimant)
    table.put(row, &transaction)
    setTimer(of: row, &transaction)
  }

  /// Removes one that has ended.
  mutating func forget(_ row: InviteTokenRow, _ transaction: inout Transaction) {
    table.remove(row.key, &transaction)
    transaction.cancelTimer(
      ExpireInviteToken.self, on: row.key.player, item: RoutingKey(reinterpreting: row.key.token))
  }

  func setTimer(of row: InviteTokenRow, _ transaction: inout Transaction) {
    transaction.setTimer(
      ExpireInviteToken(row.key.token), on: row.key.player,
      item: RoutingKey(reinterpreting: row.key.token), at: due(of: row))
  }

  mutating func erase(
    _ key: InviteTokenKey, _ erasure: Erasure, _ transaction: inout Transaction
  ) {
    table.erase(key, erasure, &transaction)
  }

  mutating func load(_ row: InviteTokenRow) { table.load(row) }

  func loaded(_ transaction: inout Transaction) {
    for player in table.groups {
      for row in table.rows(of: player) { setTimer(of: row, &transaction) }
    }
  }
}
