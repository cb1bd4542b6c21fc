import Wire

/// Looks at the next rows for erased players. A timer of this process applies it; nobody sends it.
struct ContinueErasure: Operation {
  typealias Reply = Empty
  /// No service has this opcode.
  static let opcode = Opcode(rawValue: 0xfffe)
  static var access: Access { .timersAlone }
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {}
}

extension Router {
  mutating func onErasure<E: RecordsErasure>(_ type: E.Type, of engine: Engine) {
    on(type) { [unowned engine] (asked, _, transaction) throws(Stop) in
      try engine.beginErasure(Erasure(of: asked.player, as: asked.standIn), &transaction)
    }
  }
}

extension Engine {
  /// Players who were erased by this process's store or an earlier state of it: told once, before
  /// the rows are loaded. Nothing of them comes in any more.
  package func haveErased(_ erasures: [Erasure]) {
    for erasure in erasures { erased.insert(erasure) }
  }

  /// Everybody who was erased.
  package var erasures: [Erasure] { erased.all }

  /// Players of whom something may be left, in rows or files.
  public var openErasureCount: Int {
    let missing = max(0, erased.count - erasureRows.count)
    return missing + walk.open.count + walk.ended.count + walk.inCleaning.count
  }

  /// Players whom the store has erased and the list does not name: another list belongs to it.
  package var unlistedErasureCount: Int {
    let listed = Set(erased.all.map(\.digest))
    return erasureRows.keys.count { !listed.contains($0) }
  }

  /// The requests by which the store forgets players whom it has again, as after a backup was put
  /// back.
  package var missingErasures: [Request] {
    guard let type = type(of: core).recordsErasure,
      let key = Slot.keys.first(where: { partition.owns(Slot.of($0)) })
    else { return [] }
    return erased.all.filter { erasureRows[$0.digest] == nil }.map { request(type, $0, at: key) }
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

  /// The walks that an earlier process did not end.
  func openErasures() {
    walk.open = erased.all.filter { erasureRows[$0.digest]?.ended == 0 }
    walk.ended = erasureRows.values.filter { $0.ended != 0 && $0.cleaned == 0 }.map(\.key)
    walk.beginPass()
    scheduleErasure(at: lastTime)
  }

  /// Begins to forget a player, once: whoever is on the list already keeps the stand-in.
  func beginErasure(_ asked: Erasure, _ transaction: inout Transaction) throws(Stop) {
    let erasure = erased[asked.player] ?? asked
    guard erasureRows[erasure.digest] == nil else { return }
    if erased[erasure.player] == nil, let willErase, !willErase(erasure) {
      throw .refuse(.unavailable, "The list of erased players cannot be written.")
    }
    erased.insert(erasure)
    var row = ErasureRow()
    row.key = erasure.digest
    row.began = transaction.now
    put(row, &transaction)
    if walk.open.isEmpty { walk.beginPass() }
    walk.open.append(erasure)
    scheduleErasure(at: transaction.now)
    let isOwner = partition.owns(Slot.of(RoutingKey(reinterpreting: erasure.player)))
    core.erased(erasure, isOwner: isOwner, &transaction)
  }

  func put(_ row: ErasureRow, _ transaction: inout Transaction) {
    erasureRows[row.key] = row
    transaction.put(row)
  }

  func scheduleErasure(at due: Int64) {
    if walk.open.isEmpty && walk.cleaned.isEmpty { return }
    timers.setUnkept(TimerKey(ContinueErasure.opcode, on: maintenanceKey), due: due, "", [])
  }

  /// Looks at a page of rows, and rewrites the first that names somebody who is erased. What it
  /// wrote is looked at again by the next pass.
  func continueErasure(_ transaction: inout Transaction) throws(Stop) {
    if !walk.cleaned.isEmpty {
      // In a step of its own, since a step that waits for cold rows begins anew.
      noteCleaned(&transaction)
      return scheduleErasure(at: transaction.now)
    }
    if walk.open.isEmpty { return }
    guard let table = tables.nextAboutPlayers(from: walk.table),
      case let id = table.description.id, !walk.isOutboxAlone || id == OutboxRow.tableID
    else { return endPass(&transaction) }
    if id != walk.table { (walk.table, walk.after) = (id, []) }
    let range = ColdRange(
      table: id, from: walk.after, through: [], limit: ErasureLimits.rowsPerStep)
    let rows: [[UInt8]]
    do {
      rows = try transaction.encodedRows(in: range)
    } catch {
      // The read sees what is durable by now: all but the batch under way and the one that is
      // gathered.
      walk.changed = walk.changed.filter { $0.value + 1 >= batch }
      throw error
    }
    for bytes in rows where walk.after.isEmpty || !bytes.starts(with: walk.after) {
      guard let erasure = firstErasure(in: bytes, of: id) else { continue }
      let key = try table.key(bytes)
      if walk.changed[.init(table: id, key: key)] == nil {
        try erase(bytes, erasure, of: table, &transaction)
      } else if let row = erasureRows[erasure.digest] {
        // The next pass looks again; with this, a batch passes until then also where all else rests.
        put(row, &transaction)
      }
      walk.after = key
      if walk.isInPass(erasure) { walk.hasFound = true }
      return scheduleErasure(at: transaction.now)
    }
    if rows.count == ErasureLimits.rowsPerStep, let last = rows.last {
      walk.after = try table.key(last)
    } else {
      (walk.table, walk.after) = (id + 1, [])
    }
    scheduleErasure(at: transaction.now)
  }

  /// A row that cannot be read stays; the walk goes on, and does not end.
  private func erase(
    _ row: [UInt8], _ erasure: Erasure, of table: Tables.Table, _ transaction: inout Transaction
  ) throws(Stop) {
    do {
      try table.erase?(row, erasure, &transaction)
    } catch .refused {
      return
    }
  }

  private func firstErasure(in row: [UInt8], of table: UInt16) -> Erasure? {
    let bytes = unsafe row.span.bytes
    guard let erasure = erased.named(in: bytes).first(where: walk.open.contains) else {
      return nil
    }
    if !isErasure(row, of: table) { return erasure }
    if walk.isInPass(erasure) { walk.hasUntold = true }
    return nil
  }

  /// An effect by which another process is told of the erasure has to name the player.
  private func isErasure(_ row: [UInt8], of table: UInt16) -> Bool {
    guard table == OutboxRow.tableID, let row = try? OutboxRow(decoding: row) else { return false }
    return core.isErasure(Opcode(rawValue: row.opcode))
  }

  private func endPass(_ transaction: inout Transaction) {
    if walk.hasFound || walk.inPass == 0 {
      let wait = walk.hasFound ? ErasureLimits.againMilliseconds : 0
      walk.beginPass()
      return scheduleErasure(at: transaction.now + wait)
    }
    if walk.hasUntold {
      // Those who came meanwhile do not wait for a service that cannot be told.
      if walk.open.count > walk.inPass { walk.beginPass() } else { walk.beginOutboxPass() }
      return scheduleErasure(at: transaction.now + ErasureLimits.againMilliseconds)
    }
    for erasure in walk.open.prefix(walk.inPass) {
      guard var row = erasureRows[erasure.digest] else { continue }
      row.ended = transaction.now
      put(row, &transaction)
      walk.ended.append(row.key)
    }
    walk.open.removeFirst(walk.inPass)
    // Nothing is noted while nobody is looked for.
    if walk.open.isEmpty { walk.changed = [:] }
    walk.beginPass()
    scheduleErasure(at: transaction.now)
  }

  /// Notes what a command changed.
  func noteChanges(_ changes: RowChanges) {
    guard !walk.open.isEmpty, let places = try? changes.places() else { return }
    for place in places {
      let key = changes.change(at: place).key
      walk.changed[.init(table: place.table, key: key)] = batch
    }
  }
}
