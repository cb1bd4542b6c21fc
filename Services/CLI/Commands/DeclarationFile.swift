import MusterKit
import Wire

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What a game declares: `{"game": …, "leaderboards": [{"board": …, "title": …, …}],
/// "leaderboardSets": [{"set": …, "title": …, "boards": […]}], "achievements": [{"achievement": …,
/// "points": …, …}], "queues": [{"playerGroup": …, "rules": […], …}]}`, with the names of the
/// protocol's own fields and no others. One of the five is there.
struct DeclarationFile: Decodable {
  /// The game that the file is about; an option on the command line comes before it.
  var game: String?
  var leaderboards: [LeaderboardDefinition]
  var leaderboardSets: [LeaderboardSetDefinition]
  var achievements: [AchievementDefinition]
  var queues: [QueueDefinition]

  init(path: String) throws {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw UsageError.missing("\(path) cannot be read.")
    }
    do {
      self = try JSONDecoder().decode(Self.self, from: data)
    } catch {
      throw UsageError.missing("\(path) is not a declaration file: \(Self.reason(error))")
    }
  }

  init(from decoder: any Decoder) throws {
    let file = try decoder.container(keyedBy: FieldName.self)
    try file.refuseNames(
      besides: ["game", "leaderboards", "leaderboardSets", "achievements", "queues"])
    guard !file.allKeys.isEmpty else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: [],
          debugDescription: "it has no game, leaderboards, leaderboardSets, achievements or queues")
      )
    }
    game = try file.decodeIfPresent(String.self, forKey: FieldName("game"))
    leaderboards = try Self.messages(in: file, "leaderboards")
    leaderboardSets = try Self.messages(in: file, "leaderboardSets")
    achievements = try Self.messages(in: file, "achievements")
    queues = try Self.messages(in: file, "queues")
  }

  private static func messages<M: Message>(
    in file: KeyedDecodingContainer<FieldName>, _ name: String
  ) throws -> [M] {
    try file.decodeIfPresent([DeclaredMessage<M>].self, forKey: FieldName(name))?.map(\.message)
      ?? []
  }

  private static func reason(_ error: any Error) -> String {
    let context: DecodingError.Context
    switch error as? DecodingError {
    case .keyNotFound(let key, let found):
      return "\(place(found.codingPath + [key])) is missing"
    case .valueNotFound(_, let found), .typeMismatch(_, let found), .dataCorrupted(let found):
      context = found
    default: return "\(error)"
    }
    let place = context.codingPath.isEmpty ? "" : "\(place(context.codingPath)): "
    return place + context.debugDescription
  }

  private static func place(_ path: [any CodingKey]) -> String {
    path.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
  }
}
