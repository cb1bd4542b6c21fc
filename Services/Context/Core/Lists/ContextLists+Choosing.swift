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
      if let info = lists.rows[key]?.info, operation.lets(info) { reply.contexts.append(info) }
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
    var reply = SuggestContexts.Reply()
    var seen: Set<ContextID> = []
    for (friend, answer) in zip(asked, answers) {
      for info in answer.contexts where seen.insert(info.context).inserted {
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

  /// What strangers to a group may know of it: neither its players nor its challenges.
  func fetchJoinableContexts(
    _ operation: FetchJoinableContexts, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> FetchJoinableContexts.Reply {
    var reply = FetchJoinableContexts.Reply()
    let places = lists.places(of: PlayerInGame(operation.player, call))
    for place in places.prefix(ContextLimits.suggestionScanMax) {
      let key = ContextListKey(player: operation.player, context: place.id)
      guard var info = lists.rows[key]?.info, info.form == .group, info.policy == .open,
        info.size < info.sizeMax,
        info.players.contains(where: { $0.player == operation.player && $0.state == .active })
      else { continue }
      info.players = []
      info.openChallenges = 0
      reply.contexts.append(info)
      if reply.contexts.count == ContextLimits.suggestedPerFriendMax { break }
    }
    return reply
  }
}

extension ChooseContexts {
  /// Whether the filter and the bounds let a context through, as its summary in the caller's list
  /// says. The caller has a session in the game, and so is not new.
  func lets(_ info: ContextInfo) -> Bool {
    guard info.size >= minParticipants, maxParticipants == 0 || info.size <= maxParticipants
    else { return false }
    return switch filter {
    case .existingChallenges: info.openChallenges > 0
    case .newPlayersOnly: info.size > 1 && info.newPlayers == info.size - 1
    case .newContextOnly: !info.hasPlayed
    default: true
    }
  }
}
