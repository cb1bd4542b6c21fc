import Domain
import Operations
import Wire

/// A game that an operator has declared.
struct GameRow: Row {
  static let tableID: UInt16 = 26
  static let tableName = "game"
  /// `RoutingKey(game:)`
  var key = RoutingKey()
  var game = ""
  /// Milliseconds since 1970.
  var declared: Int64 = 0
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("game", &game)
    visit.field("declared", &declared)
  }
}

extension RequestCore {
  func declareGame(_ operation: DeclareGame, _ call: Call, _ transaction: inout Transaction)
    throws(Stop) -> DeclareGame.Reply
  {
    if call.game.isEmpty {
      throw .requiredArgument("game", "A game is required.")
    }
    var reply = DeclareGame.Reply()
    if declaredGames[call.key] == nil {
      declaredGames.put(
        GameRow(key: call.key, game: call.game, declared: transaction.now), &transaction)
      reply.change = .created
    }
    return reply
  }

  func fetchGame(_ operation: FetchGame, _ call: Call, _ transaction: inout Transaction)
    -> FetchGame.Reply
  {
    var reply = FetchGame.Reply()
    reply.isDeclared = declaredGames[operation.key] != nil
    return reply
  }
}
