import Wire

/// What is remembered of one answer: enough to tell a repeated call from another one, and to find
/// the row.
struct RememberedAnswer {
  var counter: UInt64
  var bodyHash: UInt64
  var size: UInt32
  var slot: UInt16
  var opcode: UInt16
}

/// Whose answers count together: those of a player, or those of one instance of any other caller.
struct AnswerOwner: Hashable {
  let player: PlayerID
  private let instance: UInt64

  init(player: PlayerID, instance: UInt64) {
    self.player = player
    self.instance = player.isNil ? instance : 0
  }
}

/// How many answers an owner has.
final class AnswerAccount {
  let owner: AnswerOwner
  var rows = 0
  var bytes = 0
  /// The instances that have answers.
  var instances: [UInt64] = []
  /// The instances whose answers were forgotten, and that have a `FloorRow`.
  var floors: [UInt64] = []

  init(_ owner: AnswerOwner) { self.owner = owner }
}

/// The answers to one instance, in the order of its calls.
final class ReplyWindow {
  let instance: UInt64
  let account: AnswerAccount
  /// Calls below it were acknowledged; the greatest of all numbers once the session has ended.
  private(set) var floor: UInt64 = 0
  private(set) var lastTime: Int64 = 0
  private(set) var answers: [RememberedAnswer] = []
  private(set) var bytes = 0

  init(instance: UInt64, account: AnswerAccount) {
    self.instance = instance
    self.account = account
  }

  var hasEnded: Bool { floor == .max }
  /// Whether there were answers, and none is remembered.
  var isForgotten: Bool { answers.isEmpty && floor > 0 }
  /// The newest call seen. Its answer is kept until a newer one is, because no floor is above the
  /// counter of the call that it comes with; or the answers were forgotten, and the floor is next
  /// to it.
  var newest: UInt64 { answers.last?.counter ?? max(floor, 1) - 1 }

  var floorRow: FloorRow {
    var row = FloorRow()
    row.key = instance
    row.floor = floor
    row.time = lastTime
    row.player = account.owner.player
    return row
  }

  func key(_ answer: RememberedAnswer) -> ReplyKey {
    ReplyKey(slot: answer.slot, instance: instance, counter: answer.counter)
  }

  func answer(_ counter: UInt64) -> RememberedAnswer? {
    let place = place(of: counter)
    return place < answers.count && answers[place].counter == counter ? answers[place] : nil
  }

  /// How many answers a floor drops, and of how many bytes.
  func dropped(by floor: UInt64) -> (rows: Int, bytes: Int) {
    let count = place(of: floor)
    return (count, answers[..<count].reduce(0) { $0 + Int($1.size) })
  }

  /// Adds an answer and drops those below the floor, whose keys it returns.
  func take(_ row: ReplyRow) -> [ReplyKey] {
    let answer = RememberedAnswer(
      counter: row.key.counter, bodyHash: row.bodyHash,
      size: UInt32(clamping: row.reply.array.count), slot: row.key.slot, opcode: row.opcode)
    answers.insert(answer, at: place(of: answer.counter))
    bytes += Int(answer.size)
    lastTime = max(lastTime, row.time)
    guard row.floor > floor else { return [] }
    floor = row.floor
    return drop(place(of: floor))
  }

  /// Takes the floor of an instance whose answers were forgotten in an earlier life.
  func take(_ row: FloorRow) {
    floor = row.floor
    lastTime = row.time
  }

  /// Drops every answer, and refuses the calls that may have had one. Returns the keys.
  func forget() -> [ReplyKey] {
    floor = newest == .max ? .max : newest + 1
    return drop()
  }

  /// Drops every answer, and refuses all calls from then on. Returns the keys.
  func end(now: Int64) -> [ReplyKey] {
    floor = .max
    lastTime = now
    return drop()
  }

  /// Drops every answer, and returns the keys.
  func drop() -> [ReplyKey] { drop(answers.count) }

  private func drop(_ count: Int) -> [ReplyKey] {
    let keys = answers[..<count].map(key)
    bytes -= answers[..<count].reduce(0) { $0 + Int($1.size) }
    answers.removeFirst(count)
    return keys
  }

  /// The place of the first answer to this call or a later one. Calls mostly come in order, so it
  /// is looked for from the end.
  private func place(of counter: UInt64) -> Int {
    var place = answers.count
    while place > 0, answers[place - 1].counter >= counter { place -= 1 }
    return place
  }
}
