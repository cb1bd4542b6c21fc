import Domain
import Operations
import Wire

/// Invitations to matches, at their inviters' keys.
///
/// The match's context opens when the answers are in, and not before: the inviter would see by who
/// is in it, and who is not, which of the invited were never told.
final class MatchInvites: CorePart {
  var table = GroupedTable<MatchInviteRow, PlayerInGame> { $0.owner }
  private var budgets = KeyedBudgetRows<MatchInviteBudgetRow>()
  /// Of invitations that come to each player: from all who are no friends, and from friends or one
  /// sender.
  private var received = KeyedBudgetRows<ReceivedInviteBudgetRow>()
  private var shares = KeyedBudgetRows<ReceivedInviteShareRow>()
  private let lifetime: Int64
  private let rate: TokenBucket.Rate
  private let receivedRate: TokenBucket.Rate
  /// Of one sender: a third, so that no one sender keeps others from inviting a player.
  private let shareRate: TokenBucket.Rate

  init(settings: SettingValues) {
    lifetime = settings[.matchInviteLifetime]
    rate = settings.rate(.matchInviteBurst, refill: .matchInviteRefill)
    receivedRate = settings.rate(.receivedInviteBurst, refill: .receivedInviteRefill)
    shareRate = TokenBucket.Rate(
      burst: max(1, settings[.receivedInviteBurst] / 3),
      refillMilliseconds: 3 * settings[.receivedInviteRefill])
  }

  func register(_ router: inout Router) {
    router.on(InvitePlayers.self, invitePlayers)
    router.on(AnswerMatchInvite.self, answerMatchInvite)
    router.on(CancelMatchInvite.self, cancelMatchInvite)
    router.on(ListMatchInvites.self, listMatchInvites)
    router.on(EndMatchInvite.self, endMatchInvite)
    router.on(OfferMatchInvite.self, offerMatchInvite)
    router.on(MatchInviteRefused.self, matchInviteRefused)
  }

  func register(_ tables: inout Tables) {
    tables.resident(MatchInviteRow.self) { self.table.load($0) }
    tables.resident(MatchInviteBudgetRow.self) { self.budgets.load($0) }
    tables.resident(ReceivedInviteBudgetRow.self) { self.received.load($0) }
    tables.resident(ReceivedInviteShareRow.self) { self.shares.load($0) }
    tables.erases(MatchInviteRow.self, erase)
    tables.erases(MatchInviteBudgetRow.self) { (row, _, transaction) in
      self.budgets.erase(row.key, &transaction)
    }
    tables.erases(ReceivedInviteBudgetRow.self) { (row, _, transaction) in
      self.received.erase(row.key, &transaction)
    }
    tables.erases(ReceivedInviteShareRow.self) { (row, _, transaction) in
      self.shares.erase(row.key, &transaction)
    }
  }

  private func invitePlayers(
    _ operation: InvitePlayers, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> InvitePlayers.Reply {
    let reachable = try checkRecipients(operation, call)
    let owner = PlayerInGame(player: call.player, game: call.game)
    guard table.count(of: owner) < MatchmakingLimits.openInvitesMax else {
      throw .refuse(
        .limitReached,
        "A player has at most \(MatchmakingLimits.openInvitesMax) invitations to matches open.")
    }
    let count = operation.recipients.count
    if let wait = budgets.take(count, of: call.player, at: rate, &transaction) {
      throw .rateLimited("You have invited many players.", wait)
    }
    var row = MatchInviteRow()
    row.key.inviter = call.player
    row.key.game = call.game
    row.key.invite = transaction.identifier()
    row.message = operation.message
    row.playerGroup = operation.playerGroup
    row.criteria = operation.criteria
    row.isAutomatching = operation.isAutomatching
    if operation.match != 0, let party = operation.party {
      row.context = party
      row.match = operation.match
      row.present = try call.fact(FetchParty.self, at: party).players
    }
    row.createdAt = transaction.now
    row.expiresAt = transaction.now + lifetime
    let friends = Set(try call.fact(FetchFriends.self).friends)
    for (player, isReachable) in zip(operation.recipients, reachable) {
      var recipient = InvitedPlayer()
      recipient.player = player
      recipient.isTold = isReachable
      row.recipients.append(recipient)
      if isReachable { invite(player, friends.contains(player), to: row, &transaction) }
    }
    table.put(row, &transaction)
    var timer = EndMatchInvite()
    timer.invite = row.key.invite
    transaction.setTimer(
      timer, on: call.player, item: RoutingKey(reinterpreting: timer.invite), at: row.expiresAt,
      game: call.game)
    var reply = InvitePlayers.Reply()
    reply.invite = row.key.invite
    reply.expiresAt = row.expiresAt
    return reply
  }

  /// Refuses a call that invites somebody whom the caller may not, and returns for each recipient
  /// whether the invitation may come to them.
  private func checkRecipients(_ operation: InvitePlayers, _ call: Call) throws(Stop) -> [Bool] {
    var known = Set(try call.fact(FetchFriends.self).friends)
    if let party = operation.party {
      known.formUnion(try call.fact(FetchParty.self, at: party).players)
    }
    let blocked = try call.fact(FetchBlocks.self).blocked
    let isGood = operation.recipients.allSatisfy {
      known.contains($0) && $0 != call.player && !blocked.contains($0)
    }
    let reachable = try call.facts(FetchPlayer.self, at: operation.recipients)
    guard isGood else {
      throw .refuse(
        .notReachable, argument: "recipients", "One of these players cannot be reached.")
    }
    return reachable.map(\.isReachable)
  }

  private func invite(
    _ player: PlayerID, _ isFriend: Bool, to row: MatchInviteRow, _ transaction: inout Transaction
  ) {
    var event = MatchInvitation()
    event.invite = row.key.invite
    event.inviter = row.key.inviter
    event.message = row.message
    event.playerGroup = row.playerGroup
    event.playerAttributes = row.criteria.playerAttributes
    event.expiresAt = row.expiresAt
    event.waitMilliseconds = UInt32(clamping: row.expiresAt - transaction.now)
    event.context = row.match == 0 ? nil : row.context
    var offer = OfferMatchInvite()
    offer.player = player
    offer.invitation = event
    offer.isFriend = isFriend
    transaction.effect(offer, on: player, game: row.key.game)
  }

  /// At the recipient: however many invite one player, its stream has a bounded number of it. What
  /// is over by now is not told.
  private func offerMatchInvite(
    _ operation: OfferMatchInvite, _ call: Call, _ transaction: inout Transaction
  ) {
    let invitation = operation.invitation
    if transaction.now >= invitation.expiresAt { return }
    guard takeShare(operation, &transaction) else {
      var refusal = MatchInviteRefused()
      refusal.inviter = invitation.inviter
      refusal.invite = invitation.invite
      refusal.player = operation.player
      transaction.effect(refusal, on: invitation.inviter, game: call.game)
      return
    }
    var event = AppendEvent(invitation, to: operation.player, from: invitation.inviter)
    event.isUnlessBlocked = true
    transaction.effect(event, on: operation.player, game: call.game)
  }

  /// The sender's own share comes first: what is over it takes nothing from the others'. Friends
  /// have a budget besides that of all others, of whom there may be many.
  private func takeShare(
    _ operation: OfferMatchInvite, _ transaction: inout Transaction
  ) -> Bool {
    var share = ReceivedInviteShareKey(
      player: operation.player, inviter: operation.invitation.inviter)
    guard shares.take(of: share, at: shareRate, &transaction) == nil else { return false }
    guard operation.isFriend else {
      return received.take(of: operation.player, at: receivedRate, &transaction) == nil
    }
    share.inviter = PlayerID()
    return shares.take(of: share, at: receivedRate, &transaction) == nil
  }

  /// - Parameter unlessBlocked: whether the event is dropped where the player blocks the sender.
  func send<E: Event>(
    _ event: E, to player: PlayerID, from sender: PlayerID, _ row: MatchInviteRow,
    unlessBlocked: Bool = false, _ transaction: inout Transaction
  ) {
    var effect = AppendEvent(event, to: player, from: sender)
    effect.isUnlessBlocked = unlessBlocked
    transaction.effect(effect, on: player, game: row.key.game)
  }

  private func listMatchInvites(
    _ operation: ListMatchInvites, _ call: Call, _ transaction: inout Transaction
  ) -> ListMatchInvites.Reply {
    var reply = ListMatchInvites.Reply()
    let owner = PlayerInGame(player: call.player, game: call.game)
    reply.invites = table.rows(of: owner).map(\.info).sorted {
      ($0.createdAt, $0.invite) > ($1.createdAt, $1.invite)
    }
    return reply
  }
}
