import MusterKit

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What a game declares: `{"game": …, "leaderboards": [{"board": …, "title": …, …}],
/// "leaderboardSets": [{"set": …, "title": …, "boards": […]}], "achievements": [{"achievement": …,
/// "points": …, …}]}`, with the names of the protocol's own fields.
struct DeclarationFile {
  /// The game that the file is about; an option on the command line comes before it.
  var game: String?
  var leaderboards: [LeaderboardDefinition] = []
  var leaderboardSets: [LeaderboardSetDefinition] = []
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
      var attempts: String?
      var attemptDays: UInt32?
      var recurrence: Recurring?
      var olderOccurrencesKept: UInt32?
      var hasWindows: Bool?
      var isServerWritten: Bool?
      var rateCount: UInt32?
      var rateSeconds: UInt32?
      var requiresTicket: Bool?
      var runSecondsMin: UInt32?
      var linkedContext: String?
      var historyDays: UInt32?
    }
    struct Recurring: Decodable {
      var unit: String?
      var start: Int64
      var duration: Int64
      var interval: Int64
      var zone: String?
    }
    struct BoardSet: Decodable {
      var set: String
      var title: String?
      var boards: [String]
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
    var leaderboardSets: [BoardSet]?
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
    guard
      contents.leaderboards != nil || contents.leaderboardSets != nil
        || contents.achievements != nil
    else {
      throw UsageError(
        "\(path) is not a declaration file: it has no leaderboards, leaderboardSets or achievements"
      )
    }
    leaderboards = try (contents.leaderboards ?? []).map { try Self.definition($0, in: path) }
    leaderboardSets = (contents.leaderboardSets ?? []).map(Self.definition)
    achievements = (contents.achievements ?? []).map(Self.definition)
  }

  private static func definition(_ set: Contents.BoardSet) -> LeaderboardSetDefinition {
    var definition = LeaderboardSetDefinition()
    definition.set = set.set
    definition.title = set.title ?? set.set
    definition.boards = set.boards
    return definition
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

  private static func definition(_ board: Contents.Board, in path: String) throws
    -> LeaderboardDefinition
  {
    var definition = LeaderboardDefinition()
    definition.board = board.board
    definition.title = board.title ?? board.board
    definition.sortOrder = try term(board.sortOrder, "sortOrder", in: path)
    definition.aggregation = try term(board.aggregation, "aggregation", in: path)
    definition.tieRule = try term(board.tieRule, "tieRule", in: path)
    definition.minimum = board.minimum
    definition.maximum = board.maximum
    definition.format = try term(board.format, "format", in: path)
    definition.attempts = try term(board.attempts, "attempts", in: path)
    definition.attemptDays = board.attemptDays ?? 0
    definition.recurrence = try board.recurrence.map { try recurrence($0, in: path) }
    definition.olderOccurrencesKept = board.olderOccurrencesKept ?? 0
    definition.hasWindows = board.hasWindows ?? false
    definition.isServerWritten = board.isServerWritten ?? false
    definition.rateCount = board.rateCount ?? 0
    definition.rateSeconds = board.rateSeconds ?? 0
    definition.requiresTicket = board.requiresTicket ?? false
    definition.runSecondsMin = board.runSecondsMin ?? 0
    definition.linkedContext = try board.linkedContext.map { try context($0, in: path) }
    definition.historyDays = board.historyDays ?? 0
    return definition
  }

  private static func context(_ text: String, in path: String) throws(UsageError) -> ContextID {
    guard let context = ContextID(text) else {
      throw UsageError("\(path): linkedContext is an id of 26 letters and digits, not \(text).")
    }
    return context
  }

  private static func recurrence(_ declared: Contents.Recurring, in path: String) throws
    -> Recurrence
  {
    var recurrence = Recurrence()
    recurrence.unit = try term(declared.unit, "unit", in: path)
    recurrence.start = declared.start
    recurrence.duration = declared.duration
    recurrence.interval = declared.interval
    recurrence.zone = declared.zone ?? ""
    return recurrence
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
