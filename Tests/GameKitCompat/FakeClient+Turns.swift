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

extension FakeClient.Answers {
  mutating func turnReply(to operation: any Operation) -> Result<any Message, MusterError> {
    switch operation {
    case let list as ListTurnGames:
      // Two pages of the same game.
      var (reply, entry) = (ListTurnGames.Reply(), TurnListEntry())
      (entry.context, entry.number) = (FakeClient.context, 1)
      reply.games = [entry]
      reply.cursor = list.cursor.isEmpty ? "2" : ""
      return .success(reply)
    case is ReadTurnGame: return .success(turns.view)
    case let read as ReadMoves:
      var reply = ReadMoves.Reply()
      reply.moves = turns.moves.filter { $0.index >= read.from }
      return .success(reply)
    case is ReadTurnExchange: return .success(turns.exchange)
    case is StartTurnGame:
      if !turns.startFailures.isEmpty { return .failure(turns.startFailures.removeFirst()) }
      return .success(turns.view.info)
    case is CreateGroupContext:
      var reply = CreateGroupContext.Reply()
      reply.info.context = ContextID(high: 8, low: 8)
      return .success(reply)
    case is SwitchContext: return .failure(MusterError(.sameContext, "You are there."))
    case is MakeMove, is SaveTurnState, is EndTurnGame, is QuitTurnGame, is AnswerTurnGame,
      is AnswerTurnExchange, is CancelTurnExchange:
      if let failure = turns.failure {
        turns.failure = nil
        return .failure(failure)
      }
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
