/// The turn-based games of one context, for one player.
///
/// Calls that change something are repeated by themselves when an answer is lost, and have the
/// effect of one call. Whoever must not miss a turn reads `MusterClient.events` (`TurnPassed`);
/// `hints` (`YourTurn`, `TurnGameChanged`) say when to look.
public struct TurnGames: Sendable {
  public let client: MusterClient
  public let context: ContextID
}

/// What became of a move.
public enum MoveOutcome: Sendable, Equatable {
  case made(TurnGameInfo)
  /// The game had changed since the version that the move was made for: this is its state now.
  /// Nothing was done.
  case stale(TurnGameView)
}

extension MusterClient {
  /// The turn-based games of a context.
  public nonisolated func turns(in context: ContextID) -> TurnGames {
    TurnGames(client: self, context: context)
  }

  /// The player's turn-based games that are under way.
  ///
  /// - Parameters:
  ///   - filter: `waiting` for those in which it is the player's turn to do something.
  ///   - cursor: the one of the page before; empty for the first page.
  public nonisolated func turnGames(
    _ filter: TurnListFilter = .waiting, cursor: String = ""
  ) async throws(MusterError) -> ListTurnGames.Reply {
    var operation = ListTurnGames()
    operation.filter = filter
    operation.cursor = cursor
    return try await call(operation)
  }
}

extension MusterError {
  /// The state of the game, where a call was made for an older version of it.
  public var turnGameView: TurnGameView? {
    guard code == .conflict, argument == "version" else { return nil }
    return try? TurnGameView(decoding: detail)
  }
}

extension TurnGames {
  /// Starts a game; the caller has the first turn, unless `next` says otherwise.
  ///
  /// - Parameters:
  ///   - players: who has a seat, the caller too, in the order of play.
  ///   - openSeats: seats that players of the context may take besides.
  ///   - state: the public state at the start.
  ///   - hidden: what is dealt to each player.
  ///   - next: who has the first turns.
  ///   - options: clocks, sealed rounds and the other rules of the game.
  public func start(
    players: [PlayerID], openSeats: Int = 0, state: [UInt8] = [],
    hidden: [PlayerID: [UInt8]] = [:], next: [PlayerID] = [],
    options: TurnOptions = TurnOptions()
  ) async throws(MusterError) -> TurnGameInfo {
    var operation = StartTurnGame()
    operation.context = context
    operation.players = players
    operation.openSeats = UInt32(clamping: openSeats)
    operation.state = Bytes(state)
    operation.options = options
    operation.next = next
    operation.hidden = hidden.sorted { $0.key < $1.key }.map { player, bytes in
      var dealt = TurnHiddenState()
      (dealt.player, dealt.hidden) = (player, Bytes(bytes))
      return dealt
    }
    return try await client.call(operation)
  }

  /// Starts the game that comes after `game`, of the same players and with the same rules.
  public func rematch(of game: TurnGameInfo, state: [UInt8] = []) async throws(MusterError)
    -> TurnGameInfo
  {
    var operation = StartTurnGame()
    operation.context = context
    operation.players = game.seats.map(\.player).filter { !$0.isNil }
    operation.state = Bytes(state)
    operation.options = game.options
    operation.rematchOf = game.number
    return try await client.call(operation)
  }

  /// Takes part in a game, or declines.
  @discardableResult
  public func answer(_ number: UInt32, accept: Bool) async throws(MusterError) -> TurnGameInfo {
    var operation = AnswerTurnGame()
    operation.context = context
    operation.number = number
    operation.accept = accept
    return try await client.call(operation)
  }

  /// The game with its state, as far as the player may see it.
  ///
  /// - Parameter number: 0 for the one that is under way, or else the last one.
  public func read(_ number: UInt32 = 0) async throws(MusterError) -> TurnGameView {
    var operation = ReadTurnGame()
    operation.context = context
    operation.number = number
    return try await client.call(operation)
  }

  /// Makes a move for the state that `game` shows.
  ///
  /// - Parameters:
  ///   - payload: the move, in bytes of the game's own.
  ///   - game: the version that the player has seen.
  ///   - state: the public state after the move; nil leaves it.
  ///   - hidden: the player's hidden state after it; nil leaves it.
  ///   - next: who gets the turn; empty for the order of play.
  public func move(
    _ payload: [UInt8], in game: TurnGameInfo, state: [UInt8]? = nil, hidden: [UInt8]? = nil,
    next: [PlayerID] = []
  ) async throws(MusterError) -> MoveOutcome {
    var operation = MakeMove()
    operation.context = context
    operation.number = game.number
    operation.version = game.version
    operation.payload = Bytes(payload)
    operation.state = state.map { Bytes($0) }
    operation.hidden = hidden.map { Bytes($0) }
    operation.next = next
    return try await outcome(operation)
  }

  /// Seals the player's move for the open round.
  ///
  /// - Parameters:
  ///   - payload: the move, in bytes of the game's own.
  ///   - game: the version that the player has seen.
  ///   - hidden: the player's hidden state after it; nil leaves it.
  @discardableResult
  public func seal(_ payload: [UInt8], in game: TurnGameInfo, hidden: [UInt8]? = nil)
    async throws(MusterError) -> TurnGameInfo
  {
    var operation = SealMove()
    operation.context = context
    operation.number = game.number
    operation.round = game.round
    operation.payload = Bytes(payload)
    operation.hidden = hidden.map { Bytes($0) }
    return try await client.call(operation)
  }

  /// All moves of a game from one on, page by page.
  ///
  /// - Parameters:
  ///   - number: 0 for the game that is under way, or else the last one.
  ///   - from: the first move's index; moves count from 1.
  public func moves(_ number: UInt32 = 0, from: UInt32 = 1) async throws(MusterError)
    -> [TurnMove]
  {
    var operation = ReadMoves()
    operation.context = context
    operation.number = number
    operation.from = from
    var moves: [TurnMove] = []
    while true {
      let page = try await client.call(operation)
      moves += page.moves
      guard let last = page.moves.last, last.index < page.moveCount else { return moves }
      operation.from = last.index + 1
    }
  }

  /// The public state as it was after a move; 0 for the start.
  public func state(after move: UInt32, in number: UInt32 = 0) async throws(MusterError) -> [UInt8]
  {
    var operation = ReadTurnState()
    operation.context = context
    operation.number = number
    operation.move = move
    return try await client.call(operation).state.array
  }

  /// Leaves a game, in turn or out of it.
  @discardableResult
  public func quit(_ number: UInt32, outcome: TurnOutcome = .quit) async throws(MusterError)
    -> TurnGameInfo
  {
    var operation = QuitTurnGame()
    operation.context = context
    operation.number = number
    operation.outcome = outcome
    return try await client.call(operation)
  }
}
