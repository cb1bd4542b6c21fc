import Domain
import Operations
import Wire

/// Challenges that are issued back when they are beaten.
///
/// The board knows that one was beaten, the player's key whether the player wants that, and the
/// request service whether the two are friends: an effect goes from one to the next, back to the board.
extension LeaderboardCore {
  func setChallengePreferences(
    _ operation: SetChallengePreferences, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> Empty {
    let key = ChallengeListKey(player: call.player, game: call.game)
    guard operation.issuesBack != (issuingBackSince[key] != nil) else { return Empty() }
    var row = ChallengePreferenceRow()
    row.key = PreferenceKey(player: call.player, game: RoutingKey(game: call.game))
    row.game = call.game
    row.issuingBackSince = transaction.now
    if operation.issuesBack {
      issuingBackSince[key] = transaction.now
      transaction.put(row)
    } else {
      issuingBackSince[key] = nil
      transaction.remove(ChallengePreferenceRow.self, row.key)
    }
    return Empty()
  }

  func getChallengePreferences(
    _ operation: GetChallengePreferences, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> GetChallengePreferences.Reply {
    var reply = GetChallengePreferences.Reply()
    let key = ChallengeListKey(player: call.player, game: call.game)
    reply.issuesBack = issuingBackSince[key] != nil
    return reply
  }

  /// At the key of the player who beat the challenge, and who must have asked for it before.
  func offerReturn(_ change: ChallengeChanged, _ call: Call, _ transaction: inout Transaction) {
    let challenge = change.challenge
    let key = ChallengeListKey(player: challenge.receiver, game: call.game)
    guard change.player == challenge.receiver, challenge.state == .completed,
      let score = change.beatenBy, let date = challenge.completionDate,
      let since = issuingBackSince[key], since <= date
    else { return }
    var offer = ReturnScoreChallenge()
    offer.key = RoutingKey(game: call.game, name: challenge.board)
    offer.issuer = challenge.receiver
    offer.receiver = challenge.issuer
    offer.score = score
    offer.beaten = challenge.id
    transaction.effect(OfferReturnChallenge(offer), on: offer.issuer, game: call.game)
  }

  func returnScoreChallenge(
    _ operation: ReturnScoreChallenge, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> Empty {
    // Whether the two are still in the context of a linked board is not known here.
    guard let board = boards[operation.key], board.row.game == call.game,
      board.definition.linkedContext == nil, try stillCounts(operation, board, transaction)
    else { return Empty() }
    let order = board.definition.sortOrder
    let open = board.openChallenges[operation.receiver] ?? []
    let asksAsMuch = open.contains {
      $0.challenge.issuer == operation.issuer && !$0.challenge.isOver(at: transaction.now)
        && !order.isBetter(operation.score.value, than: $0.challenge.value)
    }
    guard !asksAsMuch, board.hasRoom(from: operation.issuer, to: operation.receiver) else {
      return Empty()
    }
    var challenge = Challenge()
    challenge.id = transaction.identifier()
    challenge.board = board.definition.board
    challenge.issuer = operation.issuer
    challenge.receiver = operation.receiver
    challenge.value = operation.score.value
    challenge.context = operation.score.context
    challenge.attempt = operation.score.attempt
    challenge.issueDate = transaction.now
    issue(challenge, board, &transaction)
    return Empty()
  }

  /// False when the score that beat the challenge was removed on the way here.
  private func stillCounts(
    _ operation: ReturnScoreChallenge, _ board: Board, _ transaction: Transaction
  ) throws(Stop) -> Bool {
    guard let beaten = operation.beaten else { return true }
    let key = CompletedChallengeKey(
      boardKey: board.key, player: operation.issuer, attempt: operation.score.attempt,
      challenge: beaten
    ).keyBytes
    let range = ColdRange(
      table: CompletedChallengeRow.tableID, from: key, through: key, limit: 1)
    return try !transaction.rows(CompletedChallengeRow.self, in: range).isEmpty
  }
}

struct PreferenceKey: Message, Hashable {
  var player = PlayerID()
  var game = RoutingKey()
  init() {}
  init(player: PlayerID, game: RoutingKey) {
    self.player = player
    self.game = game
  }
  static var isFrozen: Bool { true }
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("gameKey", &game)
  }
}

/// A player who wants beaten challenges issued back; whoever does not has no row.
struct ChallengePreferenceRow: Row {
  static let tableID: UInt16 = 50
  static let tableName = "challenge_preference"
  var key = PreferenceKey()
  var game = ""
  var issuingBackSince: Int64 = 0
  init() {}
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("game", &game)
    visit.field("issuingBackSince", &issuingBackSince)
  }
}
