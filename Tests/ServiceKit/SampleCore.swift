import Domain
import Wire

/// A service of one table of cold notes: `AddNote` writes one, `ReadNotes` reads them, `CountNotes`
/// says how many there are, `Forward` has one other key, or several, add a note, `OwnersNote` is an
/// owner's, `NamedNote` names its key, `Dawdle` takes several turns, `Whisper` gives hints, `Shout`
/// is live data, and `Later` sets timers. A channel that closes leaves a note.
final class SampleCore: ServiceCore {
  static var service: Service { .request }
  static var recordsErasure: (any RecordsErasure.Type)? { EraseNotes.self }
  /// Keys whose owners are told of each erasure.
  var toldKeys: [RoutingKey] = []

  func erased(_ erasure: Erasure, isOwner: Bool, _ transaction: inout Transaction) {
    for key in toldKeys {
      var operation = EraseNotes()
      (operation.key, operation.player, operation.standIn) = (key, erasure.player, erasure.standIn)
      transaction.effect(operation, on: key, game: "")
    }
  }

  var router: Router {
    var router = Router()
    router.on(AddNote.self, add)
    router.on(ReadNotes.self, read)
    router.on(CountNotes.self, tell)
    router.on(Forward.self, forward)
    router.on(OwnersNote.self, addOwners)
    router.on(Dawdle.self, dawdle)
    router.on(Whisper.self, whisper)
    router.on(Shout.self, shout)
    router.on(Later.self, later)
    router.on(NumberedNote.self, addNumbered)
    router.on(NamedNote.self, addNamed)
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

  private func addNamed(_ operation: NamedNote, _ call: Call, _ transaction: inout Transaction)
    throws(Stop) -> Empty
  {
    try add(AddNote(), call, &transaction)
  }

  /// Whether a channel that closes leaves its note at another key.
  var closesElsewhere = false

  func closed(_ channel: Channel, _ transaction: inout Transaction) {
    if closesElsewhere {
      transaction.effect(AddNote(), on: PlayerID(high: 0, low: 77), game: "")
    } else {
      addNote(&transaction)
    }
  }

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

  /// Numbers of others are below.
  static let firstNumbered: UInt64 = 1 << 32
  /// What timers and calls did, in order.
  private(set) var numbered: [(number: UInt64, time: Int64)] = []

  /// How many of these there were whenever a `Later` ran.
  private(set) var numberedCounts: [Int] = []

  private func later(_ operation: Later, _ call: Call, _ transaction: inout Transaction)
    throws(Stop) -> Empty
  {
    numberedCounts.append(numbered.count)
    if operation.isWhispered {
      transaction.setTimer(Whisper(), on: call.key, at: operation.due, isKept: false)
      return Empty()
    }
    var note = NumberedNote()
    note.number = operation.number
    note.isBlind = operation.isBlind
    let item = RoutingKey(high: 0, low: operation.item)
    if operation.isCancelled {
      transaction.cancelTimer(NumberedNote.self, on: call.key, item: item)
    } else {
      transaction.setTimer(
        note, on: call.key, item: item, at: operation.due, isKept: !operation.isInMemory)
    }
    return Empty()
  }

  /// What is refused for now, by the number of the note.
  var refusals: [UInt64: FailureCode] = [:]
  /// When each of these was tried.
  private(set) var tries: [Int64] = []

  private func addNumbered(
    _ operation: NumberedNote, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> Empty {
    if let code = refusals[operation.number] {
      tries.append(transaction.now)
      throw .refuse(code, "Not now.")
    }
    // One that was there already would be two timers that fired for one.
    var row = NoteRow()
    row.key = Self.firstNumbered + operation.number
    let key = row.key.keyBytes
    let range = ColdRange(table: NoteRow.tableID, from: key, through: key, limit: 1)
    let isThere =
      try operation.isBlind ? false : !transaction.rows(NoteRow.self, in: range).isEmpty
    if isThere {
      throw .refuse(.alreadyExists, "There is a note \(operation.number).")
    }
    numbered.append((operation.number, transaction.now))
    transaction.put(row)
    return Empty()
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

  /// Who hears what is shouted.
  var listeners: [Channel] = []
  var refusesShouts = false

  private func shout(_ operation: Shout, _ call: Call, _ transaction: inout Transaction)
    throws(Stop) -> Empty
  {
    if refusesShouts { throw .refuse(.matchEnded, "The match is over.") }
    transaction.push(Shouted(), to: listeners, lane: .newest(1))
    if operation.echoAfter != 0 {
      let time = transaction.now + Int64(operation.echoAfter)
      transaction.setTimer(Shout(), on: call.key, at: time, isKept: false)
    }
    return Empty()
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
      if operation.isOwners {
        transaction.effect(OwnersNote(), on: key, game: "")
      } else if operation.named != 0 {
        var note = NamedNote()
        note.key = RoutingKey(high: 0, low: operation.named)
        transaction.effect(note, on: key, game: "")
      } else if operation.firstNumber == 0 {
        transaction.effect(AddNote(), on: key, game: "")
      } else {
        var note = NumberedNote()
        note.number = operation.firstNumber + place
        note.isBlind = operation.isBlind
        transaction.effect(note, on: key, game: "")
      }
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

struct EraseNotes: RecordsErasure {
  static let opcode = Opcode(.request, 0x0A)
  var key = RoutingKey()
  var player = PlayerID()
  var standIn = PlayerID()
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
  /// Unless it is 0, the notes are numbered from here.
  var firstNumber: UInt64 = 0
  var isBlind = false
  /// The notes are an owner's, which no service may write.
  var isOwners = false
  /// Unless it is 0, the notes name this key, whichever they are for.
  var named: UInt64 = 0
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("count", &count)
    visit.field("isSpread", &isSpread)
    visit.field("firstNumber", &firstNumber)
    visit.field("isBlind", &isBlind)
    visit.field("isOwners", &isOwners)
    visit.field("named", &named)
  }
}

struct OwnersNote: Wire.Operation {
  static let opcode = Opcode(.request, 0x04)
  typealias Reply = Empty
  static var access: Access { .deploymentOperator }
  static var routing: Routing { .game }
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {}
}

struct NamedNote: Wire.Operation {
  static let opcode = Opcode(.request, 0x09)
  typealias Reply = Empty
  static var access: Access { .service }
  static var routing: Routing { .firstIdentifier }
  var key = RoutingKey()
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
  }
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
  static var way: EventWay { .hint }
  var text = "psst"
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("text", &text)
  }
}

struct Shout: Wire.Operation {
  static let opcode = Opcode(.request, 0x11)
  typealias Reply = Empty
  static var access: Access { [.player, .service] }
  static var isReadOnly: Bool { true }
  static var isLive: Bool { true }
  /// Milliseconds until it is shouted again; 0 for never.
  var echoAfter: UInt32 = 0
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("echoAfter", &echoAfter)
  }
}

struct Shouted: Event {
  static let opcode = Opcode(.request, 0xE0)
  var text = "hey"
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("text", &text)
  }
}

/// Has a `NumberedNote` written, or a hint whispered, when its time comes, or not after all.
struct Later: Wire.Operation {
  static let opcode = Opcode(.request, 0x07)
  typealias Reply = Empty
  var number: UInt64 = 0
  /// Names the timer.
  var item: UInt64 = 0
  var due: Int64 = 0
  var isBlind = false
  /// The timer has no row.
  var isInMemory = false
  var isCancelled = false
  var isWhispered = false
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("number", &number)
    visit.field("item", &item)
    visit.field("due", &due)
    visit.field("isBlind", &isBlind)
    visit.field("isInMemory", &isInMemory)
    visit.field("isCancelled", &isCancelled)
    visit.field("isWhispered", &isWhispered)
  }
}

struct NumberedNote: Wire.Operation {
  static let opcode = Opcode(.request, 0x08)
  typealias Reply = Empty
  static var access: Access { [.player, .service] }
  var number: UInt64 = 0
  /// It does not read whether there is such a note.
  var isBlind = false
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("number", &number)
    visit.field("isBlind", &isBlind)
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
