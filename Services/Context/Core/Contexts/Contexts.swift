import Domain
import Operations
import Wire

/// The contexts, and what every change of one does.
final class Contexts: CorePart {
  private var table = ResidentTable<ContextRow>()

  func register(_ router: inout Router) {
    router.on(GetContext.self, getContext)
    router.on(FetchParticipants.self, fetchParticipants)
  }

  func register(_ tables: inout Tables) {
    tables.resident(ContextRow.self) { self.table.load($0) }
  }

  subscript(id: ContextID) -> ContextRow? { table[id] }

  /// The context, when the caller is in it or invited to it. Unknown contexts, those of another
  /// game and those of other players are not told apart.
  func participant(_ id: ContextID, _ call: Call) throws(Stop) -> ContextRow {
    guard !id.isNil else { throw .requiredArgument("context", "A context must be named.") }
    guard let row = table[id], row.game == call.game, row.holds(call.player) else {
      throw .notFound("context", "You are in no context with this id.")
    }
    return row
  }

  private func getContext(_ operation: GetContext, _ call: Call, _ transaction: inout Transaction)
    throws(Stop) -> ContextInfo
  {
    try participant(operation.context, call).info
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
}

extension Contexts {
  /// Stores a context, and brings its copies in the lists of all who are in it up to date.
  func keep(
    _ row: inout ContextRow, entering player: PlayerID? = nil, _ transaction: inout Transaction
  ) {
    row.lastActiveAt = transaction.now
    table.put(row, &transaction)
    for other in row.present {
      record(
        row, in: other.player, isMember: true, isEntered: other.player == player, &transaction)
    }
  }

  /// Notes that a match has begun or a move was made in a context.
  func played(in id: ContextID, _ transaction: inout Transaction) {
    guard var row = table[id] else { return }
    row.hasPlayed = true
    keep(&row, &transaction)
  }

  func remove(_ row: ContextRow, _ transaction: inout Transaction) {
    table.remove(row.key, &transaction)
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
