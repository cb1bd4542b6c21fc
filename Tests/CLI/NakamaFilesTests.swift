import Foundation
import MusterKit
import Testing

@testable import muster

/// The files of an import: those that are read, and the one that notes the players.
@Suite struct NakamaFilesTests {
  private func withFolder(
    _ files: [String: String] = [:], _ body: (String) throws -> Void
  ) throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("muster-nakama-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for (name, text) in files {
      try Data(text.utf8).write(to: folder.appendingPathComponent(name))
    }
    try body(folder.path)
  }

  @Test("a user or a board that stands in its file twice counts once")
  func twice() throws {
    try withFolder([
      "users.csv": "id,username,display_name\n1,ann,Ann\n1,ann,Ann\n",
      "edges.csv": "source_id,destination_id,state,updated\n",
      "leaderboards.csv": """
      id,title,sort_order,operator,authoritative,reset_schedule
      laps,First,0,0,f,
      laps,Second,1,0,f,

      """,
      "records.csv": "leaderboard_id,owner_id,score,subscore,updated,expires\n",
    ]) { folder in
      let export = try NakamaExport(folder: folder, identities: [], now: 0)
      #expect(export.users.map(\.id) == ["1"])
      #expect(export.boards.map(\.title) == ["First"])
    }
  }

  @Test("players who are noted are read again; those of another deployment are set aside")
  func map() throws {
    try withFolder { folder in
      let path = folder + "/players.csv"
      let (ann, ben) = (PlayerID(high: 1, low: 2), PlayerID(high: 3, low: 4))
      try PlayerMap(path).note([("1", ann), ("2", ann)])
      let map = try PlayerMap(path)
      #expect(map.players == ["1": ann, "2": ann])
      map.forget(["2"])
      #expect(map.players == ["1": ann])
      try map.startAnew()
      #expect(map.players.isEmpty)
      try map.note([("1", ben)])
      #expect(try PlayerMap(path).players == ["1": ben])
      #expect(try PlayerMap(path + ".before").players == ["1": ann, "2": ann])
    }
  }
}
