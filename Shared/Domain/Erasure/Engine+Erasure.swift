import Wire

/// Looks at the next rows for erased players. A timer of this process applies it; nobody sends it.
struct ContinueErasure: Operation {
  typealias Reply = Empty
  /// No service has this opcode.
  static let opcode = Opcode(rawValue: 0xfffe)
  static var access: Access { .timersAlone }
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {}
}

/// How far the walk over all rows has come. It begins anew with the process.
struct ErasureWalk {
  /// Those whose rows are looked for.
  var open: [ErasureRow] = []
  /// How many of them the pass under way has looked for from its beginning.
  var inPass = 0
  var table: UInt16 = 0
  var after: [UInt8] = []
  var hasFound = false
  /// Keys that commands changed in the table since the page under way was asked for: what was read
  /// of them may be old.
  var changedKeys: Set<[UInt8]> = []

  mutating func beginPass() {
    (table, after, hasFound) = (0, [], false)
    inPass = open.count
  }
}

extension Router {
  mutating func onErasure<E: RecordsErasure>(_ type: E.Type, of engine: Engine) {
    on(type) { [unowned engine] (asked, _, transaction) throws(Stop) in
      try engine.beginErasure(Erasure(of: asked.player, as: asked.standIn), &transaction)
    }
  }
}

extension Engine {
  func beginErasure(_ erasure: Erasure, _ transaction: inout Transaction) throws(Stop) {
    guard erased[erasure.player] == nil else { return }
    guard willErase?(erasure) ?? true else {
      throw .refuse(.unavailable, "The list of erased players cannot be written.")
    }
    var row = ErasureRow()
    row.key = erasure.player
    row.standIn = erasure.standIn
    row.began = transaction.now
    transaction.put(row)
    erased.insert(erasure)
    if walk.open.isEmpty { walk.beginPass() }
    walk.open.append(row)
    scheduleErasure(at: transaction.now)
    core.erased(erasure, &transaction)
  }

  /// Everybody whom this store has as erased.
  package var erasures: [Erasure] { erased.all }

  /// Players whose rows are being looked for.
  public var openErasureCount: Int { walk.open.count }

  /// The request by which a player of the list is erased from a store that does not know it.
  package func erasure(again erasure: Erasure) -> Request? {
    guard let type = type(of: core).recordsErasure,
      let key = Slot.keys.first(where: { partition.owns(Slot.of($0)) })
    else { return nil }
    return request(type, erasure, at: key)
  }

  private func request<E: RecordsErasure>(
    _ type: E.Type, _ erasure: Erasure, at key: RoutingKey
  ) -> Request {
    var operation = E()
    operation.key = key
    (operation.player, operation.standIn) = (erasure.player, erasure.standIn)
    return Request(
      opcode: E.opcode, envelope: ServiceEnvelope(ofEffectOn: key, game: ""),
      body: operation.encoded)
  }

  func load(_ row: ErasureRow) {
    erased.insert(row.erasure)
    if row.ended == 0 { walk.open.append(row) }
  }

  func scheduleErasure(at due: Int64) {
    if walk.open.isEmpty { return }
    timers.setUnkept(TimerKey(ContinueErasure.opcode, on: maintenanceKey), due: due, "", [])
  }

  /// Looks at a page of rows, and rewrites the first that names somebody who is erased. What it
  /// wrote is looked at again by the next pass.
  func continueErasure(_ transaction: inout Transaction) throws(Stop) {
    guard let table = tables.nextAboutPlayers(from: walk.table) else {
      return endPass(&transaction)
    }
    let id = table.description.id
    if id != walk.table { (walk.table, walk.after) = (id, []) }
    let range = ColdRange(
      table: id, from: walk.after, through: [], limit: ErasureLimits.rowsPerStep)
    let rows: [[UInt8]]
    do {
      rows = try transaction.encodedRows(in: range)
    } catch {
      walk.changedKeys = []
      throw error
    }
    for bytes in rows where walk.after.isEmpty || !bytes.starts(with: walk.after) {
      guard let erasure = firstErasure(in: bytes, of: id) else { continue }
      let key = try table.key(bytes)
      if !walk.changedKeys.contains(key) { try table.erase?(bytes, erasure, &transaction) }
      (walk.after, walk.hasFound) = (key, true)
      return scheduleErasure(at: transaction.now)
    }
    if rows.count == ErasureLimits.rowsPerStep, let last = rows.last {
      walk.after = try table.key(last)
    } else {
      (walk.table, walk.after) = (id + 1, [])
    }
    scheduleErasure(at: transaction.now)
  }

  private func firstErasure(in row: [UInt8], of table: UInt16) -> Erasure? {
    let bytes = unsafe row.span.bytes
    return erased.named(in: bytes).first { erasure in
      walk.open.contains { $0.key == erasure.player } && !isErasure(row, of: table)
    }
  }

  /// An effect by which another process is told of the erasure has to name the player.
  private func isErasure(_ row: [UInt8], of table: UInt16) -> Bool {
    guard table == OutboxRow.tableID, let row = try? OutboxRow(decoding: row) else { return false }
    return core.isErasure(Opcode(rawValue: row.opcode))
  }

  private func endPass(_ transaction: inout Transaction) {
    if !walk.hasFound {
      for var row in walk.open.prefix(walk.inPass) {
        row.ended = transaction.now
        transaction.put(row)
      }
      if walk.inPass > 0 { didErase?() }
      walk.open.removeFirst(walk.inPass)
    }
    let wait = walk.hasFound ? ErasureLimits.againMilliseconds : 0
    walk.beginPass()
    scheduleErasure(at: transaction.now + wait)
  }

  /// Notes what a command changed in the table that is looked through.
  func noteChanges(_ changes: RowChanges) {
    guard !walk.open.isEmpty, let places = try? changes.places(table: walk.table) else { return }
    for place in places { walk.changedKeys.insert(changes.change(at: place).key) }
  }
}
