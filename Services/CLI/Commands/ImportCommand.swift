import MusterKit

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `muster import`: what another system knew of a game's players.
enum ImportCommand {
  static let all = [
    Command(
      "import nakama", "DIRECTORY",
      "bring Nakama's users, friends, boards and scores from CSV files (operator)",
      [
        .init(
          "provider", "NAME",
          "The provider whose tokens name a user's id in Nakama, as the gateway has it (default "
            + "custom)."),
        .init(
          "identities", "NAMES",
          "Providers whose ids are in users.csv too, with commas between them: apple, facebook, "
            + "google, gamecenter, steam."),
      ],
      run: importNakama)
  ]

  private static func importNakama(_ session: Session) async throws {
    let folder = try session.word(0, "DIRECTORY")
    let identities = (session.arguments["identities"] ?? "").split(separator: ",").map(String.init)
    let export = try NakamaExport(
      folder: folder, identities: identities, now: Int64(Date().timeIntervalSince1970 * 1000))
    let map = try PlayerMap(folder + "/players.csv")
    var work = NakamaImport(
      export, provider: session.arguments["provider"] ?? "custom", map: map)
    let (boards, credential) = try await session.asOperator { client in
      try await work.bringPlayers(by: client)
      if work.beganAnew {
        session.output.note("no player of players.csv was here: it is players.csv.before now")
      }
      session.output.note("the users are here; friends, boards and scores follow")
      try await work.bringFriends(by: client)
      var operation = GameServerCredential()
      operation.game = session.settings.configuration.game
      return (
        try await work.bringBoards(by: client), try await client.call(operation).credential
      )
    }
    try await session.asGameServer(credential) { client in
      try await work.bringScores(to: boards, by: client)
    }
    try write(work.leftOut, to: folder + "/left-out.csv")
    show(work, export, session)
  }

  private static func write(_ leftOut: [NakamaImport.LeftOut], to path: String) throws {
    let file = try ResultFile(path)
    try file.write("kind,name,reason\n")
    for one in leftOut {
      try file.write(
        [one.kind, one.name, one.reason].map(CSVText.of).joined(separator: ",") + "\n")
    }
    try file.finish()
  }

  private static func show(_ work: NakamaImport, _ export: NakamaExport, _ session: Session) {
    let counts = work.counts
    let numbers = [
      ("players", counts.players), ("identities", counts.identities), ("friends", counts.friends),
      ("blocks", counts.blocks), ("boards", counts.boards), ("scores", counts.scores),
      ("unchanged", counts.unchanged), ("expired", export.expired),
      ("leftOut", work.leftOut.count),
    ]
    session.output.show(
      .object(numbers.map { .init(name: $0.0, value: .integer(Int64($0.1))) }))
    if work.leftOut.isEmpty { return }
    session.output.note("left-out.csv says what was left out, and why")
  }
}
