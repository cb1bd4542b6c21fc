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
    walk.ended = erasureRows.values.filter { $0.ended != 0 && $0.cleaned == 0 }.map(\.key).sorted()
    walk.beginPass()
    scheduleErasure(at: timeMin)
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
    open(erasure)
    scheduleErasure(at: transaction.now)
    let isOwner = partition.owns(Slot.of(RoutingKey(reinterpreting: erasure.player)))
    core.erased(erasure, isOwner: isOwner, &transaction)
  }

  /// Has the walk look for a player.
  func open(_ erasure: Erasure) {
    if walk.open.isEmpty { walk.beginPass() }
    walk.open.append(erasure)
    walk.ended.removeAll { $0 == erasure.digest }
    walk.inCleaning.removeAll { $0 == erasure.digest }
  }

  func put(_ row: ErasureRow, _ transaction: inout Transaction) {
    erasureRows[row.key] = row
    transaction.put(row)
  }

  func scheduleErasure(at due: Int64) {
    if walk.open.isEmpty && walk.cleaned.isEmpty && walk.toTell.isEmpty { return }
    timers.setUnkept(TimerKey(ContinueErasure.opcode, on: maintenanceKey), due: due, "", [])
  }
}
