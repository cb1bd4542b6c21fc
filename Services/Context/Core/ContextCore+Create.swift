import Domain
import Operations
import Wire

extension ContextCore {
  func createSolo(_ operation: CreateSoloContext, _ call: Call, _ transaction: inout Transaction)
    throws(Stop) -> ContextInfo
  {
    let id = ContextID(reinterpreting: call.key)
    if contexts[id] != nil { return try participant(id, call).info }
    var row = ContextRow()
    row.key = id
    row.game = call.game
    row.form = .solo
    row.players = [ContextPlayer(player: call.player, role: .owner, state: .active)]
    row.createdAt = transaction.now
    keep(&row, entering: call.player, &transaction)
    return row.info
  }

  func createPair(_ operation: CreatePairContext, _ call: Call, _ transaction: inout Transaction)
    throws(Stop) -> ContextInfo
  {
    let (caller, other) = (call.player, operation.player)
    guard !other.isNil else { throw .requiredArgument("player", "A player must be named.") }
    guard other != caller else {
      throw .invalidArgument("player", "A context with oneself is a solo context.")
    }
    // The caller's own list may not have heard yet of a block, which holds at once at the other's
    // key.
    guard try call.fact(FetchFriends.self).friends.contains(other),
      try call.fact(FetchPlayer.self, at: other).isReachable
    else {
      throw .refuse(.notReachable, argument: "player", "This player cannot be reached.")
    }
    let id = ContextID(reinterpreting: call.key)
    let known = contexts[id]
    if let known {
      guard known.game == call.game, known.form == .pair,
        Set(known.players.map(\.player)) == [caller, other]
      else { throw .refuse(.notFound, "The key is not the one of this pair.") }
    }
    var row = known ?? ContextRow()
    let isNew = row.isClosed
    if isNew {
      row.key = id
      row.game = call.game
      row.form = .pair
      row.generation = known.map { $0.generation + 1 } ?? 1
      row.createdAt = transaction.now
      row.players = [
        ContextPlayer(player: caller, role: .owner, state: .active),
        ContextPlayer(player: other, role: .participant, state: .left),
      ]
    }
    let hasEntered = isNew || row.state(of: caller) != .active
    row.set(.active, of: caller)
    let isInviting = row.state(of: other) == .left
    if isInviting { row.set(.invited, of: other) }
    keep(&row, entering: caller, &transaction)
    if isInviting {
      var event = ContextInvitation()
      event.info = row.info
      event.inviter = caller
      transaction.effect(
        AppendEvent(event, to: other, from: caller), on: other, game: row.game)
    } else if hasEntered {
      tell(row, about: caller, .active, &transaction)
    }
    return row.info
  }
}

// MARK: What every change of a context does

extension ContextCore {
  /// Stores a context, and brings its copies in the lists of all who are in it up to date.
  func keep(
    _ row: inout ContextRow, entering player: PlayerID? = nil, _ transaction: inout Transaction
  ) {
    row.lastActiveAt = transaction.now
    contexts.put(row, &transaction)
    for other in row.present {
      record(
        row, in: other.player, isMember: true, isEntered: other.player == player, &transaction)
    }
  }

  func record(
    _ row: ContextRow, in player: PlayerID, isMember: Bool, isEntered: Bool,
    _ transaction: inout Transaction
  ) {
    var effect = RecordContext()
    effect.player = player
    effect.info = row.info
    effect.isMember = isMember
    effect.isEntered = isEntered
    effect.time = transaction.now
    transaction.effect(effect, on: player, game: row.game)
  }

  /// Tells the others that a player has entered or left.
  func tell(
    _ row: ContextRow, about player: PlayerID, _ state: ContextPlayerState,
    _ transaction: inout Transaction
  ) {
    var event = ContextPlayerChanged()
    event.context = row.key
    event.generation = row.generation
    event.player = player
    event.state = state
    for other in row.present where other.player != player {
      transaction.effect(
        AppendEvent(event, to: other.player, from: player), on: other.player, game: row.game)
    }
  }
}
