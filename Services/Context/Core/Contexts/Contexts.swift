import Domain
import Operations
import Wire

/// The contexts, and what every change of one does.
final class Contexts: CorePart {
  private var table = ResidentTable<ContextRow>()

  func register(_ router: inout Router) {
    router.on(FetchParticipants.self, fetchParticipants)
    router.on(NoteAppUser.self, noteAppUser)
    router.on(LinkBoard.self, linkBoard)
  }

  func register(_ tables: inout Tables) {
    tables.resident(ContextRow.self) { self.table.load($0) }
    // The stand-in takes the player's place, and leaves as anybody does.
    tables.erases(ContextRow.self) { (row, erasure, transaction) in
      guard let known = self.table[row.key] else { return }
      self.table.erase(row.key, erasure, &transaction)
      transaction.effect(
        LeaveForErased(known.key, erasure.standIn), on: known.key, game: known.game)
    }
  }

  subscript(id: ContextID) -> ContextRow? { table[id] }

  /// The context, when the caller is in it or invited to it. Unknown contexts, those of another
  /// game and those of other players are not told apart.
  func participant(_ id: ContextID, _ call: Call) throws(Stop) -> ContextRow {
    try check(id)
    guard let row = table[id], row.game == call.game, row.holds(call.player) else {
      throw .noContext
    }
    return row
  }

  /// The group, when the caller is active in it and the role is enough.
  func group(
    _ id: ContextID, _ call: Call, where isEnough: (ContextRole, ContextRow) -> Bool
  ) throws(Stop) -> ContextRow {
    let row = try participant(id, call)
    guard row.form == .group else { throw .notAllowed("context", "This context is no group.") }
    guard row.state(of: call.player) == .active, isEnough(row.role(of: call.player), row) else {
      throw .notAllowed("context", "Your role in this group does not allow it.")
    }
    return row
  }

  func check(_ id: ContextID) throws(Stop) {
    if id.isNil { throw .requiredArgument("context", "A context must be named.") }
  }

  /// A fact: the call that needs it has the context as an argument of the same name.
  private func fetchParticipants(
    _ operation: FetchParticipants, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> FetchParticipants.Reply {
    let row = try participant(operation.context, call)
    var reply = FetchParticipants.Reply()
    reply.players = row.present.map(\.player)
    return reply
  }

  private func noteAppUser(
    _ operation: NoteAppUser, _ call: Call, _ transaction: inout Transaction
  ) {
    guard var row = table[operation.context], row.game == call.game,
      let index = row.players.firstIndex(where: { $0.player == operation.player }),
      row.players[index].isNew
    else { return }
    row.players[index].isNew = false
    keep(&row, isActivity: false, &transaction)
  }

  /// What comes late is of an older version than what is known.
  private func linkBoard(
    _ operation: LinkBoard, _ call: Call, _ transaction: inout Transaction
  ) {
    guard var row = table[operation.context], row.game == call.game else { return }
    let index = row.boards.firstIndex { $0.board == operation.board }
    if let index, row.boards[index].version > operation.version { return }
    if let index, operation.isLinked {
      row.boards[index].openChallenges = operation.openChallenges
      row.boards[index].version = operation.version
    } else if let index {
      row.boards.remove(at: index)
    } else if operation.isLinked && row.boards.count < ContextLimits.linkedBoardsMax {
      row.boards.append(
        LinkedBoardEntry(
          board: operation.board, openChallenges: operation.openChallenges,
          version: operation.version))
    } else {
      return
    }
    keep(&row, isActivity: false, &transaction)
  }
}

extension Stop {
  /// Unknown contexts, those of another game, closed ones and those that the caller may not know of
  /// are refused in the same words.
  static var noContext: Stop { .notFound("context", "You are in no context with this id.") }
}

extension Contexts {
  /// For so long a context that is played in stays where it is in the lists.
  private static let activityStepMilliseconds: Int64 = 60_000

  /// Stores a context, and brings its copies in the lists up to date of those who are in it: of all
  /// where the lists show what has changed, else, in a group, of those alone whom it concerns.
  ///
  /// - Parameters:
  ///   - player: whose current context it becomes.
  ///   - concerned: whose own role or state has changed.
  ///   - opening: what it becomes among the contexts that its opener has opened.
  ///   - invitedCount: how many others the entering player has invited.
  ///   - isActivity: whether the context was used, so that it moves to the front of lists.
  func keep(
    _ row: inout ContextRow, entering player: PlayerID? = nil, for concerned: [PlayerID] = [],
    opening: ContextOpening = .same, invitedCount: Int = 0, isActivity: Bool = true,
    _ transaction: inout Transaction
  ) {
    if isActivity { row.lastActiveAt = transaction.now }
    let old = table[row.key]
    table.put(row, &transaction)
    let isForAll = row.form != .group || old?.shownToAll != row.shownToAll
    for other in row.present.map(\.player)
    where isForAll || other == player || concerned.contains(other) {
      record(
        row, in: other, isMember: true, isEntered: other == player,
        opening: other == row.opener ? opening : .same,
        invitedCount: other == player ? invitedCount : 0, &transaction)
    }
    if let player, row.state(of: player) == .active, old?.state(of: player) != .active {
      let others = row.players.filter { $0.state == .active && $0.player != player }
      transaction.recordMeeting(of: others.map(\.player), newcomer: player, game: row.game)
    }
  }

  /// Notes that a match has begun or a move was made in a context. The lists hear of the first one,
  /// and after that of one in a minute at most.
  func played(in id: ContextID, _ transaction: inout Transaction) {
    guard var row = table[id] else { return }
    if row.hasPlayed && transaction.now - row.lastActiveAt < Self.activityStepMilliseconds {
      return
    }
    row.hasPlayed = true
    keep(&row, &transaction)
  }

  /// Notes that the turn-based games up to a number are gone. Nobody sees it.
  func note(goneTurnGames number: UInt32, in id: ContextID, _ transaction: inout Transaction) {
    guard var row = table[id] else { return }
    row.goneTurnGames = number
    table.put(row, &transaction)
  }

  func remove(_ row: ContextRow, _ transaction: inout Transaction) {
    table.remove(row.key, &transaction)
  }

  func record(
    _ row: ContextRow, in player: PlayerID, isMember: Bool, isEntered: Bool,
    opening: ContextOpening = .same, invitedCount: Int = 0, _ transaction: inout Transaction
  ) {
    var effect = RecordContext()
    effect.player = player
    effect.info = row.summary(for: player)
    effect.isMember = isMember
    effect.isEntered = isEntered
    effect.time = transaction.now
    effect.opening = opening
    effect.invitedCount = UInt32(invitedCount)
    if let check = row.checks.first(where: { $0.player == player }) {
      effect.checkedAt = check.time
      (effect.inviter, effect.inviterCheckedAt) = (check.inviter, check.inviterTime)
    }
    transaction.effect(effect, on: player, game: row.game)
  }

  /// Tells the others what has become of a player.
  func tell(
    _ row: ContextRow, about player: PlayerID, _ state: ContextPlayerState,
    _ transaction: inout Transaction
  ) {
    let event = change(of: player, in: row, state)
    for other in row.present where other.player != player {
      tell(event, to: other.player, from: player, row, &transaction)
    }
  }

  /// - Parameter unlessBlocked: for what the player must not hear of whom the player blocks.
  func tell<E: Event>(
    _ event: E, to player: PlayerID, from sender: PlayerID, unlessBlocked: Bool = false,
    _ row: ContextRow, _ transaction: inout Transaction
  ) {
    var effect = AppendEvent(event, to: player, from: sender)
    effect.isUnlessBlocked = unlessBlocked
    transaction.effect(effect, on: player, game: row.game)
  }

  func change(of player: PlayerID, in row: ContextRow, _ state: ContextPlayerState)
    -> ContextPlayerChanged
  {
    var event = ContextPlayerChanged()
    event.context = row.key
    event.generation = row.generation
    event.player = player
    event.state = state
    event.role = row.role(of: player)
    return event
  }

  func invite(
    _ player: PlayerID, to row: ContextRow, by inviter: PlayerID,
    _ transaction: inout Transaction
  ) {
    var event = ContextInvitation()
    event.info = row.summary(for: player)
    event.inviter = inviter
    tell(event, to: player, from: inviter, unlessBlocked: true, row, &transaction)
  }

  /// Has a context looked at, whether it can be forgotten: see `ForgetContext`.
  func forgetLater(_ row: ContextRow, at time: Int64, _ transaction: inout Transaction) {
    var operation = ForgetContext()
    operation.generation = row.generation
    transaction.setTimer(operation, on: row.key, at: time, game: row.game)
  }
}
