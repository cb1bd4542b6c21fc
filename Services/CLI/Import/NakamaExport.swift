import MusterKit

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What an operator of Nakama has written out: four files in one folder, as
/// `guides/moving-from-nakama.md` says. Ids are Nakama's.
struct NakamaExport {
  struct User {
    var id: String
    var name: String
    /// Subjects by the name of their provider here.
    var identities: [(provider: String, subject: String)]
  }

  /// What one user has noted of another.
  struct Edge {
    var source: String
    var target: String
    var isBlock: Bool
    /// Milliseconds since 1970.
    var updated: Int64
  }

  struct Record {
    var board: String
    var owner: String
    var score: Int64
    var subscore: Int64
    /// Milliseconds since 1970.
    var updated: Int64
  }

  private(set) var users: [User] = []
  private(set) var edges: [Edge] = []
  private(set) var boards: [NakamaBoard] = []
  /// One for each board and owner: the one that was changed last.
  private(set) var records: [Record] = []
  /// Records of times that are over.
  private(set) var expired = 0

  private let folder: String

  /// - Parameters:
  ///   - identities: the columns of identities to take, by provider.
  ///   - now: milliseconds since 1970.
  init(folder: String, identities: [String], now: Int64) throws {
    self.folder = folder
    try readUsers(identities)
    try readEdges()
    try readBoards()
    try readRecords(now)
  }

  private mutating func readUsers(_ providers: [String]) throws {
    let columns = providers.map { ($0, $0 + "_id") }
    var seen: Set<String> = []
    try rows("users.csv", ["id", "username", "display_name"] + columns.map(\.1)) { row in
      guard seen.insert(row["id"]).inserted else { return }
      let identities = columns.map { (provider: $0, subject: row[$1]) }
      users.append(
        User(
          id: row["id"],
          name: ImportedName.kept(of: [row["display_name"], row["username"]]),
          identities: identities.filter { !$0.subject.isEmpty }))
    }
  }

  private mutating func readEdges() throws {
    try rows("edges.csv", ["source_id", "destination_id", "state", "updated"]) { row in
      // Invitations, 1 and 2, are left to the players.
      guard row["state"] == "0" || row["state"] == "3" else { return }
      edges.append(
        Edge(
          source: row["source_id"], target: row["destination_id"], isBlock: row["state"] == "3",
          updated: try integer(row, "updated")))
    }
  }

  private mutating func readBoards() throws {
    let columns = ["id", "title", "sort_order", "operator", "authoritative", "reset_schedule"]
    var seen: Set<String> = []
    try rows("leaderboards.csv", columns) { row in
      guard seen.insert(row["id"]).inserted else { return }
      boards.append(
        NakamaBoard(
          id: row["id"], title: row["title"], isLowFirst: row["sort_order"] == "0",
          aggregation: row["operator"] == "0" ? .best : row["operator"] == "1" ? .latest : .sum,
          isServerWritten: row["authoritative"] == "t" || row["authoritative"] == "true",
          recurs: !row["reset_schedule"].isEmpty))
    }
  }

  private mutating func readRecords(_ now: Int64) throws {
    struct Key: Hashable {
      var board: String
      var owner: String
    }
    var found: [Key: Record] = [:]
    let columns = ["leaderboard_id", "owner_id", "score", "subscore", "updated", "expires"]
    try rows("records.csv", columns) { row in
      let expires: Int64 = try integer(row, "expires")
      // One that never expires says 1970, by whatever time zone the database had.
      if expires > 86_400_000 && expires <= now {
        expired += 1
        return
      }
      let record = Record(
        board: row["leaderboard_id"], owner: row["owner_id"], score: try integer(row, "score"),
        subscore: try integer(row, "subscore"), updated: try integer(row, "updated"))
      let key = Key(board: record.board, owner: record.owner)
      if let other = found[key], other.updated > record.updated { return }
      found[key] = record
    }
    records = found.values.sorted { ($0.board, $0.owner) < ($1.board, $1.owner) }
  }

  private func rows(
    _ name: String, _ columns: [String], _ body: (CSVReader.Row) throws -> Void
  ) throws {
    let path = folder + "/" + name
    guard let data = FileManager.default.contents(atPath: path) else {
      throw UsageError.missing("\(path) cannot be read.")
    }
    do {
      var reader = try CSVReader(Array(data), required: columns)
      while let row = try reader.next() { try body(row) }
    } catch let fault as CSVReader.Fault {
      throw UsageError.missing("\(path), line \(fault.line): \(fault.text).")
    }
  }

  private func integer(_ row: CSVReader.Row, _ column: String) throws(CSVReader.Fault) -> Int64 {
    if let value = Int64(row[column]) { return value }
    throw .init(line: row.line, text: "\(column) is a whole number, not \(row[column])")
  }
}

/// A leaderboard or tournament of Nakama's.
struct NakamaBoard {
  var id: String
  var title: String
  var isLowFirst: Bool
  var aggregation: ScoreAggregation
  /// Whether clients could not write to it.
  var isServerWritten: Bool
  /// Whether it begins anew by a schedule.
  var recurs: Bool

  var sortOrder: ScoreOrder { isLowFirst ? .lowFirst : .highFirst }

  /// How it would be declared here.
  var definition: LeaderboardDefinition {
    var definition = LeaderboardDefinition()
    definition.board = id
    definition.title = title.isEmpty ? id : title
    definition.sortOrder = sortOrder
    definition.aggregation = aggregation
    definition.isServerWritten = isServerWritten
    return definition
  }
}

/// Names of another system, made to fit the rules here.
enum ImportedName {
  /// The first of the names of which something is left; `Player` where nothing is.
  static func kept(of names: [String]) -> String {
    for name in names {
      for candidate in [name, seen(name)] {
        let kept = shortened(ProfileRules.kept(displayName: candidate))
        if ProfileRules.failure(displayName: kept) == nil { return kept }
      }
    }
    return "Player"
  }

  /// Without what is not seen, and with a blank in place of a line end.
  private static func seen(_ name: String) -> String {
    var text = ""
    for scalar in name.unicodeScalars {
      let line = String(scalar)
      if scalar.properties.generalCategory == .control {
        text += " "
      } else if TextRules.fault(in: line) == nil {
        text += line
      }
    }
    return text
  }

  private static func shortened(_ name: String) -> String {
    var text = String(name.prefix(ProfileLimits.displayNameCharactersMax))
    while text.utf8.count > ProfileLimits.displayNameBytesMax { text.removeLast() }
    return ProfileRules.kept(displayName: text)
  }
}
