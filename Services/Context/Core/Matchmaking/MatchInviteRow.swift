package import Domain
import Operations
import Wire

/// An invitation to a match that is not over, at its inviter's key.
struct MatchInviteRow: Row {
  static let tableID: UInt16 = 44
  static let tableName = "match_invite"
  var key = MatchInviteKey()
  var recipients: [InvitedPlayer] = []
  var message = ""
  var playerGroup = ""
  var criteria = MatchCriteria()
  var isAutomatching = false
  /// The running match that it is to; 0 for a new one.
  var context = ContextID()
  var match: UInt64 = 0
  /// The players who were in the context of the running match.
  var present: [PlayerID] = []
  var createdAt: Int64 = 0
  var expiresAt: Int64 = 0
  /// Names the question to those who accepted, whether one of them blocks another; nil before.
  var confirmation = ContextID()
  /// The players who have not confirmed yet.
  var awaited: [PlayerID] = []

  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("recipients", &recipients)
    visit.field("message", &message)
    visit.field("player_group", &playerGroup)
    visit.field("criteria", &criteria)
    visit.field("is_automatching", &isAutomatching)
    visit.field("context", &context)
    visit.field("match", &match)
    visit.field("present", &present)
    visit.field("created_at", &createdAt)
    visit.field("expires_at", &expiresAt)
    visit.field("confirmation", &confirmation)
    visit.field("awaited", &awaited)
  }
}

struct MatchInviteKey: RowKey {
  var inviter = PlayerID()
  var game = ""
  var invite = MatchInviteID()

  var owner: PlayerInGame { PlayerInGame(player: inviter, game: game) }

  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("inviter", &inviter)
    visit.field("game", &game)
    visit.field("invite", &invite)
  }
}

struct InvitedPlayer: Message {
  var player = PlayerID()
  var answer = MatchInviteAnswer()
  /// Whether the player was told. One who blocks the inviter was not, and never answers.
  var isTold = false
  /// Names the seat that was asked for in the running match; nil for none.
  var seatRequest = ContextID()

  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("answer", &answer)
    visit.field("isTold", &isTold)
    visit.field("seatRequest", &seatRequest)
  }
}

extension MatchInviteRow {
  var accepted: [PlayerID] { recipients.filter { $0.answer == .accepted }.map(\.player) }
  var isAnswered: Bool {
    recipients.allSatisfy { $0.answer != .pending && $0.seatRequest.isNil }
  }

  var info: MatchInviteInfo {
    var info = MatchInviteInfo()
    info.invite = key.invite
    info.recipients = recipients.map { recipient in
      var shown = MatchInviteRecipient()
      shown.player = recipient.player
      shown.answer = recipient.answer
      return shown
    }
    info.createdAt = createdAt
    info.expiresAt = expiresAt
    return info
  }
}

/// A player's budget of invitations that is not full.
struct MatchInviteBudgetRow: BudgetRow {
  static let tableID: UInt16 = 45
  static let tableName = "match_invite_budget"
  var key = PlayerID()
  var fullAt: Int64 = 0
}

/// A player's budget of invitations by all who are no friends, that is not full.
struct ReceivedInviteBudgetRow: BudgetRow {
  static let tableID: UInt16 = 48
  static let tableName = "received_invite_budget"
  var key = PlayerID()
  var fullAt: Int64 = 0
}

/// What a player gets of one inviter, or of all friends.
struct ReceivedInviteShareKey: RowKey {
  var player = PlayerID()
  /// Nil for the friends.
  var inviter = PlayerID()

  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("inviter", &inviter)
  }
}

/// A share of a player's budget of invitations that is not full.
struct ReceivedInviteShareRow: BudgetRow {
  static let tableID: UInt16 = 49
  static let tableName = "received_invite_share"
  static let fullAtColumn: StaticString = "full_at"
  var key = ReceivedInviteShareKey()
  var fullAt: Int64 = 0
}

extension NumberSetting {
  static let receivedInviteBurst = NumberSetting(
    "match-invite-received-burst", .count, default: 30, 1...100_000,
    "Invitations to matches that one player may get from friends in a row, and from others.")
  static let receivedInviteRefill = NumberSetting(
    "match-invite-received-refill-seconds", .seconds, default: 10, 1...86_400,
    "How long after a burst a player may get one more invitation to a match.")
  package static let matchInviteLifetime = NumberSetting(
    "match-invite-seconds", .seconds, default: 60, 1...3600,
    "How long an invitation to a match waits for answers.")
  static let matchInviteBurst = NumberSetting(
    "match-invite-burst", .count, default: 60, 15...100_000,
    "Players whom one player may invite to matches in a row.")
  static let matchInviteRefill = NumberSetting(
    "match-invite-refill-seconds", .seconds, default: 5, 1...86_400,
    "How long after a burst a player may invite one more to a match.")
}
