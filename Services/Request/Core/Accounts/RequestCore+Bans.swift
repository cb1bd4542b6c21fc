import Domain
import Operations
import Wire

// Who is kept out of a game, or of all.

extension RequestCore {
  func banPlayer(_ operation: BanPlayer, _ call: Call, _ transaction: inout Transaction)
    throws(Stop)
  {
    let player = operation.player
    if operation.until != 0, operation.until <= transaction.now {
      throw .invalidArgument("until", "The end of a ban lies in the future.")
    }
    guard players[player] != nil else { throw .notFound("player", "There is no such player.") }
    let row = BanRow(
      key: PlayerGameKey(player: player, game: call.game), since: transaction.now,
      until: operation.until, reason: operation.reason)
    bans.put(row, &transaction)
    setExpiryTimer(of: player, &transaction)
    var event = SessionRevoked(.banned, row.sentence)
    event.ban = row.ban
    for session in instances.rows(of: player) where call.game.isEmpty || session.game == call.game {
      revoke(session.key, event, &transaction)
    }
  }

  func liftBan(_ operation: LiftBan, _ call: Call, _ transaction: inout Transaction)
    throws(Stop) -> LiftBan.Reply
  {
    let key = PlayerGameKey(player: operation.player, game: call.game)
    guard let row = bans[key], row.holds(transaction.now) else {
      throw .notFound("player", "The player is not banned.")
    }
    bans.remove(key, &transaction)
    var reply = LiftBan.Reply()
    (reply.ban, reply.player) = (row.ban, operation.player)
    return reply
  }

  /// Refuses who is kept out of a game. It comes after the credential: others learn nothing.
  func checkBans(of player: PlayerID, in game: String, now: Int64) throws(Stop) {
    for named in game.isEmpty ? [""] : ["", game] {
      guard let row = bans[PlayerGameKey(player: player, game: named)], row.holds(now) else {
        continue
      }
      throw row.refusal
    }
  }

  /// Refuses who is kept out of any game: with an identity of another player's, or of nobody's, the
  /// player would come back.
  func checkBans(of player: PlayerID, now: Int64) throws(Stop) {
    let row = bans.rows(of: player).filter { $0.holds(now) }.min { $0.key.game < $1.key.game }
    if let row { throw row.refusal }
  }

  /// When the first ban of a player is over; nil if none is ever.
  func firstBanEnd(of player: PlayerID) -> Int64? {
    bans.rows(of: player).lazy.map(\.until).filter { $0 != 0 }.min()
  }

  func expireBans(of player: PlayerID, _ transaction: inout Transaction) {
    for row in bans.rows(of: player).sorted(by: { $0.key.game < $1.key.game })
    where !row.holds(transaction.now) {
      bans.remove(row.key, &transaction)
    }
  }
}

extension BanRow {
  fileprivate var refusal: Stop { .refuse(.banned, sentence, detail: Bytes(ban.encoded)) }

  fileprivate func holds(_ now: Int64) -> Bool { until == 0 || now < until }

  fileprivate var sentence: String {
    let place = key.game.isEmpty ? "here" : "in this game"
    return reason.isEmpty
      ? "The player is banned \(place)." : "The player is banned \(place): \(reason)"
  }
}
