import Foundation
import MusterKit

/// Commands of whoever runs a deployment or develops a game.
enum OperatorCommands {
  static let all = [
    Command("apply", "FILE", "declare a game's leaderboards from a JSON file", run: apply),
    Command("status", "", "how the gateway and every service's process are") { session in
      let reply = try await session.asOperator { try await $0.call(DeploymentStatus()) }
      session.output.show(reply)
    },
    Command("credential", "", "the credential of the game's own server") { session in
      var operation = GameServerCredential()
      operation.game = session.settings.configuration.game
      let credential = operation
      let reply = try await session.asOperator { try await $0.call(credential) }
      session.output.show(reply)
    },
    Command("board remove", "BOARD PLAYER", "remove a player's score") { session in
      var operation = RemoveScore()
      operation.board = try session.word(0, "BOARD")
      operation.player = try session.player(session.word(1, "PLAYER"))
      let removal = operation
      let reply = try await session.asOperator { try await $0.call(removal) }
      session.output.show(reply)
    },
  ]

  private static func apply(_ session: Session) async throws {
    let file = try DeclarationFile(path: session.word(0, "FILE"))
    try await session.asOperator(game: session.arguments["game"] ?? file.game) { client in
      for definition in file.leaderboards {
        var operation = DefineLeaderboard()
        operation.definition = definition
        let reply = try await client.call(operation)
        session.output.show(
          .object([
            .init(name: "board", value: .text(definition.board)),
            .init(name: "change", value: .text(reply.change.description)),
          ]))
      }
    }
  }
}

/// What a game declares: `{"game": …, "leaderboards": [{"board": …, "title": …, …}]}`, with the
/// names of the protocol's own fields.
struct DeclarationFile {
  /// The game that the file is about, unless the command line says another.
  var game: String?
  var leaderboards: [LeaderboardDefinition] = []

  private struct Contents: Decodable {
    struct Board: Decodable {
      var board: String
      var title: String?
      var sortOrder: String?
      var aggregation: String?
      var tieRule: String?
      var minimum: Int64?
      var maximum: Int64?
      var format: String?
    }
    var game: String?
    var leaderboards: [Board]
  }

  init(path: String) throws {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw UsageError("\(path) cannot be read.")
    }
    let contents: Contents
    do {
      contents = try JSONDecoder().decode(Contents.self, from: data)
    } catch {
      throw UsageError("\(path) is not a declaration file: \(Self.reason(error))")
    }
    game = contents.game
    leaderboards = try contents.leaderboards.map { board in
      var definition = LeaderboardDefinition()
      definition.board = board.board
      definition.title = board.title ?? board.board
      definition.sortOrder = try Self.term(board.sortOrder, "sortOrder", in: path)
      definition.aggregation = try Self.term(board.aggregation, "aggregation", in: path)
      definition.tieRule = try Self.term(board.tieRule, "tieRule", in: path)
      definition.minimum = board.minimum
      definition.maximum = board.maximum
      definition.format = try Self.term(board.format, "format", in: path)
      return definition
    }
  }

  private static func reason(_ error: any Error) -> String {
    let context: DecodingError.Context
    switch error as? DecodingError {
    case .keyNotFound(let key, let found):
      let place = (found.codingPath + [key]).map { $0.intValue.map(String.init) ?? $0.stringValue }
      return "\(place.joined(separator: ".")) is missing"
    case .valueNotFound(_, let found), .typeMismatch(_, let found), .dataCorrupted(let found):
      context = found
    default: return "\(error)"
    }
    let path = context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }
    let place = path.isEmpty ? "" : "\(path.joined(separator: ".")): "
    return place + context.debugDescription
  }

  private static func term<Term: OpenEnum>(_ name: String?, _ field: String, in path: String)
    throws(UsageError) -> Term
  {
    guard let name else { return Term() }
    guard let term = Term(named: name) else {
      throw UsageError("\(path): \(field) is one of \(Term.names.joined(separator: ", ")).")
    }
    return term
  }
}
