import Operations
import Wire

/// The simplest model of a group, or of the context of players whom a queue has put together: who
/// is in it, and which events they must have got. A call that took effect against the rules is a
/// broken promise.
struct GroupModel {
  let id: ContextID
  var form = ContextForm.group
  var generation: UInt32 = 1
  var sizeMax = Int.max
  var policy = JoinPolicy()
  /// In the order of their arrival.
  var order: [PlayerID] = []
  var states: [PlayerID: ContextPlayerState] = [:]
  var owner: PlayerID?
  var moderators: Set<PlayerID> = []
  var requests: Set<PlayerID> = []
  var removed: Set<PlayerID> = []
  var formerOwners: Set<PlayerID> = []
  /// Those because of whom a found match is over: one of them may have left, and is answered later.
  private var absentees: Set<PlayerID> = []
  /// Whether its players were told who has not joined the found match.
  private var isJoiningOver = false

  init(_ id: ContextID) { self.id = id }

  var isOpen: Bool { !order.isEmpty }
  func isActive(_ player: PlayerID) -> Bool { states[player] == .active }
  func holds(_ player: PlayerID) -> Bool { states[player] != nil }
  func mayModerate(_ player: PlayerID) -> Bool { player == owner || moderators.contains(player) }

  private func require(_ isSo: Bool, _ text: @autoclosure () -> String) throws(Violation) {
    if !isSo { throw Violation(description: "1.8 \(text()) in \(id), which is \(self)") }
  }

  // MARK: Who is in it

  mutating func begin(with player: PlayerID) {
    (order, states, owner) = ([player], [player: .active], player)
    (moderators, requests) = ([], [])
  }

  private mutating func put(_ player: PlayerID, _ state: ContextPlayerState) throws(Violation) {
    try require(isOpen, "\(player) came")
    try require(!holds(player), "\(player) came twice")
    try require(order.count < sizeMax, "\(player) came when all \(sizeMax) places were taken")
    order.append(player)
    states[player] = state
    requests.remove(player)
    removed.remove(player)
  }

  private mutating func drop(_ player: PlayerID) {
    order.removeAll { $0 == player }
    states[player] = nil
    moderators.remove(player)
    if owner != player { return }
    formerOwners.insert(player)
    let active = order.filter(isActive)
    owner =
      active.first { moderators.contains($0) } ?? active.first
      ?? (form == .group ? nil : order.first)
    if let owner { moderators.remove(owner) }
  }

  private func tell(
    _ players: [PlayerID], _ player: PlayerID, _ state: ContextPlayerState,
    _ told: inout [String: Int]
  ) {
    for other in players {
      told["\(other) saw \(player) as \(state) in \(id)", default: 0] += 1
    }
  }

  private func others(_ player: PlayerID) -> [PlayerID] { order.filter { $0 != player } }

  // MARK: Calls that took effect

  mutating func join(
    _ player: PlayerID, _ told: inout [String: Int], as state: ContextPlayerState?
  ) throws(Violation) {
    if holds(player) { return try enter(player, &told) }
    try require(isOpen && !removed.contains(player), "\(player) joined")
    try require(policy != .byInvite, "\(player) came uninvited")
    if policy == .byRequest {
      try require(state == .requested, "\(player) was let in without an answer")
      requests.insert(player)
      return
    }
    try put(player, .active)
    tell(others(player), player, .active, &told)
  }

  mutating func enter(_ player: PlayerID, _ told: inout [String: Int]) throws(Violation) {
    try require(holds(player), "\(player) entered")
    if isActive(player) { return }
    states[player] = .active
    tell(others(player), player, .active, &told)
  }

  mutating func invite(
    _ outcomes: [ContextInvitee], by inviter: PlayerID, _ told: inout [String: Int]
  ) throws(Violation) {
    try require(isActive(inviter), "\(inviter) invited")
    try require(policy != .byRequest || mayModerate(inviter), "\(inviter) invited")
    let before = others(inviter)
    var invited: [PlayerID] = []
    for outcome in outcomes {
      let player = outcome.player
      switch outcome.outcome {
      case .invited:
        try require(
          !removed.contains(player) || mayModerate(inviter), "\(inviter) invited \(player)")
        try put(player, .invited)
        invited.append(player)
        told["\(player) invited to \(id) by \(inviter)", default: 0] += 1
      case .alreadyIn: try require(holds(player), "\(player) counts as there")
      case .full: try require(order.count >= sizeMax, "\(player) found no place")
      case .removed: try require(removed.contains(player), "\(player) counts as removed")
      default: break
      }
    }
    for player in invited { tell(before, player, .invited, &told) }
  }

  mutating func answer(
    _ player: PlayerID, _ isAccepted: Bool, by moderator: PlayerID, _ told: inout [String: Int]
  ) throws(Violation) {
    try require(
      isActive(moderator) && mayModerate(moderator) && requests.contains(player),
      "\(moderator) answered \(player)")
    requests.remove(player)
    told["\(player) answered \(isAccepted) in \(id)", default: 0] += 1
    guard isAccepted else { return }
    try put(player, .invited)
    tell(order.filter { $0 != player && $0 != moderator }, player, .invited, &told)
  }

  mutating func leave(_ player: PlayerID, _ told: inout [String: Int]) throws(Violation) {
    if requests.remove(player) != nil { return }
    if absentees.contains(player) {
      absentees = []
      return
    }
    try require(holds(player), "\(player) left")
    if form == .group, isActive(player), order.filter(isActive).count == 1 {
      return end(by: player, &told)
    }
    let before = owner
    drop(player)
    tell(order, player, .left, &told)
    if form == .group, let owner, owner != before { tell(order, owner, .active, &told) }
  }

  /// Players get seats in the running match of the context, and are in it with that.
  mutating func add(_ players: [PlayerID], _ told: inout [String: Int]) {
    let arrived = players.filter { !isActive($0) }
    for player in arrived {
      if !holds(player) { order.append(player) }
      states[player] = .active
    }
    for player in arrived { tell(others(player), player, .active, &told) }
  }

  /// A found match begins without those who have not joined, or is over for all.
  mutating func endJoining(_ event: JoiningEnded, _ told: inout [String: Int]) {
    // It is said to each of them.
    if isJoiningOver { return }
    isJoiningOver = true
    for player in order { told["\(player) heard who joined \(id)", default: 0] += 1 }
    guard event.outcome == .tooFew else {
      let absent = event.absent.filter(holds)
      for player in absent { drop(player) }
      for player in absent { tell(order, player, .left, &told) }
      return
    }
    absentees = Set(event.absent)
    (order, states, owner) = ([], [:], nil)
  }

  mutating func remove(
    _ player: PlayerID, by caller: PlayerID, _ told: inout [String: Int]
  ) throws(Violation) {
    try require(isActive(caller) && mayModerate(caller), "\(caller) removed \(player)")
    try require(
      holds(player) && player != owner && player != caller
        && (caller == owner || !moderators.contains(player)), "\(caller) removed \(player)")
    drop(player)
    removed.insert(player)
    tell(others(caller) + [player], player, .removed, &told)
  }

  mutating func close(by player: PlayerID, _ told: inout [String: Int]) throws(Violation) {
    try require(isActive(player) && owner == player, "\(player) closed it")
    end(by: player, &told)
  }

  private mutating func end(by player: PlayerID, _ told: inout [String: Int]) {
    for other in others(player) { told["\(other) heard of the end of \(id)", default: 0] += 1 }
    for waiting in requests { told["\(waiting) answered false in \(id)", default: 0] += 1 }
    formerOwners.insert(player)
    (order, states, owner, moderators, requests) = ([], [:], nil, [], [])
  }

  mutating func reopen(by player: PlayerID) throws(Violation) {
    try require(
      !isOpen && formerOwners.contains(player) && !removed.contains(player),
      "\(player) opened it again")
    generation += 1
    begin(with: player)
  }

  mutating func change(
    _ player: PlayerID, _ role: ContextRole, by caller: PlayerID, _ told: inout [String: Int]
  ) throws(Violation) {
    try require(
      isActive(caller) && owner == caller && isActive(player) && player != caller,
      "\(caller) made \(player) \(role)")
    if self.role(of: player) == role { return }
    moderators.remove(player)
    if role == .moderator { moderators.insert(player) }
    if role == .owner {
      formerOwners.insert(caller)
      moderators.insert(caller)
      owner = player
    }
    tell(others(caller), player, .active, &told)
    if role == .owner { tell(others(caller), caller, .active, &told) }
  }

  mutating func set(_ change: ChangeContextSettings, by caller: PlayerID) throws(Violation) {
    try require(isActive(caller) && owner == caller, "\(caller) changed settings")
    if let size = change.sizeMax {
      try require(Int(size) >= order.count, "\(caller) took places from those who are")
      sizeMax = Int(size)
    }
    if let policy = change.policy { self.policy = policy }
  }

  func role(of player: PlayerID) -> ContextRole {
    player == owner ? .owner : moderators.contains(player) ? .moderator : .participant
  }

  // MARK: What is told of it

  /// Compares the context with what the service tells, in whole or in a summary, which has not all
  /// players of a large one.
  ///
  /// - Parameter hasSettings: whether its settings are compared, too.
  func compare(
    _ info: ContextInfo, isSummary: Bool = false, hasSettings: Bool = true
  ) throws(Violation) {
    let isRight = info.players.allSatisfy {
      states[$0.player] == $0.state && (isSummary || role(of: $0.player) == $0.role)
    }
    let count = isSummary ? min(4, order.count) : order.count
    try require(
      info.form == form && info.generation == generation && info.size == order.count
        && isRight && info.players.count == count
        && Set(info.players.map(\.player)).count == count
        && (form != .group || !hasSettings
          || Int(info.sizeMax) == sizeMax && info.policy == policy),
      "\(info) is told")
    try require(
      owner.map { isActive($0) || form != .group && holds($0) } == true,
      "nobody who is there owns it")
  }
}
