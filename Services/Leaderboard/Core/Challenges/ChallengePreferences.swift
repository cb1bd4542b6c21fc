import Domain
import Operations
import Wire

/// Challenges that are issued back when they are beaten.
///
/// The board knows that one was beaten, the player's key whether the player wants that, and the
/// request service whether the two are friends: an effect goes from one to the next, back to the
/// board.
final class ChallengePreferences: CorePart {
  /// Players who want beaten challenges issued back, and since when.
  private var issuingBackSince: [ChallengeListKey: Int64] = [:]

  func register(_ router: inout Router) {
    router.on(SetChallengePreferences.self, setChallengePreferences)
    router.on(GetChallengePreferences.self, getChallengePreferences)
  }

  func register(_ tables: inout Tables) {
    tables.resident(ChallengePreferenceRow.self) { row in
      let key = ChallengeListKey(player: row.key.player, game: row.game)
      self.issuingBackSince[key] = row.issuingBackSince
    }
  }

  /// Forgets what an erased player wanted.
  func forget(_ row: ChallengePreferenceRow, _ transaction: inout Transaction) {
    issuingBackSince[ChallengeListKey(player: row.key.player, game: row.game)] = nil
    transaction.remove(ChallengePreferenceRow.self, row.key)
  }

  private func setChallengePreferences(
    _ operation: SetChallengePreferences, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) {
    let key = ChallengeListKey(player: call.player, game: call.game)
    guard operation.issuesBack != (issuingBackSince[key] != nil) else { return }
    let row = ChallengePreferenceRow(
      key: PreferenceKey(player: call.player, game: RoutingKey(game: call.game)), game: call.game,
      issuingBackSince: transaction.now)
    if operation.issuesBack {
      issuingBackSince[key] = transaction.now
      transaction.put(row)
    } else {
      issuingBackSince[key] = nil
      transaction.remove(ChallengePreferenceRow.self, row.key)
    }
  }

  private func getChallengePreferences(
    _ operation: GetChallengePreferences, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> GetChallengePreferences.Reply {
    var reply = GetChallengePreferences.Reply()
    let key = ChallengeListKey(player: call.player, game: call.game)
    reply.issuesBack = issuingBackSince[key] != nil
    return reply
  }

  /// Offers to issue a beaten challenge back, if the player who beat it had asked for that.
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
}
