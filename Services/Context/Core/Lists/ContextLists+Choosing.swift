import Domain
import Operations
import Wire

extension ContextLists {
  func chooseContexts(
    _ operation: ChooseContexts, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> ChooseContexts.Reply {
    try checkPage(limit: operation.limit)
    let list = PagedList(operation, call)
    let end: PageCursor<ContextKind>? = try list.end(ofPage: operation.cursor)
    let places = lists.places(of: owner(call))
    let start = end.map { end in places.sortedCount { $0 <= end } } ?? 0
    var reply = ChooseContexts.Reply()
    for (index, place) in places[start...].prefix(ContextLimits.choiceScanMax).enumerated() {
      let key = ContextListKey(player: call.player, context: place.id)
      if let info = lists.rows[key]?.info, operation.lets(info, to: call.player) {
        reply.contexts.append(info)
      }
      let isLast = start + index + 1 == places.count
      reply.cursor = isLast ? "" : list.text(place)
      if reply.contexts.count == Int(operation.limit) { break }
    }
    return reply
  }

  /// Friends are asked in the order of their ids, so that a page goes on where the last one ended
  /// whoever becomes a friend meanwhile.
  func suggestContexts(
    _ operation: SuggestContexts, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> SuggestContexts.Reply {
    let list = PagedList(operation, call)
    let end: PageCursor<PlayerKind>? = try list.end(ofPage: operation.cursor)
    let friends = try call.fact(FetchFriends.self).friends.sorted()
    let rest = end.map { end in friends.filter { $0 > end.id } } ?? friends
    let asked = Array(rest.prefix(ContextLimits.suggestionFriendsMax))
    let answers = try call.facts(FetchJoinableContexts.self, at: asked)
    // Who is a friend the caller's own list says, which hears of a block after it holds.
    let reachable = try call.facts(FetchPlayer.self, at: asked).map(\.isReachable)
    var reply = SuggestContexts.Reply()
    var seen: Set<ContextID> = []
    for (index, friend) in asked.enumerated() where reachable[index] {
      for info in answers[index].contexts where seen.insert(info.context).inserted {
        let key = ContextListKey(player: call.player, context: info.context)
        if lists.rows[key] == nil { reply.contexts.append(info) }
      }
      if !pairs.has(call.player, friend, in: call.game) { reply.friends.append(friend) }
    }
    if let last = asked.last, asked.count < rest.count {
      reply.cursor = list.text(PageCursor(time: 0, id: last))
    }
    return reply
  }

  /// Whom the player blocks, the player suggests nothing to.
  func fetchJoinableContexts(
    _ operation: FetchJoinableContexts, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> FetchJoinableContexts.Reply {
    var reply = FetchJoinableContexts.Reply()
    if pairs.block(of: operation.player, against: call.player) != nil { return reply }
    let places = lists.places(of: PlayerInGame(operation.player, call))
    for place in places.prefix(ContextLimits.suggestionScanMax) {
      let key = ContextListKey(player: operation.player, context: place.id)
      guard let info = lists.rows[key]?.info, info.form == .group, info.policy == .open,
        info.size < info.sizeMax,
        info.players.contains(where: { $0.player == operation.player && $0.state == .active })
      else { continue }
      reply.contexts.append(info.forOutsiders)
      if reply.contexts.count == ContextLimits.suggestedPerFriendMax { break }
    }
    return reply
  }
}

extension ChooseContexts {
  /// Whether the filter and the bounds let a context through, as its summary in the caller's list
  /// says. The caller has a session in the game, but the summary may not have heard of it.
  func lets(_ info: ContextInfo, to caller: PlayerID) -> Bool {
    guard info.size >= minParticipants, maxParticipants == 0 || info.size <= maxParticipants
    else { return false }
    return switch filter {
    case .existingChallenges: info.openChallenges > 0
    case .newPlayersOnly:
      info.size > 1
        && Int(info.newPlayers) - info.players.count { $0.player == caller && $0.isNew }
          == Int(info.size) - 1
    case .newContextOnly: !info.hasPlayed
    default: true
    }
  }
}
