import Operations
import Wire

extension Simulation {
  /// What is between two players is the same on both sides, but for blocks, which are the owner's.
  func checkFriends() throws(Violation) {
    var states: [PlayerID: [PlayerID: FriendState]] = [:]
    let wishes = wishedPlayers
    for client in workload.clients {
      let list = try reply(ListFriends(), as: client.player).friends
      for hint in client.hints where hint.kind == PresenceChanged.opcode.rawValue {
        guard let change = try? PresenceChanged(decoding: hint.body.array),
          change.player != client.player, change.presence != .none
        else { throw Violation(description: "\(client.player) got a wrong hint of presence") }
        try require(
          wishes[client.player]?.contains(change.player) == true
            && wishes[change.player]?.contains(client.player) == true,
          "\(client.player) is told of the presence of \(change.player), never a friend")
      }
      states[client.player] = Dictionary(
        list.map { ($0.player, $0.state) }, uniquingKeysWith: { first, _ in first })
      var fetch = FetchFriends()
      fetch.player = client.player
      try require(
        try reply(fetch, as: client.player).friends
          == list.filter { $0.state == .friends }.map(\.player),
        "the list of friends of \(client.player) differs from the friends that calls are given")
    }
    let blocks = blockedPlayers
    for one in workload.clients.map(\.player) {
      for other in workload.clients.map(\.player) where other != one {
        let here = states[one]?[other] ?? .none
        let there = states[other]?[one] ?? .none
        try require(
          isAgreed(here, there), "\(one) has \(other) as \(here), and is \(there) there")
        try require(
          (here == .blocked) == (blocks[one]?.contains(other) == true),
          "\(one) has \(other) as \(here), against what it last asked for")
      }
    }
  }

  private func isAgreed(_ here: FriendState, _ there: FriendState) -> Bool {
    switch (here, there) {
    case (.none, .none), (.invited, .received), (.received, .invited), (.friends, .friends): true
    case (.blocked, .none), (.blocked, .invited), (.blocked, .blocked): true
    case (.none, .blocked), (.invited, .blocked): true
    default: false
    }
  }

  /// With whom players ever wanted to be friends.
  private var wishedPlayers: [PlayerID: Set<PlayerID>] {
    var wishes: [PlayerID: Set<PlayerID>] = [:]
    for call in deployment.ledger.done {
      if let (invite, _) = decoded(InviteFriend.self, call) {
        wishes[call.player, default: []].insert(invite.player)
      } else if let (invites, _) = decoded(InviteFriends.self, call) {
        wishes[call.player, default: []].formUnion(invites.players)
      } else if let (answer, _) = decoded(AnswerFriend.self, call), answer.accept {
        wishes[call.player, default: []].insert(answer.player)
      }
    }
    return wishes
  }

  private var blockedPlayers: [PlayerID: Set<PlayerID>] {
    var blocks: [PlayerID: Set<PlayerID>] = [:]
    for call in deployment.ledger.done {
      if let (block, _) = decoded(BlockPlayer.self, call) {
        blocks[call.player, default: []].insert(block.player)
      } else if let (unblock, _) = decoded(UnblockPlayer.self, call) {
        blocks[call.player]?.remove(unblock.player)
      }
    }
    return blocks
  }
}
