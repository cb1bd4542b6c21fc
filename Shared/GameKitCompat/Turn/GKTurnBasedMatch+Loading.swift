public import Foundation
internal import MusterKit

extension GKTurnBasedMatch {
  /// Loads the local player's matches that are under way, those that wait for the player first.
  /// What has ended is loaded by its id.
  public static func loadMatches(
    completionHandler: (@MainActor ([GKTurnBasedMatch]?, (any Error)?) -> Void)? = nil
  ) {
    complete(completionHandler) { () async throws(GKError) in
      let client = try GameKit.signedInClient()
      var (operation, matches) = (ListTurnGames(), [GKTurnBasedMatch]())
      operation.filter = .all
      repeat {
        let page = try await client.call(operation)
        for entry in page.games {
          // One that is gone since the page was written keeps none of the others from the game.
          do throws(GKError) {
            matches.append(try await load(entry.context, entry.number, client))
          } catch  where error.failure == .notFound {}
        }
        operation.cursor = page.cursor
      } while !operation.cursor.isEmpty
      return matches
    }
  }

  public static func loadMatches() async throws -> [GKTurnBasedMatch] {
    try await outcome { loadMatches(completionHandler: $0) }
  }

  /// Loads a match by its id. The last few that ended in a context can still be loaded.
  public static func load(
    withID matchID: String,
    withCompletionHandler completionHandler:
      (@MainActor (GKTurnBasedMatch?, (any Error)?) -> Void)? = nil
  ) {
    complete(completionHandler) { () async throws(GKError) in
      guard let place = place(of: matchID) else {
        throw GKError(.invalidArgument, argument: "matchID", "This is no match's id.")
      }
      return try await load(place.context, place.number, try GameKit.signedInClient())
    }
  }

  public static func load(withID matchID: String) async throws -> GKTurnBasedMatch {
    try await outcome { load(withID: matchID, withCompletionHandler: $0) }
  }

  /// Loads the state, and all else that has changed.
  public func loadMatchData(
    completionHandler: (@MainActor (Data?, (any Error)?) -> Void)? = nil
  ) {
    complete(completionHandler) { () async throws(GKError) in
      try await self.reload(try GameKit.signedInClient())
      guard let data = self.matchData else {
        throw GKError(.notAllowed, "Who has no seat in the match does not see its state.")
      }
      return data
    }
  }

  public func loadMatchData() async throws -> Data {
    try await outcome { loadMatchData(completionHandler: $0) }
  }

  // MARK: The server's part

  static func load(_ context: ContextID, _ number: UInt32, _ client: any GameKitClient)
    async throws(GKError) -> GKTurnBasedMatch
  {
    var operation = ReadTurnGame()
    (operation.context, operation.number) = (context, number)
    let view = try await client.call(operation)
    let names = try await client.displayNames(of: players(of: view.info))
    let match = GKTurnBasedMatch(view.info, names: names)
    match.update(view)
    try await match.loadWords(client)
    return match
  }

  func reload(_ client: any GameKitClient) async throws(GKError) {
    var operation = ReadTurnGame()
    (operation.context, operation.number) = (info.context, info.number)
    update(try await client.call(operation))
    let unknown = Self.players(of: info).filter { names[$0] == nil }
    if !unknown.isEmpty { know(try await client.displayNames(of: unknown)) }
    try await loadWords(client)
  }

  /// Loads the last turn's message and the exchanges.
  private func loadWords(_ client: any GameKitClient) async throws(GKError) {
    if info.moveCount > 0 {
      var operation = ReadMoves()
      (operation.context, operation.number) = (info.context, info.number)
      operation.from = info.moveCount
      if let move = try await client.call(operation).moves.last { know(move) }
    }
    var loaded: [GKTurnBasedExchange] = []
    for exchange in info.exchanges {
      var operation = ReadTurnExchange()
      (operation.context, operation.number) = (info.context, info.number)
      operation.exchange = exchange.id
      // It may have ended since the match was read.
      do throws(GKError) {
        loaded.append(GKTurnBasedExchange(try await client.call(operation), in: self))
      } catch  where error.failure == .notFound && error.argument == "exchange" {}
    }
    exchanges = loaded
  }

  private static func players(of info: TurnGameInfo) -> [PlayerID] {
    info.seats.map(\.player).filter { !$0.isNil }
  }
}
