import Foundation
import MusterKit

/// What a game declares: `{"game": …, "leaderboards": [{"board": …, "title": …, …}],
/// "achievements": [{"achievement": …, "points": …, …}]}`, with the names of the protocol's own fields.
struct DeclarationFile {
  /// The game that the file is about, unless the command line says another.
  var game: String?
  var leaderboards: [LeaderboardDefinition] = []
  var achievements: [AchievementDefinition] = []

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
    struct Achievement: Decodable {
      var achievement: String
      var title: String?
      var descriptionBefore: String?
      var descriptionAfter: String?
      var isHidden: Bool?
      var isReplayable: Bool?
      var points: UInt32?
    }
    var game: String?
    var leaderboards: [Board]?
    var achievements: [Achievement]?
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
    guard contents.leaderboards != nil || contents.achievements != nil else {
      throw UsageError(
        "\(path) is not a declaration file: it has neither leaderboards nor achievements")
    }
    leaderboards = try (contents.leaderboards ?? []).map { board in
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
    achievements = (contents.achievements ?? []).map(Self.definition)
  }

  private static func definition(_ achievement: Contents.Achievement) -> AchievementDefinition {
    var definition = AchievementDefinition()
    definition.achievement = achievement.achievement
    definition.title = achievement.title ?? achievement.achievement
    definition.descriptionBefore = achievement.descriptionBefore ?? ""
    definition.descriptionAfter = achievement.descriptionAfter ?? ""
    definition.isHidden = achievement.isHidden ?? false
    definition.isReplayable = achievement.isReplayable ?? false
    definition.points = achievement.points ?? 0
    return definition
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
