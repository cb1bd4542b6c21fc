import Domain
import Wire

/// A service of one table of cold notes: `AddNote` writes one, `ReadNotes` reads them,
/// `CountNotes` says how many there are, `Forward` has one other key, or several, add a note,
/// `OwnersNote` is an owner's, `Dawdle` takes several turns, and `Whisper` gives hints. A channel that
/// closes leaves a note.
final class SampleCore: ServiceCore {
  static var service: Service { .request }
  var router: Router {
    var router = Router()
    router.on(AddNote.self, add)
    router.on(ReadNotes.self, read)
    router.on(CountNotes.self, tell)
    router.on(Forward.self, forward)
    router.on(OwnersNote.self, addOwners)
    router.on(Dawdle.self, dawdle)
    router.on(Whisper.self, whisper)
    return router
  }

  private(set) var count: UInt64 = 0
  let settings: SettingValues

  init(settings: SettingValues) { self.settings = settings }

  func register(_ tables: inout Tables) { tables.cold(NoteRow.self, about: .nobody) }

  private func addOwners(_ operation: OwnersNote, _ call: Call, _ transaction: inout Transaction)
    throws(Stop) -> Empty
  {
    try add(AddNote(), call, &transaction)
  }

  func closed(_ channel: Channel, _ transaction: inout Transaction) { addNote(&transaction) }

  private func add(_ operation: AddNote, _ call: Call, _ transaction: inout Transaction)
    throws(Stop) -> Empty
  {
    addNote(&transaction)
    return Empty()
  }

  private func addNote(_ transaction: inout Transaction) {
    count += 1
    var row = NoteRow()
    row.key = count
    transaction.put(row)
  }

  private func read(_ operation: ReadNotes, _ call: Call, _ transaction: inout Transaction)
    throws(Stop) -> ReadNotes.Reply
  {
    let range = ColdRange(
      table: NoteRow.tableID, from: UInt64(1).keyBytes, through: count.keyBytes,
      limit: Int(operation.limit))
    var reply = ReadNotes.Reply()
    reply.found = UInt64(try transaction.rows(NoteRow.self, in: range).count)
    reply.expected = count
    return reply
  }

  private func tell(_ operation: CountNotes, _ call: Call, _ transaction: inout Transaction)
    throws(Stop) -> CountNotes.Reply
  {
    var reply = CountNotes.Reply()
    reply.count = count
    return reply
  }

  private func whisper(_ operation: Whisper, _ call: Call, _ transaction: inout Transaction)
    throws(Stop) -> Empty
  {
    for number in 0..<UInt64(operation.count) {
      transaction.hint(Whispered(), to: PlayerID(high: 5, low: number), game: call.game)
    }
    return Empty()
  }

  /// Whom the next tick gives a hint.
  var hintOnTick: PlayerID?

  func tick(_ transaction: inout Transaction) {
    guard let player = hintOnTick else { return }
    hintOnTick = nil
    transaction.hint(Whispered(), to: player, game: "")
  }

  private var turnCount: UInt32 = 0

  private func dawdle(_ operation: Dawdle, _ call: Call, _ transaction: inout Transaction)
    throws(Stop) -> Empty
  {
    guard turnCount == operation.turns else {
      turnCount += 1
      throw .again
    }
    return Empty()
  }

  private func forward(_ operation: Forward, _ call: Call, _ transaction: inout Transaction)
    throws(Stop) -> Empty
  {
    for place in 0..<UInt64(operation.count) {
      let key = PlayerID(high: 0, low: 77 + (operation.isSpread ? place : 0))
      transaction.effect(AddNote(), on: key, game: "")
    }
    return Empty()
  }
}

struct NoteRow: Row {
  static let tableID: UInt16 = 16
  static let tableName = "note"
  var key: UInt64 = 0
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
  }
}

struct AddNote: Wire.Operation {
  static let opcode = Opcode(.request, 0x01)
  typealias Reply = Empty
  static var access: Access { [.player, .service] }
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {}
}

struct ReadNotes: Wire.Operation {
  static let opcode = Opcode(.request, 0x02)
  static var isReadOnly: Bool { true }
  var limit: UInt32 = 100
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("limit", &limit)
  }

  struct Reply: Message {
    var found: UInt64 = 0
    var expected: UInt64 = 0
    mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("found", &found)
      visit.field("expected", &expected)
    }
  }
}

struct Forward: Wire.Operation {
  static let opcode = Opcode(.request, 0x03)
  typealias Reply = Empty
  var count: UInt32 = 0
  /// Each effect is for a key of its own.
  var isSpread = false
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("count", &count)
    visit.field("isSpread", &isSpread)
  }
}

struct OwnersNote: Wire.Operation {
  static let opcode = Opcode(.request, 0x04)
  typealias Reply = Empty
  static var access: Access { .deploymentOperator }
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {}
}

struct Dawdle: Wire.Operation {
  static let opcode = Opcode(.request, 0x05)
  typealias Reply = Empty
  static var isReadOnly: Bool { true }
  var turns: UInt32 = 0
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("turns", &turns)
  }
}

struct Whisper: Wire.Operation {
  static let opcode = Opcode(.request, 0x10)
  typealias Reply = Empty
  static var access: Access { [.player, .service] }
  static var isReadOnly: Bool { true }
  var count: UInt32 = 1
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("count", &count)
  }
}

struct Whispered: Event {
  static let opcode = Opcode(.request, 0xC0)
  var text = "psst"
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("text", &text)
  }
}

struct CountNotes: Wire.Operation {
  static let opcode = Opcode(.request, 0x06)
  static var isReadOnly: Bool { true }
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {}

  struct Reply: Message {
    var count: UInt64 = 0
    mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("count", &count)
    }
  }
}
