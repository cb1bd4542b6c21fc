import Domain
import Operations
import Wire

// A service of one table, with an operation for every way in which a handler can end.

struct TallyRow: Row {
  static let tableID: UInt16 = 16
  static let tableName = "tally"
  var key = PlayerID()
  var total: Int64 = 0
  var time: Int64 = 0
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &key)
    visit.field("total", &total)
    visit.field("time", &time)
  }
}

struct NoteRow: Row {
  static let tableID: UInt16 = 17
  static let tableName = "note"
  var key: UInt64 = 0
  var text = ""
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("number", &key)
    visit.field("text", &text)
  }
}

/// Forgets players in ways that `TinyCore` is told.
struct LinkRow: Row {
  static let tableID: UInt16 = 18
  static let tableName = "link"
  var key: UInt64 = 0
  var text = ""
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("number", &key)
    visit.field("text", &text)
  }
}

struct Total: Message {
  var value: Int64 = 0
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("value", &value)
  }
}

/// Adds to the caller's tally; a negative amount is refused.
struct Add: Operation {
  typealias Reply = Total
  static let opcode = Opcode(.context, 1)
  var amount: Int64 = 0
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("amount", &amount)
  }
}

struct ReadTotal: Operation {
  typealias Reply = Total
  static let opcode = Opcode(.context, 2)
  static var isReadOnly: Bool { true }
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {}
}

/// Changes something and then refuses, which no handler may do.
struct Spoil: Operation {
  typealias Reply = Empty
  static let opcode = Opcode(.context, 3)
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {}
}

/// Adds to each of `players`' tallies, by effects.
struct Share: Operation {
  typealias Reply = Empty
  static let opcode = Opcode(.context, 4)
  var players: [PlayerID] = []
  var amount: Int64 = 0
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("players", &players)
    visit.field("amount", &amount)
  }
}

struct Receive: Operation {
  typealias Reply = Empty
  static let opcode = Opcode(.context, 5)
  static var access: Access { .service }
  static var routing: Routing { .firstIdentifier }
  var player = PlayerID()
  var amount: Int64 = 0
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("amount", &amount)
  }
}

/// Joins the cold notes from `first` on.
struct ReadNotes: Operation {
  static let opcode = Opcode(.context, 6)
  static var isReadOnly: Bool { true }
  var first: UInt64 = 0
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("first", &first)
  }

  struct Reply: Message {
    var text = ""
    mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("text", &text)
    }
  }
}

struct WriteNote: Operation {
  typealias Reply = Total
  static let opcode = Opcode(.context, 7)
  var text = ""
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("text", &text)
  }
}

/// Writes down whom it names, and answers with whom that player blocks; refused for who blocks
/// nobody.
struct Mention: Operation {
  static let opcode = Opcode(.context, 15)
  var player = PlayerID()
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
  }

  struct Reply: Message {
    var player = PlayerID()
    var blocked: [PlayerID] = []
    mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
      visit.field("player", &player)
      visit.field("blocked", &blocked)
    }
  }
}

/// Changes something although it says that it only reads.
struct Lie: Operation {
  typealias Reply = Empty
  static let opcode = Opcode(.context, 8)
  static var isReadOnly: Bool { true }
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {}
}

/// An owner's call, which may be repeated: sets the tally of `name`, unless it is that already.
struct Declare: Operation {
  typealias Reply = Empty
  static let opcode = Opcode(.context, 9)
  static var access: Access { [.deploymentOperator, .gameServer, .service] }
  static var isIdempotent: Bool { true }
  static var routing: Routing { .firstName }
  var name = ""
  var total: Int64 = 0
  var text = ""
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("name", &name)
    visit.field("total", &total)
    visit.field("text", &text)
  }
}

/// Sets a timer that adds to the caller's tally.
struct Remind: Operation {
  typealias Reply = Empty
  static let opcode = Opcode(.context, 10)
  var due: Int64 = 0
  var item = RoutingKey()
  var reminder = Reminder()
  var isKept = true
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("due", &due)
    visit.field("item", &item)
    visit.field("reminder", &reminder)
    visit.field("isKept", &isKept)
  }
}

/// Cancels it.
struct Forget: Operation {
  typealias Reply = Empty
  static let opcode = Opcode(.context, 11)
  var item = RoutingKey()
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("item", &item)
  }
}

/// What the timer applies; a negative amount is refused. It sets itself again after `again`
/// milliseconds, when there are any, and reads `note` first, when it is not 0.
struct Reminder: Operation {
  typealias Reply = Empty
  static let opcode = Opcode(.context, 12)
  static var access: Access { .timersAlone }
  var amount: Int64 = 0
  var item = RoutingKey()
  var again: Int64 = 0
  var note: UInt64 = 0
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("amount", &amount)
    visit.field("item", &item)
    visit.field("again", &again)
    visit.field("note", &note)
  }
}

final class TinyCore: ServiceCore {
  static let service = Service.context
  static var recordsExport: (any RecordsExport.Type)? { ExportTinyRecords.self }
  static var recordsErasure: (any RecordsErasure.Type)? { EraseTinyRecords.self }
  var tallies = ResidentTable<TallyRow>()
  /// While true, effects are refused as something that passes.
  var isBusy = false
  var closedChannels: [Channel] = []
  var erasures: [Erasure] = []
  /// Keys whose owners are told of each erasure.
  var toldKeys: [RoutingKey] = []
  /// Links that cannot forget anybody.
  var stuckLinks: Set<UInt64> = []
  /// Links that read the note of their number first.
  var readingLinks: Set<UInt64> = []
  /// Links that put another one anew.
  var touchingLinks: [UInt64: UInt64] = [:]
  let settings: SettingValues

  init(settings: SettingValues) { self.settings = settings }

  var router: Router {
    var router = Router()
    router.on(Add.self, add)
    router.on(ReadTotal.self, read)
    router.on(Spoil.self, spoil)
    router.on(Share.self, share)
    router.on(Receive.self, receive)
    router.on(ReadNotes.self, readNotes)
    router.on(WriteNote.self, writeNote)
    router.on(Lie.self, lie)
    router.on(Mention.self, mention)
    router.on(Declare.self, declare)
    router.on(Remind.self, remind)
    router.on(Forget.self, forget)
    router.on(Reminder.self, reminder)
    return router
  }

  func register(_ tables: inout Tables) {
    tables.resident(TallyRow.self) { self.tallies.load($0) }
    tables.erases(TallyRow.self) { (row, erasure, transaction) in
      self.tallies.erase(row.key, erasure, &transaction)
    }
    tables.cold(NoteRow.self, about: .playersInBytes)
    tables.cold(LinkRow.self, about: .playersInBytes)
    tables.erases(LinkRow.self) { (row, erasure, transaction) throws(Stop) in
      if self.stuckLinks.contains(row.key) { throw .refuse(.unavailable, "It is stuck.") }
      if self.readingLinks.contains(row.key) { _ = try transaction.row(NoteRow.self, row.key) }
      if let other = self.touchingLinks[row.key] {
        var link = LinkRow()
        (link.key, link.text) = (other, "touched")
        transaction.put(link)
      }
      if let rest = erasure.rest(of: row) { transaction.put(rest) }
    }
  }

  /// Ten milliseconds after a tally has reached this total, a reminder adds 100.
  static let remindedTotal: Int64 = 7_000

  func loaded(_ transaction: inout Transaction) {
    for tally in tallies.rows.values where tally.total == Self.remindedTotal {
      var reminder = Reminder()
      reminder.amount = 100
      transaction.setTimer(reminder, on: tally.key, at: tally.time + 10)
    }
  }

  func closed(_ channel: Channel, _ transaction: inout Transaction) {
    closedChannels.append(channel)
  }

  func erased(_ erasure: Erasure, isOwner: Bool, _ transaction: inout Transaction) {
    erasures.append(erasure)
    tell(of: erasure, to: { _ in true }, &transaction)
  }

  func tell(
    of erasure: Erasure, to isTold: (Service) -> Bool, _ transaction: inout Transaction
  ) {
    for key in toldKeys {
      var operation = EraseTinyRecords()
      (operation.key, operation.player, operation.standIn) = (key, erasure.player, erasure.standIn)
      transaction.effect(operation, on: key, game: "")
    }
  }

  func shape(of opcode: Opcode) -> Shape? { router[opcode]?.shape }

  func add(_ player: PlayerID, _ amount: Int64, _ transaction: inout Transaction) -> Int64 {
    var row = tallies[player] ?? TallyRow()
    row.key = player
    row.total += amount
    row.time = transaction.now
    tallies.put(row, &transaction)
    return row.total
  }

  func add(_ operation: Add, call: Call, transaction: inout Transaction) throws(Stop) -> Total {
    guard operation.amount >= 0 else {
      throw .refuse(.invalidArgument, argument: "amount", "Must not be negative.")
    }
    var reply = Total()
    reply.value = add(call.player, operation.amount, &transaction)
    if let channel = call.channel { transaction.push(Nudge(), to: channel) }
    return reply
  }

  func read(_ operation: ReadTotal, call: Call, transaction: inout Transaction) throws(Stop)
    -> Total
  {
    var reply = Total()
    reply.value = tallies[call.player]?.total ?? 0
    return reply
  }

  func spoil(_ operation: Spoil, call: Call, transaction: inout Transaction) throws(Stop) -> Empty {
    _ = add(call.player, 1, &transaction)
    throw .refuse(.conflict, "Too late.")
  }

  func lie(_ operation: Lie, call: Call, transaction: inout Transaction) throws(Stop) -> Empty {
    _ = add(call.player, 1, &transaction)
    return Empty()
  }

  func share(_ operation: Share, call: Call, transaction: inout Transaction) throws(Stop) -> Empty {
    for player in operation.players {
      var receive = Receive()
      receive.player = player
      receive.amount = operation.amount
      transaction.effect(receive, on: player, game: call.game)
    }
    return Empty()
  }

  func receive(_ operation: Receive, call: Call, transaction: inout Transaction) throws(Stop)
    -> Empty
  {
    if isBusy { throw .refuse(.backpressure, "Later.") }
    guard operation.amount >= 0 else {
      throw .refuse(.invalidArgument, argument: "amount", "Must not be negative.")
    }
    _ = add(operation.player, operation.amount, &transaction)
    return Empty()
  }

  func declare(_ operation: Declare, call: Call, transaction: inout Transaction) throws(Stop)
    -> Empty
  {
    guard operation.total >= 0 else {
      throw .refuse(.invalidArgument, argument: "total", "Must not be negative.")
    }
    let player = PlayerID(reinterpreting: call.key)
    let change = operation.total - (tallies[player]?.total ?? 0)
    if change != 0 { _ = add(player, change, &transaction) }
    return Empty()
  }

  func remind(_ operation: Remind, call: Call, transaction: inout Transaction) throws(Stop)
    -> Empty
  {
    transaction.setTimer(
      operation.reminder, on: call.key, item: operation.item, at: operation.due, game: call.game,
      isKept: operation.isKept)
    return Empty()
  }

  func forget(_ operation: Forget, call: Call, transaction: inout Transaction) throws(Stop)
    -> Empty
  {
    transaction.cancelTimer(Reminder.self, on: call.key, item: operation.item)
    return Empty()
  }

  func reminder(_ operation: Reminder, call: Call, transaction: inout Transaction) throws(Stop)
    -> Empty
  {
    if isBusy { throw .refuse(.backpressure, "Later.") }
    guard operation.amount >= 0 else {
      throw .refuse(.invalidArgument, argument: "amount", "Must not be negative.")
    }
    if operation.note != 0 {
      let key = operation.note.keyBytes
      _ = try transaction.rows(
        NoteRow.self, in: ColdRange(table: NoteRow.tableID, from: key, through: key, limit: 1))
    }
    _ = add(PlayerID(reinterpreting: call.key), operation.amount, &transaction)
    if operation.again > 0 {
      transaction.setTimer(
        operation, on: call.key, item: operation.item, at: transaction.now + operation.again)
    }
    return Empty()
  }

  func readNotes(_ operation: ReadNotes, call: Call, transaction: inout Transaction) throws(Stop)
    -> ReadNotes.Reply
  {
    let range = ColdRange(
      table: NoteRow.tableID, from: operation.first.keyBytes, through: UInt64.max.keyBytes,
      limit: 3)
    var reply = ReadNotes.Reply()
    reply.text = try transaction.rows(NoteRow.self, in: range).map(\.text).joined()
    return reply
  }

  func mention(_ operation: Mention, call: Call, transaction: inout Transaction) throws(Stop)
    -> Mention.Reply
  {
    var reply = Mention.Reply()
    reply.player = operation.player
    reply.blocked = try call.fact(FetchBlocks.self, at: operation.player).blocked
    if reply.blocked.isEmpty {
      throw .notFound("player", "\(operation.player) blocks nobody.")
    }
    var row = NoteRow()
    row.key = UInt64(transaction.now)
    row.text = ([operation.player] + reply.blocked).map(\.description).joined(separator: " ")
    transaction.put(row)
    return reply
  }

  func writeNote(_ operation: WriteNote, call: Call, transaction: inout Transaction) throws(Stop)
    -> Total
  {
    var row = NoteRow()
    row.key = UInt64(transaction.now)
    row.text = operation.text
    transaction.put(row)
    var reply = Total()
    reply.value = transaction.now
    return reply
  }
}

struct Nudge: Event {
  static let opcode = Opcode(.context, 0xE0)
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {}
}
