import Domain
import Operations
import Wire

// Friends of friends. Ids are random, so that friends who stand side by side in the order of their
// ids are a sample like any other: none is sorted or drawn for it. All friends name those behind
// one point of that order, so that a player whom several of them know is named by several, and not
// by whoever happened to begin before it. Each day has another point.

extension RequestCore {
  func fetchFriendSample(
    _ operation: FetchFriendSample, _ call: Call, _ transaction: inout Transaction
  ) -> FetchFriendSample.Reply {
    var reply = FetchFriendSample.Reply()
    guard edges.state(operation.player, call.player) == .friends else { return reply }
    let friends = edges.friends(of: operation.player)
    let point = PlayerID.samplePoint(for: call.player, now: transaction.now)
    reply.friends = friends.cycle(
      from: UInt64(friends.sortedCount { $0 < point }), FriendLimits.sampleMax
    ).filter { $0 != call.player }
    return reply
  }

  func suggestFriends(_ operation: SuggestFriends, _ call: Call, _ transaction: inout Transaction)
    throws(Stop) -> SuggestFriends.Reply
  {
    let caller = try caller(call).key
    let asked = edges.friends(of: caller).cycle(
      from: UInt64(operation.round) * UInt64(FriendLimits.askedFriendsMax),
      FriendLimits.askedFriendsMax)
    var known: [PlayerID: UInt32] = [:]
    for sample in try call.facts(FetchFriendSample.self, at: asked) {
      for player in sample.friends.prefix(FriendLimits.sampleMax) { known[player, default: 0] += 1 }
    }
    let candidates =
      known
      .filter { $0.key != caller && !edges.contains(FriendEdgeKey(player: caller, friend: $0.key)) }
      .sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .prefix(FriendLimits.candidatesMax)
    let profiles = try call.facts(FetchProfile.self, at: candidates.map(\.key))
    var reply = SuggestFriends.Reply()
    for (candidate, profile) in zip(candidates, profiles) where profile.isReachable {
      if reply.suggestions.count == FriendLimits.suggestionsMax { break }
      var suggestion = FriendSuggestion()
      suggestion.profile = seen(profile, by: caller)
      suggestion.mutualFriends = candidate.value
      reply.suggestions.append(suggestion)
    }
    return reply
  }

  func inviteFriends(_ operation: InviteFriends, _ call: Call, _ transaction: inout Transaction)
    throws(Stop) -> InviteFriends.Reply
  {
    let caller = try caller(call)
    var reply = InviteFriends.Reply()
    var seen: Set<PlayerID> = []
    for player in operation.players where seen.insert(player).inserted {
      var outcome = FriendInvitationOutcome()
      outcome.player = player
      do throws(Stop) {
        outcome.state = try invite(player, as: caller, call, &transaction)
      } catch {
        outcome.state = edges.state(caller.key, player)
        guard case .refused(let failure) = error else {
          preconditionFailure("an invitation waits for nothing")
        }
        outcome.refusal = failure.code
        outcome.retryAfterMilliseconds = failure.retryAfterMilliseconds
      }
      reply.outcomes.append(outcome)
    }
    return reply
  }
}

extension Array {
  /// Up to `count` elements from a place on, which goes round and round.
  fileprivate func cycle(from place: UInt64, _ count: Int) -> [Element] {
    if self.count <= count { return self }
    let start = Int(place % UInt64(self.count))
    return (0..<count).map { self[(start + $0) % self.count] }
  }
}

extension PlayerID {
  /// Where the samples of friends begin that are made for a player on one day.
  static func samplePoint(for player: PlayerID, now: Int64) -> PlayerID {
    var words: [UInt64] = []
    var state = player.high ^ player.low ^ UInt64(bitPattern: now / (24 * 3600 * 1000))
    for _ in 0..<2 {
      // SplitMix64: the days of a player lie far apart.
      state &+= 0x9e37_79b9_7f4a_7c15
      var word = state
      word = (word ^ word >> 30) &* 0xbf58_476d_1ce4_e5b9
      word = (word ^ word >> 27) &* 0x94d0_49bb_1331_11eb
      words.append(word ^ word >> 31)
    }
    return PlayerID(high: words[0], low: words[1])
  }
}
