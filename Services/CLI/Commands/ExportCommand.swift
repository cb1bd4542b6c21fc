import MusterKit

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `muster export`: one file with everything that is kept about a player.
enum ExportCommand {
  static let command = Command(
    "export", "PLAYER FILE",
    "store everything that all services keep about a player in a JSON file (operator)",
    [
      .init(
        "own", nil,
        "Leave out what is of others too, such as contexts and other players' lists: what is left "
          + "can be given to the player.")
    ],
    run: export)

  private static func export(_ session: Session) async throws {
    let player = try session.player(session.word(0, "PLAYER"))
    let isOwnAlone = session.arguments.has("own")
    let file = try ResultFile(session.word(1, "FILE"))
    do {
      let count = try await session.asOperator { client in
        try await write(player, isOwnAlone, to: file, by: client)
      }
      try file.finish()
      session.output.show(.object([.init(name: "records", value: .integer(Int64(count)))]))
    } catch {
      file.discard()
      throw error
    }
  }

  /// Returns the number of records. A record is written as it comes: there may be many.
  ///
  /// - Throws: `notFound` where no service has any: a file without records would seem to be all
  ///   that is kept about a player whose id was mistyped.
  private static func write(
    _ player: PlayerID, _ isOwnAlone: Bool, to file: ResultFile, by client: MusterClient
  ) async throws -> Int {
    let time = Int64(Date().timeIntervalSince1970 * 1000)
    var (count, isKnown) = (0, false)
    try file.write(
      #"{"player":"\#(player)","exportedAt":\#(time),"isOwnAlone":\#(isOwnAlone),"records":["#)
    try await client.export(player) { records in
      isKnown = isKnown || !records.isEmpty
      for one in records where one.record.isOwn || !isOwnAlone {
        let json = String(decoding: one.record.json.array, as: UTF8.self)
        try file.write(
          (count == 0 ? "\n" : ",\n")
            + #"{"service":"\#(one.service)","table":"\#(one.record.table)","#
            + #""isOwn":\#(one.record.isOwn),"row":\#(json)}"#)
        count += 1
      }
    }
    guard isKnown else {
      throw MusterError(
        .notFound, argument: "player",
        "No service keeps anything about \(player): the id is not right, or the player was erased.")
    }
    try file.write("\n]}\n")
    return count
  }
}
