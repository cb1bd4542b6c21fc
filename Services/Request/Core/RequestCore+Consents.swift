import Domain
import Operations
import Wire

extension NumberSetting {
  static let consentBurst = NumberSetting(
    "consent-burst", .count, default: 100, 1...1_000_000,
    "Friends whom one player may let send requests without a dialog in a row.")
  static let consentRefill = NumberSetting(
    "consent-refill-seconds", .seconds, default: 30, 1...86_400,
    "How long after a burst of such consents a player may give one more.")
}

// A consent is changed by either side at its own key and told to the other, as a friendship is. The
// lists rest on what a key has heard; a send without a dialog asks at each recipient's key as well.

extension RequestCore {
  /// Whether a consent holds, as the key's `player` knows it.
  func holds(_ player: PlayerID, _ other: PlayerID, in game: String, isHeld: Bool) -> Bool {
    guard let row = consents[ConsentKey(player: player, other: other)] else { return false }
    let (consent, edge) = (row.consent(in: game), edges.row(player, other).edge)
    return isHeld ? consent.held.holds(edge) : consent.given.holds(edge)
  }

  func fetchConsent(_ operation: FetchConsent, _ call: Call, _ transaction: inout Transaction)
    -> FetchConsent.Reply
  {
    var reply = FetchConsent.Reply()
    reply.isGiven = holds(operation.player, call.player, in: call.game, isHeld: false)
    return reply
  }

  /// Refuses a send without a dialog to anybody who has not agreed to that.
  func checkConsents(
    of recipients: [String], to sender: PlayerID, _ call: Call
  ) throws(Stop) {
    let players = recipients.compactMap { PlayerID($0) }
    let isHeld = players.allSatisfy { holds(sender, $0, in: call.game, isHeld: true) }
    let isComplete = !players.isEmpty && players.count == recipients.count && isHeld
    let given = isComplete ? try call.facts(FetchConsent.self, at: players) : []
    if !isComplete || !given.allSatisfy(\.isGiven) {
      throw .conflict(
        "recipients", "Not every recipient has agreed to requests without a dialog.")
    }
  }

  func grantConsent(_ operation: GrantConsent, _ call: Call, _ transaction: inout Transaction)
    throws(Stop)
  {
    let caller = try caller(call).key
    if operation.player == caller || operation.player.isNil {
      throw .invalidArgument("player", "Another player is needed.")
    }
    let edge = edges.row(caller, operation.player).edge
    guard edge.state == .friends else {
      throw .refuse(.notReachable, argument: "player", "This player is no friend of yours.")
    }
    let key = ConsentKey(player: caller, other: operation.player)
    var row = consents[key] ?? ConsentRow(key: key)
    var consent = row.consent(in: call.game)
    if consent.given.holds(edge) { return }
    consent.given.grant(now: transaction.now, edge)
    guard row.put(consent, edge, now: transaction.now) else {
      throw .limitReached(
        "player", "There are consents between you in \(ConsentLimits.gamesMax) games, the most.")
    }
    if let wait = budgets.take(.consents, of: caller, &transaction) {
      throw .rateLimited("You have given many consents.", wait)
    }
    consents.put(row, &transaction)
    tell(consent, of: key, isHeld: false, call, &transaction)
  }

  func revokeConsent(_ operation: RevokeConsent, _ call: Call, _ transaction: inout Transaction)
    throws(Stop)
  {
    let key = ConsentKey(player: try caller(call).key, other: operation.player)
    guard holds(key.player, key.other, in: call.game, isHeld: operation.isHeld),
      var row = consents[key]
    else { return }
    var consent = row.consent(in: call.game)
    if operation.isHeld {
      consent.held.revoke(now: transaction.now)
    } else {
      consent.given.revoke(now: transaction.now)
    }
    // There is a place for it, since it held.
    _ = row.put(consent, edges.row(key.player, key.other).edge, now: transaction.now)
    consents.put(row, &transaction)
    tell(consent, of: key, isHeld: operation.isHeld, call, &transaction)
  }

  /// Tells the other side, and the player's own devices.
  private func tell(
    _ consent: GameConsent, of key: ConsentKey, isHeld: Bool, _ call: Call,
    _ transaction: inout Transaction
  ) {
    let stamps = isHeld ? consent.held : consent.given
    var news = RecordConsent()
    (news.player, news.other, news.isHeld) = (key.other, key.player, !isHeld)
    (news.granted, news.ended) = (stamps.granted, stamps.ended)
    transaction.effect(news, on: key.other, game: call.game)
    let event = ConsentChanged(
      sender: isHeld ? key.player : key.other, recipient: isHeld ? key.other : key.player,
      isGiven: stamps.granted > stamps.ended)
    append(event, to: key.player, from: key.player, game: call.game, &transaction)
  }

  /// News of a friendship come before those of its consents. They may meet a friendship that this
  /// side has ended, and perhaps begun again: by the times both sides come to the same.
  func recordConsent(
    _ operation: RecordConsent, _ call: Call, _ transaction: inout Transaction
  ) {
    let (player, other, isHeld) = (operation.player, operation.other, operation.isHeld)
    // Of an edge that was forgotten, consents are as well.
    guard edges.contains(FriendEdgeKey(player: player, friend: other)) else { return }
    let key = ConsentKey(player: player, other: other)
    let before = holds(player, other, in: call.game, isHeld: isHeld)
    var row = consents[key] ?? ConsentRow(key: key)
    var consent = row.consent(in: call.game)
    let told = ConsentStamps(granted: operation.granted, ended: operation.ended)
    if isHeld { consent.held.hear(told) } else { consent.given.hear(told) }
    // The other has found room for it, where news of this side's were still under way.
    let (edge, gamesMax) = (edges.row(player, other).edge, 2 * ConsentLimits.gamesMax)
    guard row.put(consent, edge, now: transaction.now, gamesMax: gamesMax) else { return }
    consents.put(row, &transaction)
    let after = holds(player, other, in: call.game, isHeld: isHeld)
    guard after != before else { return }
    let event = ConsentChanged(
      sender: isHeld ? player : other, recipient: isHeld ? other : player, isGiven: after)
    append(event, to: player, from: other, game: call.game, &transaction)
  }

  func listConsents(_ operation: ListConsents, _ call: Call, _ transaction: inout Transaction)
    throws(Stop) -> ListConsents.Reply
  {
    let list = PagedList(operation, call)
    let last: PageCursor<PlayerKind>? = try list.end(ofPage: operation.cursor)
    var reply = ListConsents.Reply()
    for friend in edges.friends(of: call.player, after: last?.id ?? PlayerID()) {
      guard let row = consents[ConsentKey(player: call.player, other: friend)] else { continue }
      let (known, edge) = (row.consent(in: call.game), edges.row(call.player, friend).edge)
      let (isGiven, isHeld) = (known.given.holds(edge), known.held.holds(edge))
      guard isGiven || isHeld else { continue }
      if reply.consents.count == Int(operation.limit), let end = reply.consents.last {
        reply.cursor = list.text(PageCursor(time: 0, id: end.player))
        break
      }
      var consent = Consent()
      consent.player = friend
      (consent.isGiven, consent.isHeld) = (isGiven, isHeld)
      reply.consents.append(consent)
    }
    return reply
  }
}
