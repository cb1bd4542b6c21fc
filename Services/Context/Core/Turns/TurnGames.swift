import Domain
import Operations
import Wire

/// The turn-based games of contexts.
///
/// A handler looks everything up and works out a `TurnDraft`, which changes nothing; then `commit`
/// stores it and tells everybody. So a handler may stop for cold rows anywhere before `commit`.
final class TurnGames: CorePart {
  let contexts: Contexts
  private var table = ResidentTable<TurnGameRow>()

  init(contexts: Contexts) { self.contexts = contexts }

  func register(_ tables: inout Tables) {
    tables.resident(TurnGameRow.self) { self.table.load($0) }
    tables.cold(TurnMoveRow.self)
    tables.cold(TurnStateRow.self)
    tables.cold(TurnSealedRow.self)
    tables.cold(TurnLinesRow.self)
    tables.cold(TurnWordsRow.self)
    tables.cold(FinishedTurnGameRow.self)
    registerErasure(&tables)
  }

  /// A move is the game's, which others have played too, and so is one of a round that is not
  /// revealed. Words are the player's alone, and so are moves that were only foreseen and a hidden
  /// state, whose row stays: an undo asks for it.
  private func registerErasure(_ tables: inout Tables) {
    // The stand-in has the seat until it leaves the game.
    tables.erases(TurnGameRow.self) { (row, erasure, transaction) in
      guard let known = self[row.key] else { return }
      self.table.erase(row.key, erasure, &transaction)
      transaction.effect(
        LeaveForErased(known.key, erasure.standIn), on: known.key, game: known.game)
    }
    tables.erases(TurnMoveRow.self) { (row, erasure, transaction) in
      var rest = row
      rest.player = erasure.renamed(row.player)
      rest.payload = Bytes(erasure.renamed(row.payload.array))
      transaction.put(rest)
    }
    tables.erases(TurnSealedRow.self) { (row, erasure, transaction) in
      var rest = row
      rest.player = erasure.renamed(row.player)
      rest.payload = Bytes(erasure.renamed(row.payload.array))
      transaction.put(rest)
    }
    tables.erases(TurnStateRow.self) { (row, erasure, transaction) in
      var rest = row
      rest.player = erasure.renamed(row.player)
      let isOwn = row.player == erasure.player
      rest.bytes = isOwn ? Bytes() : Bytes(erasure.renamed(row.bytes.array))
      transaction.put(rest)
    }
    tables.erases(TurnLinesRow.self) { (row, erasure, transaction) in
      if row.player == erasure.player { return transaction.remove(TurnLinesRow.self, row.key) }
      if let rest = erasure.rest(of: row) { transaction.put(rest) }
    }
  }

  func register(_ router: inout Router) {
    registerStart(&router)
    registerMoves(&router)
    registerTalk(&router)
    registerFork(&router)
    registerReading(&router)
    router.on(EndTurn.self, endTurn)
    router.on(EndTurnExchange.self, endExchange)
    router.on(SweepTurnGames.self, sweep)
  }

  /// The context's last game.
  subscript(context: ContextID) -> TurnGameRow? { table[context] }

  /// The same, unless it went with the context's last generation and is about to be removed.
  func current(in context: ContextID) -> TurnGameRow? {
    table[context].flatMap { $0.number > $0.sweptThrough ? $0 : nil }
  }

  func isUnderWay(in context: ContextID) -> Bool {
    table[context].map { $0.phase != .ended } ?? false
  }

  /// When something happened last in the context's last game.
  func activeAt(in context: ContextID) -> Int64 {
    table[context].map { max($0.turnStartedAt, $0.endedAt) } ?? 0
  }

  func put(_ game: TurnGameRow, _ transaction: inout Transaction) {
    table.put(game, &transaction)
  }

  func remove(_ context: ContextID, _ transaction: inout Transaction) {
    table.remove(context, &transaction)
  }
}

// MARK: Who may do what

extension TurnGames {
  static let noGame = Stop.notFound("number", "There is no such game in this context.")

  /// The context's last game, when it has this number.
  func game(_ context: ContextID, _ number: UInt32, _ call: Call) throws(Stop) -> TurnGameRow {
    _ = try contexts.participant(context, call)
    guard let game = current(in: context), game.number == number else { throw Self.noGame }
    return game
  }

  /// Refuses callers who are invited to the context: who is there does not know of them yet, and
  /// their blocks are asked for when they come.
  func expectArrival(in context: ContextID, _ call: Call) throws(Stop) {
    if contexts[context]?.state(of: call.player) == .active { return }
    throw .notAllowed("", "You have been invited to this context and have not entered it.")
  }

  /// The seat of a caller who has answered the invitation and is in the game.
  func activeSeat(_ game: TurnGameRow, _ call: Call) throws(Stop) -> Int {
    guard let seat = game.seat(of: call.player) else { throw Self.noSeat }
    guard game.seats[seat].state == .active || game.phase == .ended else {
      throw .notAllowed("", "You take part in this game only after you have answered.")
    }
    return seat
  }

  static let noSeat = Stop.notAllowed("", "You have no seat in this game.")

  /// Refuses calls that change a game which is over, paused or not there yet.
  func expectPlay(_ game: TurnGameRow) throws(Stop) {
    try expectGame(game)
    if game.phase == .paused { throw .conflict("", "The game is paused.") }
  }

  func expectGame(_ game: TurnGameRow) throws(Stop) {
    if game.phase == .ended { throw .refuse(.matchEnded, "The game is over.") }
    if game.phase == .preparing { throw .conflict("", "The game is still being copied.") }
  }

  /// Refuses a call that was made for another version, with the state as it is now.
  func expectVersion(
    _ version: UInt64, _ game: TurnGameRow, _ call: Call, _ transaction: borrowing Transaction
  ) throws(Stop) {
    if version == game.version { return }
    throw .refuse(
      .conflict, argument: "version", "The game has changed: its version is \(game.version).",
      detail: Bytes(try view(game, for: call.player, transaction).encoded))
  }

  /// The game with the states that a player may read.
  func view(_ game: TurnGameRow, for reader: PlayerID, _ transaction: borrowing Transaction)
    throws(Stop) -> TurnGameView
  {
    var view = game.view(for: reader)
    let seat = game.seat(of: reader)
    guard game.mayRead(reader) else { return view }
    let publicKey = game.key(game.stateVersion)
    let ownKey = seat.map { game.key(game.seats[$0].hiddenVersion, seat: UInt8($0)) }
    let keys = [publicKey] + (ownKey.map { [$0] } ?? [])
    try transaction.fetch(keys.map { .row(TurnStateRow.self, $0) })
    view.state = try transaction.row(TurnStateRow.self, publicKey)?.bytes ?? Bytes()
    if let ownKey { view.hidden = try transaction.row(TurnStateRow.self, ownKey)?.bytes }
    return view
  }

  /// The moves that wait for the open round to be revealed, in the order of the seats.
  func sealedMoves(_ game: TurnGameRow, _ transaction: borrowing Transaction) throws(Stop)
    -> [TurnSealedRow]
  {
    guard game.isSealed, game.seats.contains(where: \.hasSealed) else { return [] }
    let keys = game.seats.indices.filter { game.seats[$0].hasSealed }.map {
      game.key(UInt64(game.round), seat: UInt8($0))
    }
    try transaction.fetch(keys.map { .row(TurnSealedRow.self, $0) })
    var rows: [TurnSealedRow] = []
    for key in keys {
      if let row = try transaction.row(TurnSealedRow.self, key) { rows.append(row) }
    }
    return rows
  }

  /// Seats of players who are in the game, as a call names them.
  func seats(_ players: [PlayerID], _ argument: String, of game: TurnGameRow) throws(Stop)
    -> [UInt8]
  {
    guard players.count <= TurnLimits.playersMax else {
      throw .invalidArgument(argument, "These are more players than the game has.")
    }
    var seats: [UInt8] = []
    for player in players {
      guard let seat = game.seat(of: player), game.isPlaying(seat) else {
        throw .invalidArgument(argument, "\(player) is not in this game.")
      }
      seats.append(UInt8(seat))
    }
    return seats
  }

  /// Refuses to bring together two players of whom one blocks the other. A block holds at once at
  /// the blocker's key, so each is asked there.
  func expectNoBlocks(among players: [PlayerID], _ argument: String, _ call: Call) throws(Stop) {
    let all = Set(players)
    for reply in try call.facts(FetchBlocks.self, at: players)
    where reply.blocked.contains(where: all.contains) {
      throw Self.notReachable(argument)
    }
  }

  /// The same for the caller and others, who may know each other.
  func expectNoBlocks(between call: Call, and others: [PlayerID], _ argument: String)
    throws(Stop)
  {
    let replies = try call.facts(FetchBlocks.self, at: [call.player] + others)
    let isBlocking = replies[0].blocked.contains(where: others.contains)
    let isBlocked = replies.dropFirst().contains { $0.blocked.contains(call.player) }
    if isBlocking || isBlocked { throw Self.notReachable(argument) }
  }

  /// Those of others whom the caller blocks, or who block the caller.
  func blocked(_ call: Call, and others: [PlayerID]) throws(Stop) -> Set<PlayerID> {
    if others.isEmpty { return [] }
    let replies = try call.facts(FetchBlocks.self, at: [call.player] + others)
    var blocked = Set(replies[0].blocked).intersection(others)
    for (player, reply) in zip(others, replies.dropFirst())
    where reply.blocked.contains(call.player) { blocked.insert(player) }
    return blocked
  }

  private static func notReachable(_ argument: String) -> Stop {
    .refuse(.notReachable, argument: argument, "This player cannot be reached.")
  }
}
