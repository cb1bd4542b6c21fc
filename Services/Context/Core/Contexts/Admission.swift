import Operations
import Wire

/// How a player comes into a context.
enum Entrance {
  /// Somebody who may invite does.
  case invitation(by: PlayerID)
  /// By the player's own will, with a link's secret or the nil one.
  case joining(ContextLink)
  /// The owner or a moderator lets in a player who has asked.
  case acceptedRequest
  /// Whoever is in it or invited makes it the current context.
  case arrival
  /// Matchmaking adds the player, in this state.
  case matchmaking(ContextPlayerState)
}

/// What became of an entrance.
enum Admission: Equatable {
  /// The player is in the context now, in this state; not before, or only invited.
  case admitted(ContextPlayerState)
  /// Nothing has changed.
  case alreadyIn
  /// The player asks to be let in, and does not count in the size.
  case waits(isNew: Bool)
  /// For the player there is no such context.
  case hidden
  case removed
  case full
  case manyRequests
}

extension ContextRow {
  /// The way into a context that is there: every entrance but `CreatePairContext`, which finds the
  /// two of a pair in it, passes these checks, in this order.
  /// Is it open? Is the player in it already? Does a block keep the player apart? Has a context of
  /// this form the entrance? Was the player removed? Does the policy allow it? Is there room? Solo
  /// contexts and pairs have the players that they were made with.
  ///
  /// Whether somebody may invite or answer is checked before.
  ///
  /// - Parameter isApart: a block keeps the player apart from somebody; see `Call.isCallerApart`.
  mutating func admit(
    _ player: PlayerID, isNew: Bool = false, through entrance: Entrance, isApart: Bool
  ) -> Admission {
    if isClosed { return .hidden }
    if holds(player) { return admitPresent(player, through: entrance, isApart: isApart) }
    if isApart || !has(entrance) { return .hidden }
    var state = ContextPlayerState.invited
    switch entrance {
    case .arrival: return .hidden
    case .invitation(let inviter):
      if removed.contains(player) && !GroupRoles.mayModerate(role(of: inviter)) { return .removed }
    case .joining(let given):
      if removed.contains(player) { return .hidden }
      switch policy {
      case .open: break
      case .byLink where !given.isNil && given == link: break
      case .byRequest: return noteRequest(player)
      default: return .hidden
      }
      state = .active
    case .acceptedRequest:
      if !requests.contains(player) || removed.contains(player) { return .hidden }
    case .matchmaking(let wanted): state = wanted == .active ? .active : .invited
    }
    if present.count >= sizeBound { return .full }
    requests.removeAll { $0 == player }
    removed.removeAll { $0 == player }
    players.removeAll { $0.player == player }
    players.append(
      ContextPlayer(player: player, role: .participant, state: state, isNew: isNew))
    return .admitted(state)
  }

  private func has(_ entrance: Entrance) -> Bool {
    switch entrance {
    case .arrival: true
    case .matchmaking: form == .matched
    case .invitation, .joining, .acceptedRequest: form == .group
    }
  }

  private mutating func admitPresent(
    _ player: PlayerID, through entrance: Entrance, isApart: Bool
  ) -> Admission {
    switch entrance {
    case .arrival, .joining:
      guard state(of: player) != .active else { return .alreadyIn }
      if isApart { return .hidden }
      set(.active, of: player)
      if form == .group { forgetInvitation(of: player) }
      if let index = players.firstIndex(where: { $0.player == player }) {
        players[index].isNew = false
      }
      return .admitted(.active)
    case .invitation, .acceptedRequest, .matchmaking: return .alreadyIn
    }
  }

  private mutating func noteRequest(_ player: PlayerID) -> Admission {
    if requests.contains(player) { return .waits(isNew: false) }
    if requests.count >= ContextLimits.groupRequestsMax { return .manyRequests }
    requests.append(player)
    return .waits(isNew: true)
  }

  private var sizeBound: Int {
    form == .group ? Int(sizeMax) : ContextLimits.matchPlayersMax
  }
}
