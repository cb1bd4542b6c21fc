import Operations
import Wire

/// The plainest model of a group: who is in it, by the words of the rules.
struct GroupModel {
  var isOpen = true
  var generation: UInt32 = 1
  /// In the order of their arrival.
  var order: [PlayerID] = []
  var states: [PlayerID: ContextPlayerState] = [:]
  var owner: PlayerID?
  var moderators: Set<PlayerID> = []
  var waiting: [PlayerID] = []
  var removed: Set<PlayerID> = []
  var owners: [PlayerID] = []
  var sizeMax = 0
  var policy = JoinPolicy.open
  var link = ContextLink()

  typealias Refusal = FailureCode

  func isActive(_ player: PlayerID) -> Bool { states[player] == .active }
  func mayModerate(_ player: PlayerID) -> Bool { player == owner || moderators.contains(player) }

  func role(_ player: PlayerID) -> ContextRole {
    player == owner ? .owner : moderators.contains(player) ? .moderator : .participant
  }

  mutating func put(_ player: PlayerID, _ state: ContextPlayerState) {
    order.append(player)
    states[player] = state
    waiting.removeAll { $0 == player }
    removed.remove(player)
  }

  mutating func takeOut(_ player: PlayerID) {
    states[player] = nil
    order.removeAll { $0 == player }
    moderators.remove(player)
    if owner == player {
      owners.append(player)
      let actives = order.filter { isActive($0) }
      owner = actives.first { moderators.contains($0) } ?? actives.first
      if let owner { moderators.remove(owner) }
    }
    if !order.contains(where: { isActive($0) }) {
      (order, states, moderators, owner) = ([], [:], [], nil)
      end()
    }
  }

  mutating func end() {
    isOpen = false
    waiting = []
  }

  // MARK: Calls. Each returns why it is refused, or nil.

  mutating func join(_ player: PlayerID, _ given: ContextLink, _ book: FactBook) -> Refusal? {
    if !isOpen { return .notFound }
    if states[player] != nil { return enter(player, book) }
    if removed.contains(player) || order.contains(where: { book.isBlocked($0, player) }) {
      return .notFound
    }
    switch policy {
    case .byInvite: return .notFound
    case .byLink where given != link: return .notFound
    case .byRequest:
      if !waiting.contains(player) { waiting.append(player) }
      return nil
    default: break
    }
    if order.count >= sizeMax { return .limitReached }
    put(player, .active)
    return nil
  }

  mutating func enter(_ player: PlayerID, _ book: FactBook) -> Refusal? {
    guard let state = states[player] else { return .notFound }
    if state == .invited, order.contains(where: { isActive($0) && book.isBlocked($0, player) }) {
      return .notFound
    }
    states[player] = .active
    return nil
  }

  mutating func invite(_ players: [PlayerID], _ inviter: PlayerID, _ book: FactBook)
    -> (Refusal?, [InvitationOutcome])
  {
    guard states[inviter] != nil else { return (.notFound, []) }
    guard isActive(inviter), policy != .byRequest || mayModerate(inviter) else {
      return (.notAllowed, [])
    }
    var outcomes: [InvitationOutcome] = []
    for player in players {
      if states[player] != nil {
        outcomes.append(.alreadyIn)
      } else if !book.areFriends(inviter, player) {
        outcomes.append(.notReachable)
      } else if removed.contains(player) && !mayModerate(inviter) {
        outcomes.append(.removed)
      } else if order.count >= sizeMax {
        outcomes.append(.full)
      } else {
        put(player, .invited)
        outcomes.append(.invited)
      }
    }
    return (nil, outcomes)
  }

  mutating func answer(
    _ player: PlayerID, _ accept: Bool, _ moderator: PlayerID
  ) -> Refusal? {
    guard states[moderator] != nil else { return .notFound }
    guard isActive(moderator), mayModerate(moderator) else { return .notAllowed }
    guard waiting.contains(player) else { return .notFound }
    guard accept else {
      waiting.removeAll { $0 == player }
      return nil
    }
    if order.count >= sizeMax { return .limitReached }
    put(player, .invited)
    return nil
  }

  mutating func change(_ player: PlayerID, _ role: ContextRole, _ caller: PlayerID) -> Refusal? {
    guard states[caller] != nil else { return .notFound }
    guard caller == owner, isActive(caller) else { return .notAllowed }
    if player == caller { return .invalidArgument }
    guard isActive(player) else { return .notFound }
    moderators.remove(player)
    if role == .moderator { moderators.insert(player) }
    if role == .owner {
      owners.append(caller)
      owner = player
      moderators.insert(caller)
    }
    return nil
  }

  mutating func set(_ sizeMax: Int, _ policy: JoinPolicy, _ caller: PlayerID) -> Refusal? {
    guard states[caller] != nil else { return .notFound }
    guard caller == owner, isActive(caller) else { return .notAllowed }
    if sizeMax < order.count { return .invalidArgument }
    (self.sizeMax, self.policy) = (sizeMax, policy)
    return nil
  }

  mutating func remove(_ player: PlayerID, _ caller: PlayerID) -> Refusal? {
    guard states[caller] != nil else { return .notFound }
    guard isActive(caller), mayModerate(caller) else { return .notAllowed }
    if player == caller { return .invalidArgument }
    guard states[player] != nil else { return .notFound }
    if player == owner || (moderators.contains(player) && caller != owner) { return .notAllowed }
    takeOut(player)
    removed.insert(player)
    return nil
  }

  mutating func leave(_ player: PlayerID) -> Refusal? {
    if waiting.contains(player) {
      waiting.removeAll { $0 == player }
      return nil
    }
    guard states[player] != nil else { return .notFound }
    takeOut(player)
    return nil
  }

  mutating func close(_ caller: PlayerID) -> Refusal? {
    guard states[caller] != nil else { return .notFound }
    guard caller == owner, isActive(caller) else { return .notAllowed }
    owners.append(caller)
    (order, states, moderators, owner) = ([], [:], [], nil)
    end()
    return nil
  }

  mutating func reopen(_ caller: PlayerID) -> Refusal? {
    if states[caller] != nil { return .conflict }
    if isOpen || !owners.contains(caller) || removed.contains(caller) { return .notFound }
    isOpen = true
    generation += 1
    owner = caller
    put(caller, .active)
    return nil
  }
}
