import MusterKit

@testable import GameKitCompat

/// A turn-based game as the fake server has it.
struct TurnAnswers {
  var view = TurnGameView()
  var moves: [TurnMove] = []
  var exchange = ReadTurnExchange.Reply()
  /// Why the next call that changes something is refused.
  var failure: MusterError?
  /// Whether the next match is refused because another is under way.
  var startFailures: [MusterError] = []
  /// Matches that are gone when they are read, and exchanges that are.
  var missing: Set<UInt32> = []
  var missingExchanges: Set<UInt32> = []
  /// Why no match, or no exchange, can be read.
  var readFailure: MusterError?
  var exchangeFailure: MusterError?
  /// Who cannot be invited to a group.
  var unreachable: Set<PlayerID> = []

  init() {
    view.info.context = FakeClient.context
    (view.info.number, view.info.version) = (1, 5)
    view.info.phase = .active
    view.info.seats = [FakeClient.me, FakeClient.friend].map { player in
      var seat = TurnSeat()
      (seat.player, seat.state) = (player, .active)
      return seat
    }
    view.info.next = [FakeClient.me, FakeClient.friend]
    (view.info.startedAt, view.info.dueAt) = (1000, 9000)
    view.state = Bytes([1, 2, 3, 4, 5, 6, 7, 8])
  }
}

extension TurnAnswers {
  fileprivate mutating func end(_ operation: EndTurnGame) {
    (view.info.phase, view.state) = (.ended, operation.state)
    for index in view.info.seats.indices {
      let given = operation.outcomes.first { $0.player == view.info.seats[index].player }
      if let given { view.info.seats[index].outcome = given.outcome }
      view.info.seats[index].state = .done
    }
  }
}

extension FakeClient.Answers {
  mutating func turnReply(to operation: any Operation) -> Result<any Message, MusterError> {
    switch operation {
    case let list as ListTurnGames:
      // Two pages of a game each.
      var (reply, entry) = (ListTurnGames.Reply(), TurnListEntry())
      (entry.context, entry.number) = (FakeClient.context, list.cursor.isEmpty ? 1 : 2)
      reply.games = [entry]
      reply.cursor = list.cursor.isEmpty ? "2" : ""
      return .success(reply)
    case let read as ReadTurnGame where turns.missing.contains(read.number):
      return .failure(MusterError(.notFound, argument: "number", "No such game."))
    case is ReadTurnGame:
      if let failure = turns.readFailure { return .failure(failure) }
      return .success(turns.view)
    case let read as ReadMoves:
      var reply = ReadMoves.Reply()
      reply.moves = turns.moves.filter { $0.index >= read.from }
      return .success(reply)
    case let read as ReadTurnExchange where turns.missingExchanges.contains(read.exchange):
      return .failure(MusterError(.notFound, argument: "exchange", "No such exchange."))
    case is ReadTurnExchange:
      if let failure = turns.exchangeFailure { return .failure(failure) }
      return .success(turns.exchange)
    case is StartTurnGame:
      if !turns.startFailures.isEmpty { return .failure(turns.startFailures.removeFirst()) }
      return .success(turns.view.info)
    case let create as CreateGroupContext:
      var reply = CreateGroupContext.Reply()
      reply.info.context = ContextID(high: 8, low: 8)
      reply.outcomes = create.players.map { player in
        var invitee = ContextInvitee()
        invitee.player = player
        invitee.outcome = turns.unreachable.contains(player) ? .notReachable : .invited
        return invitee
      }
      return .success(reply)
    case is SwitchContext: return .failure(MusterError(.sameContext, "You are there."))
    case is MakeMove, is SaveTurnState, is EndTurnGame, is QuitTurnGame, is AnswerTurnGame,
      is AnswerTurnExchange, is CancelTurnExchange:
      if let failure = turns.failure {
        turns.failure = nil
        return .failure(failure)
      }
      if let end = operation as? EndTurnGame { turns.end(end) }
      turns.view.info.version += 1
      return .success(turns.view.info)
    case is OpenTurnExchange:
      var reply = OpenTurnExchange.Reply()
      turns.view.info.exchanges = [turns.exchange.exchange]
      (reply.exchange, reply.info) = (turns.exchange.exchange.id, turns.view.info)
      return .success(reply)
    case is RemindPlayers: return .success(Empty())
    default: return .failure(MusterError(.unknownOperation, "No answer."))
    }
  }
}
