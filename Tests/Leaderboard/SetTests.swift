import Domain
import LeaderboardCore
import Operations
import TestKit
import Testing
import Wire

/// Sets of boards.
struct SetTests {
  private func define(
    _ set: String, _ boards: [String], title: String = "", in world: World,
    kind: PrincipalKind = .deploymentOperator
  ) throws -> DefinitionChange {
    var operation = DefineLeaderboardSet()
    operation.definition.set = set
    operation.definition.title = title
    operation.definition.boards = boards
    return try world.driver.call(operation, as: PlayerID(), kind: kind).change
  }

  private func describe(_ set: String, in world: World, kind: PrincipalKind = .player) throws
    -> DescribeLeaderboardSet.Reply
  {
    var operation = DescribeLeaderboardSet()
    operation.set = set
    return try world.driver.call(operation, as: Players.ada, kind: kind)
  }

  private func world() throws -> World {
    let world = World()
    for board in ["laps", "coins", "wins"] {
      try world.define(board) { $0.title = "The \(board)" }
    }
    try world.settle()
    return world
  }

  @Test("4.2 a set lists its boards in its order, with their titles; a board may be in several")
  func boards() throws {
    let world = try world()
    #expect(try define("race", ["laps", "wins"], title: "Race", in: world) == .created)
    #expect(try define("all", ["wins", "coins", "laps"], in: world, kind: .gameServer) == .created)
    for _ in 0..<2 {
      let race = try describe("race", in: world)
      #expect(race.title == "Race")
      #expect(race.boards.map(\.board) == ["laps", "wins"])
      #expect(race.boards.map(\.title) == ["The laps", "The wins"])
      #expect(try describe("all", in: world).boards.map(\.board) == ["wins", "coins", "laps"])
      let sets = try world.driver.call(ListLeaderboardSets(), as: Players.ada).sets
      #expect(sets.map(\.set) == ["race", "all"] && sets.map(\.title) == ["Race", ""])
      try world.driver.restart()
    }
    #expect(try World().driver.call(ListLeaderboardSets(), as: Players.ada).sets.isEmpty)
  }

  private func list(_ cursor: String, limit: UInt32, in world: World) throws
    -> ListLeaderboards.Reply
  {
    var operation = ListLeaderboards()
    (operation.cursor, operation.limit) = (cursor, limit)
    return try world.driver.call(operation, as: Players.ada)
  }

  @Test("4.2 the boards of a game are listed by name, page by page, in sets or not")
  func allBoards() throws {
    let world = try world()
    _ = try define("race", ["laps", "soon"], in: world)
    for _ in 0..<2 {
      let first = try list("", limit: 2, in: world)
      #expect(first.boards.map(\.board) == ["coins", "laps"])
      #expect(first.boards.map(\.title) == ["The coins", "The laps"])
      let last = try list(first.cursor, limit: 2, in: world)
      #expect(last.boards.map(\.board) == ["wins"] && last.cursor.isEmpty)
      #expect(try list("", limit: 3, in: world).cursor.isEmpty)
      try world.driver.restart()
    }
    // One that is declared between two pages comes in its place, and a new title is no new board.
    let first = try list("", limit: 2, in: world)
    try world.define("a") { $0.title = "A" }
    try world.define("m") { $0.title = "M" }
    try world.define("laps") { $0.title = "Laps" }
    try world.settle()
    #expect(try list(first.cursor, limit: 2, in: world).boards.map(\.board) == ["m", "wins"])
    #expect(
      try list("", limit: 100, in: world).boards.map(\.title)
        == ["A", "The coins", "Laps", "M", "The wins"])
    #expect(try list("", limit: 100, in: World()).boards.isEmpty)
    for (cursor, limit) in [("", 0), ("", 101), ("no name", 1)] as [(String, UInt32)] {
      #expect(throws: (any Error).self) { try list(cursor, limit: limit, in: world) }
    }
  }

  @Test("4.2 declaring a set again changes it in its place, or nothing")
  func changes() throws {
    let world = try world()
    _ = try define("race", ["laps"], in: world)
    _ = try define("all", ["wins"], in: world)
    #expect(try define("race", ["laps"], in: world) == .unchanged)
    #expect(try define("race", ["wins", "laps"], in: world) == .updated)
    #expect(try describe("race", in: world).boards.map(\.board) == ["wins", "laps"])
    let sets = try world.driver.call(ListLeaderboardSets(), as: Players.ada).sets
    #expect(sets.map(\.set) == ["race", "all"])
  }

  @Test("4.2 a set shows a board's newest title, and a board that is not declared to owners only")
  func titles() throws {
    let world = try world()
    _ = try define("race", ["soon", "laps"], in: world)
    #expect(try describe("race", in: world).boards.map(\.board) == ["laps"])
    let all = try describe("race", in: world, kind: .gameServer).boards
    #expect(all.map(\.board) == ["soon", "laps"] && all.map(\.title) == [nil, "The laps"])
    try world.define("laps") { $0.title = "Laps" }
    try world.define("soon") { $0.title = "Soon" }
    try world.settle()
    #expect(try describe("race", in: world).boards.map(\.title) == ["Soon", "Laps"])
    // What is no new title is nothing to tell.
    try world.define("laps") { ($0.title, $0.maximum) = ("Laps", 5) }
    #expect(world.driver.effects.isEmpty)
  }

  @Test("4.2 a board of which the game has not heard comes into a set all the same")
  func olderBoards() throws {
    let world = World()
    try world.define("laps") { $0.title = "The laps" }
    // As when it was declared before there were sets.
    _ = try world.driver.takeEffects(RecordLeaderboard.self)
    _ = try define("race", ["soon", "laps"], in: world)
    #expect(try describe("race", in: world).boards.isEmpty)
    try world.settle()
    #expect(try describe("race", in: world).boards.map(\.title) == ["The laps"])
    _ = try define("race", ["laps"], in: world)
    #expect(world.driver.effects.isEmpty)
    // One of another game is none of this one's.
    var question = TellLeaderboardTitle()
    question.boardKey = RoutingKey(game: "other", name: "laps")
    try world.driver.call(question, as: PlayerID(), kind: .service)
    #expect(world.driver.effects.isEmpty)
  }

  @Test("4.2 names, titles and numbers of a set are bounded; an unknown set is not found")
  func faults() throws {
    let world = try world()
    let boards = (0..<101).map { "board-\($0)" }
    expectRefusal(.requiredArgument, "set") { _ = try define("", ["laps"], in: world) }
    expectRefusal(.invalidArgument, "set") { _ = try define("a b", ["laps"], in: world) }
    expectRefusal(.requiredArgument, "boards") { _ = try define("race", [], in: world) }
    expectRefusal(.invalidArgument, "boards") { _ = try define("race", ["laps", ""], in: world) }
    expectRefusal(.invalidArgument, "boards") { _ = try define("race", ["a b"], in: world) }
    expectRefusal(.invalidArgument, "boards") {
      _ = try define("race", ["laps", "wins", "laps"], in: world)
    }
    expectRefusal(.limitReached, "boards") { _ = try define("race", boards, in: world) }
    expectRefusal(.invalidArgument, "title") {
      _ = try define("race", ["laps"], title: String(repeating: "x", count: 201), in: world)
    }
    expectRefusal(.notAllowed) { _ = try define("race", ["laps"], in: world, kind: .player) }
    #expect(try define("race", Array(boards.prefix(100)), in: world) == .created)
    expectRefusal(.requiredArgument, "set") { _ = try describe("", in: world) }
    expectRefusal(.notFound, "set") { _ = try describe("laps", in: world) }
  }

  @Test("4.2 a game has at most 100 sets, and one of them can still change")
  func full() throws {
    let world = try world()
    for number in 0..<100 { _ = try define("set-\(number)", ["laps"], in: world) }
    expectRefusal(.limitReached, "set") { _ = try define("set-100", ["laps"], in: world) }
    #expect(try define("set-99", ["wins"], in: world) == .updated)
    let nameless = World(game: "")
    expectRefusal(.requiredArgument, "game") { _ = try define("race", ["laps"], in: nameless) }
  }

  @Test("4.2 declared sets are in the audit, once")
  func audit() throws {
    let world = World()
    for _ in 0..<2 { _ = try define("race", ["laps"], in: world) }
    let rows = try (world.driver.rows[AuditRow.tableID] ?? [:]).values
      .map { try AuditRow(decoding: $0) }
    #expect(rows.map(\.operation) == ["DefineLeaderboardSet"])
    #expect(rows.map(\.subject) == ["race"] && rows.map(\.principal) == [.deploymentOperator])
  }
}
