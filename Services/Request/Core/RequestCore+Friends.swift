import Domain
import Operations
import Wire

extension NumberSetting {
  static let invitationBurst = NumberSetting(
    "invitation-burst", .count, default: 50, 1...1_000_000,
    "Players whom one player may invite as friends in a row.")
  static let invitationRefill = NumberSetting(
    "invitation-refill-seconds", .seconds, default: 60, 1...86_400,
    "How long after a burst of invitations a player may send one more.")
  static let invitationLifetime = NumberSetting(
    "invitation-lifetime-days", .days, default: 60, 1...3650,
    "How long an invitation waits for an answer before it counts as declined.")
}

extension RequestCore {
  func fetchFriends(_ operation: FetchFriends, _ call: Call, _ transaction: inout Transaction)
    throws(Stop) -> FetchFriends.Reply
  {
    var reply = FetchFriends.Reply()
    reply.friends = edges.friends(of: operation.player)
    reply.time = transaction.now
    return reply
  }

  func fetchBlocks(_ operation: FetchBlocks, _ call: Call, _ transaction: inout Transaction)
    throws(Stop) -> FetchBlocks.Reply
  {
    var reply = FetchBlocks.Reply()
    reply.blocked = edges.blocked(by: operation.player)
    return reply
  }

  func listFriends(_ operation: ListFriends, _ call: Call, _ transaction: inout Transaction)
    throws(Stop) -> ListFriends.Reply
  {
    let list = PagedList(operation, call)
    let last: PageCursor<PlayerKind>? = try list.end(ofPage: operation.cursor)
    let listed = edges.listed(of: call.player, after: last?.id)
    let limit = operation.limit == 0 ? FriendLimits.replyMax : Int(operation.limit)
    let page = listed.prefix(limit).map { edges.row(call.player, $0) }
    var profiles: [PlayerID: Profile] = [:]
    if operation.limit > 0 {
      // Of others than friends nothing is asked.
      let friends = page.filter { $0.edge.state == .friends }.map(\.key.friend)
      for profile in try call.facts(FetchProfile.self, at: friends) where profile.isReachable {
        profiles[profile.player] = profile
      }
    }
    var reply = ListFriends.Reply()
    for row in page {
      var friend = Friend()
      friend.player = row.key.friend
      friend.state = row.edge.state
      friend.displayName = row.displayName
      if let profile = profiles[friend.player] {
        friend.displayName = profile.displayName
        friend.presence = profile.presence
        friend.alias = profile.alias
        (friend.smallPhoto, friend.normalPhoto) = (profile.smallPhoto, profile.normalPhoto)
      }
      reply.friends.append(friend)
    }
    if listed.count > limit, let end = page.last {
      reply.cursor = list.text(PageCursor(time: 0, id: end.key.friend))
    }
    return reply
  }

  func inviteFriend(_ operation: InviteFriend, _ call: Call, _ transaction: inout Transaction)
    throws(Stop) -> InviteFriend.Reply
  {
    var reply = InviteFriend.Reply()
    reply.state = try invite(operation.player, as: try caller(call), call, &transaction)
    return reply
  }

  /// Invites a player, or accepts the player's own invitation; returns how the two stand then.
  func invite(
    _ player: PlayerID, as caller: PlayerRow, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> FriendState {
    try checkOther(player, call)
    var row = edges.row(caller.key, player)
    switch row.edge.state {
    case .blocked: throw .conflict("player", "You block this player.")
    case .none:
      try checkFriendsLimit(of: caller.key)
      if let wait = budgets.take(.invitations, of: caller.key, &transaction) {
        throw .rateLimited("You have sent many invitations.", wait)
      }
    case .received: try checkFriendsLimit(of: caller.key)
    default: break
    }
    let mustTell = row.edge.wish(now: wishTime(row.key, transaction))
    if call.standIns.contains(player) { return row.edge.state }
    keep(row, mustTell: mustTell, as: caller, &transaction)
    return row.edge.state
  }

  /// The time of a wish, no earlier than any consent, which is of the friendship before: those that
  /// were given several times within a moment have times behind that moment.
  private func wishTime(_ key: FriendEdgeKey, _ transaction: Transaction) -> Int64 {
    max(transaction.now, consents[ConsentKey(player: key.player, other: key.friend)]?.latest ?? 0)
  }

  func answerFriend(_ operation: AnswerFriend, _ call: Call, _ transaction: inout Transaction)
    throws(Stop) -> AnswerFriend.Reply
  {
    let caller = try caller(call)
    var row = edges.row(caller.key, operation.player)
    guard row.edge.state == .received else {
      throw .notFound("player", "There is no invitation from this player.")
    }
    if operation.accept { try checkFriendsLimit(of: caller.key) }
    let mustTell =
      operation.accept
      ? row.edge.wish(now: wishTime(row.key, transaction)) : row.edge.end(now: transaction.now)
    keep(row, mustTell: mustTell, as: caller, &transaction)
    var reply = AnswerFriend.Reply()
    reply.state = row.edge.state
    return reply
  }

  func removeFriend(_ operation: RemoveFriend, _ call: Call, _ transaction: inout Transaction)
    throws(Stop)
  {
    let caller = try caller(call)
    var row = edges.row(caller.key, operation.player)
    if row.edge.state == .blocked { return }
    if row.edge.end(now: transaction.now) { keep(row, mustTell: true, as: caller, &transaction) }
  }

  func blockPlayer(_ operation: BlockPlayer, _ call: Call, _ transaction: inout Transaction)
    throws(Stop)
  {
    let caller = try caller(call)
    try checkOther(operation.player, call)
    try block(operation.player, as: caller, call, &transaction)
  }

  func block(
    _ player: PlayerID, as caller: PlayerRow, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) {
    var row = edges.row(caller.key, player)
    if row.edge.state == .blocked { return }
    if edges.counts(of: caller.key).blocked >= FriendLimits.blockedMax {
      throw .refuse(.limitReached, "You block \(FriendLimits.blockedMax) players, the most.")
    }
    // Of an erased player nothing is written again; there is nobody to block.
    if call.standIns.contains(player) { return }
    let mustTell = row.edge.block(now: transaction.now)
    keep(row, mustTell: mustTell, as: caller, &transaction)
    tellContexts(of: row, isBlocked: true, &transaction)
  }

  func unblockPlayer(_ operation: UnblockPlayer, _ call: Call, _ transaction: inout Transaction)
    throws(Stop)
  {
    let caller = try caller(call)
    var row = edges.row(caller.key, operation.player)
    guard row.edge.state == .blocked else { return }
    let mustTell = row.edge.unblock(now: transaction.now)
    keep(row, mustTell: mustTell, as: caller, &transaction)
    tellContexts(of: row, isBlocked: false, &transaction)
  }

  /// The contexts of the two close for both; the player's list of contexts knows them, in all
  /// games.
  private func tellContexts(
    of row: FriendEdgeRow, isBlocked: Bool, _ transaction: inout Transaction
  ) {
    var news = RecordBlock()
    news.player = row.key.player
    news.other = row.key.friend
    news.isBlocked = isBlocked
    news.time = transaction.now
    transaction.effect(news, on: news.player, game: "")
  }

  private func checkOther(_ player: PlayerID, _ call: Call) throws(Stop) {
    if player == call.player || player.isNil {
      throw .invalidArgument("player", "Another player is needed.")
    }
  }

  func checkFriendsLimit(of player: PlayerID) throws(Stop) {
    if edges.counts(of: player).wishes >= FriendLimits.friendsMax {
      throw .refuse(
        .limitReached,
        "You have \(FriendLimits.friendsMax) friends and open invitations, the most.")
    }
  }

  func keep(
    _ row: FriendEdgeRow, mustTell: Bool, as owner: PlayerRow, _ transaction: inout Transaction
  ) {
    put(row, &transaction)
    if mustTell { tell(row, as: owner, &transaction) }
  }

  func put(_ row: FriendEdgeRow, _ transaction: inout Transaction) {
    let before = edges.state(row.key.player, row.key.friend)
    edges.put(row, &transaction)
    forgetConsents(of: row.key, &transaction)
    if before != .friends && row.edge.state == .friends {
      friendshipBegan(row.key.player, with: row.key.friend, &transaction)
    }
  }

  /// What is known of consents goes with the edge.
  private func forgetConsents(of key: FriendEdgeKey, _ transaction: inout Transaction) {
    if edges.contains(key) { return }
    consents.remove(ConsentKey(player: key.player, other: key.friend), &transaction)
  }

  func tell(
    _ row: FriendEdgeRow, as owner: PlayerRow, isImported: Bool = false,
    _ transaction: inout Transaction
  ) {
    var news = FriendEdgeChanged()
    news.isImported = isImported
    news.player = row.key.friend
    news.friend = owner.key
    news.wished = row.mine
    news.ended = row.ended
    news.displayName = owner.displayName
    transaction.effect(news, on: row.key.friend, game: "")
  }

  func forgetFriendEdge(
    _ operation: ForgetFriendEdge, _ call: Call, _ transaction: inout Transaction
  ) {
    let player = PlayerID(reinterpreting: call.key)
    let key = FriendEdgeKey(player: player, friend: operation.friend)
    edges.forget(key, &transaction)
    forgetConsents(of: key, &transaction)
  }

  func friendEdgeChanged(
    _ operation: FriendEdgeChanged, _ call: Call, _ transaction: inout Transaction
  ) {
    // An invitation to nobody stays unanswered, as one to a player who blocks does.
    guard let owner = players[operation.player] else { return }
    // What an erased player has sent comes from the stand-in, who is nobody's friend.
    if call.standIns.contains(operation.friend) { return }
    if operation.isImported { return hearImported(operation, as: owner, &transaction) }
    var row = edges.row(owner.key, operation.friend)
    let isNew = !edges.contains(row.key)
    let notice = row.edge.hear(wished: operation.wished, ended: operation.ended)
    row.displayName = operation.displayName
    if notice == .invitation && isInvitationSurplus(owner.key, row) {
      // Turned down at once. A stranger leaves no row behind; the stamp voids the wish there.
      _ = row.edge.end(now: transaction.now)
      if isNew {
        tell(row, as: owner, &transaction)
      } else {
        keep(row, mustTell: true, as: owner, &transaction)
      }
      return
    }
    put(row, &transaction)
    switch notice {
    case .nothing: break
    case .invitation:
      let event = FriendInvitation(operation.friend, operation.displayName)
      append(event, to: owner.key, from: operation.friend, game: "", &transaction)
    case .friendship:
      let event = FriendAccepted(operation.friend, operation.displayName)
      append(event, to: owner.key, from: operation.friend, game: "", &transaction)
      // The other may have wished without having heard of the owner's wish, as one whose store was
      // put back to a backup, and would wait for an answer.
      tell(row, as: owner, &transaction)
    }
  }

  func expireInvitation(
    _ operation: ExpireInvitation, _ call: Call, _ transaction: inout Transaction
  ) {
    let player = PlayerID(reinterpreting: call.key)
    var row = edges.row(player, operation.friend)
    guard let owner = players[player], row.edge.state == .invited else { return }
    if edges.expiry(of: row) > transaction.now {
      // The lifetime was raised since the timer was set.
      edges.setTimer(of: row, &transaction)
    } else {
      let mustTell = row.edge.expire()
      keep(row, mustTell: mustTell, as: owner, &transaction)
    }
  }

  private func isInvitationSurplus(_ player: PlayerID, _ row: FriendEdgeRow) -> Bool {
    edges.state(player, row.key.friend) != .received
      && edges.counts(of: player).received >= FriendLimits.receivedMax
  }
}
