import TestKit
import Testing
import Wire

@testable import Domain

/// A row that has something of everybody and no field for a player.
private struct LetterRow: Row {
  static let tableID: UInt16 = 30
  static let tableName = "Letter"
  var key: UInt64 = 0
  var body = Bytes()
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("number", &key)
    visit.field("body", &body)
  }
}

/// Has the number of `LetterRow`.
private struct PostcardRow: Row {
  static let tableID: UInt16 = 30
  static let tableName = "postcard"
  var key = PlayerID()
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &key)
  }
}

/// Has the name of `LetterRow`, but for a capital, and nothing that could say whom it is about.
private struct CountRow: Row {
  static let tableID: UInt16 = 31
  static let tableName = "letter"
  var key: UInt64 = 0
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("number", &key)
  }
}

/// A core whose table has a number of the engine's.
private final class GreedyCore: ServiceCore {
  struct Row: Domain.Row {
    static let tableID: UInt16 = 15
    static let tableName = "greedy"
    var key: UInt64 = 0
    mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("number", &key)
    }
  }
  static let service = Service.context
  let router = Router()
  let settings: SettingValues
  init(settings: SettingValues) { self.settings = settings }
  func register(_ tables: inout Tables) { tables.cold(Row.self, about: .nobody) }
}

struct TablesTests {
  @Test func eachTableSaysWhereItsRowsAre() {
    let tables = Engine.tables(of: TinyCore.self)
    let cold = tables.filter { $0.residence == .cold }
    let wanted = [
      ReplyRow.tableID, FloorRow.tableID, AuditRow.tableID, TimerRow.tableID, RetainedRow.tableID,
      NoteRow.tableID, LinkRow.tableID,
    ]
    #expect(cold.map(\.id) == wanted)
    #expect(tables.filter { $0.id < Tables.coreNumberMin }.count == tables.count - 3)
  }

  @Test func twoOfOneNumberTrap() async {
    await #expect(processExitsWith: .failure) {
      var tables = Tables()
      tables.cold(PostcardRow.self)
      tables.cold(LetterRow.self, about: .playersInBytes)
    }
  }

  @Test func twoOfOneNameTrap() async {
    await #expect(processExitsWith: .failure) {
      var tables = Tables()
      tables.cold(LetterRow.self, about: .playersInBytes)
      tables.cold(CountRow.self, about: .nobody)
    }
  }

  @Test func aNumberOfTheEnginesTraps() async {
    await #expect(processExitsWith: .failure) { _ = Engine.tables(of: GreedyCore.self) }
  }

  @Test func aRowThatCannotTellWhomItIsAboutTraps() async {
    await #expect(processExitsWith: .failure) {
      var tables = Tables()
      tables.cold(LetterRow.self)
    }
    await #expect(processExitsWith: .failure) {
      var tables = Tables()
      tables.cold(CountRow.self, about: .playersInBytes)
    }
    await #expect(processExitsWith: .failure) {
      var tables = Tables()
      tables.cold(PostcardRow.self, about: .nobody)
    }
  }

  @Test func residentRowsAreTakenAndColdOnesAreNot() throws {
    var taken: [PlayerID] = []
    var tables = Tables()
    tables.resident(PostcardRow.self) { taken.append($0.key) }
    tables.cold(CountRow.self, about: .nobody)
    var names: [String] = []
    let loaded = try tables.load { table, take in
      names.append(table.name)
      var row = PostcardRow()
      row.key = .sample(3)
      try unsafe take(row.encoded.span.bytes)
      let cut = Array(row.encoded.dropLast())
      #expect(throws: WireError.self) { try unsafe take(cut.span.bytes) }
    }
    #expect(names == ["postcard"] && taken == [.sample(3)])
    #expect(loaded.map(\.name) == ["postcard"] && loaded.map(\.rowCount) == [1])
    #expect(loaded.allSatisfy { $0.byteCount >= 16 })
  }
}

/// The engine's own rows, made by calls, are found by the player that they are about.
struct EngineRowSubjectTests {
  private let world = TinyWorld()
  private let ada = PlayerID(high: 0x5eed_0000_0000_0001, low: 0x9e37_79b9_7f4a_7c15)
  private let ben = PlayerID(high: 0x5eed_0000_0000_0002, low: 0x2545_f491_4f6c_dd1d)

  /// The tables with a row about the player, by name.
  private func tables(about player: PlayerID) -> [String] {
    let trace = PlayerTrace(player)
    let tables = world.engine.tables
    return tables.descriptions.filter { table in
      (world.rows[table.id] ?? [:]).values.contains {
        tables.isAbout(trace, table: table.id, row: $0)
      }
    }.map(\.name)
  }

  @Test func aRememberedReply() {
    #expect(tables(about: ada).isEmpty)
    // The reply itself names nobody.
    _ = world.call(WriteNote(), ada, key: 1)
    #expect(tables(about: ada) == ["reply"] && tables(about: ben).isEmpty)
  }

  @Test func anEffectOnItsWayAndOneThatIsParked() {
    var share = Share()
    share.players = [ben]
    share.amount = -1
    let effect = world.call(share, ada).effects[0]
    #expect(tables(about: ben) == ["outbox"])
    let failure = Failure(.invalidArgument, "no")
    #expect(world.apply(world.engine.delivery(of: effect)).failureCode == .invalidArgument)
    world.keep(world.engine.park(effect.key, failure, clock: world.clock))
    #expect(tables(about: ben) == ["parked_effect"] && tables(about: ada).isEmpty)
  }

  @Test func whatAnOwnerDidAboutAPlayer() {
    var declare = Declare()
    declare.name = "board"
    declare.total = 1
    declare.text = "for \(ada)"
    var envelope = world.envelope(ben, key: 1)
    envelope.principal.kind = .deploymentOperator
    envelope.routingKey = RoutingKey(game: "g", name: "board")
    _ = world.apply(
      Request(opcode: Declare.opcode, envelope: envelope, body: declare.encoded))
    #expect(tables(about: ada) == ["audit"])
  }

  @Test func theNilPlayerIsNobody() async {
    await #expect(processExitsWith: .failure) { _ = PlayerTrace(PlayerID()) }
  }

  @Test func anIdIsFoundAtEveryPlace() {
    let trace = PlayerTrace(ada)
    for form in [ada.bytes, Array(ada.description.utf8)] {
      for before in 0..<20 {
        // The bytes before begin as the id does.
        let front = [UInt8](repeating: form[0], count: before)
        #expect(trace.isIn(front + form) && trace.isIn(front + form + [1]))
        #expect(!trace.isIn(front + form.dropLast()) && !trace.isIn(form.dropFirst() + front))
      }
    }
  }
}
