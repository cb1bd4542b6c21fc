public import Wire

// The effects that the service has made, until their receivers have confirmed or refused them.

extension Engine {
  /// Effects still to be confirmed, in the order in which they were made.
  public var openEffects: [OutboxRow] {
    outbox.rows.values.sorted { $0.key.sequence < $1.key.sequence }
  }
  public var openEffectCount: Int { outbox.rows.count }
  public var parkedEffectCount: Int { parkedKeys.count }
  /// When the effect was parked that is kept for longest, in milliseconds since 1970.
  public var oldestParkedTime: Int64? { parkedKeys.oldestTime }

  /// True until the receiver of the effect confirmed or refused it.
  public func isOpen(_ key: OutboxKey) -> Bool { outbox.rows[key] != nil }

  /// Puts an effect into the outbox, with the changes of the command that made it.
  func post(_ effect: Effect, _ outcome: inout Outcome) {
    var row = OutboxRow(effect, OutboxKey(slot: UInt16(outcome.slot), sequence: nextSequence()))
    row.incarnation = incarnation
    row.time = lastTime
    outbox.insert(row)
    outcome.changes.put(row)
    outcome.effects.append(row)
  }

  /// The request that delivers an effect to its receiver.
  ///
  /// - Parameter after: the sequence of the effect before it between the same two slots; it binds
  ///   only while that one is open.
  public func delivery(of row: OutboxRow, after: UInt64 = 0) -> Request {
    let predecessor = outbox.rows[OutboxKey(slot: row.key.slot, sequence: after)]
    var envelope = ServiceEnvelope(
      ofEffectOn: row.routingKey, game: row.game, trace: row.trace)
    // To be told again of an erasure changes nothing, so it needs no number.
    if isErasure(row) {
      return Request(
        opcode: Opcode(rawValue: row.opcode), envelope: envelope, body: row.body.array)
    }
    var source = EffectSource(
      service: service, slot: row.key.slot, store: store, sequence: row.key.sequence,
      after: predecessor?.key.sequence ?? 0)
    source.incarnation = row.incarnation
    source.afterIncarnation = predecessor?.incarnation ?? 0
    source.life = incarnation
    source.restored = restored.life
    envelope.source = source
    return Request(
      opcode: Opcode(rawValue: row.opcode), envelope: envelope, body: row.body.array)
  }

  /// The receiver applied the effect, now or before: it need not be sent again.
  public func delivered(_ key: OutboxKey) -> RowChanges {
    var changes = RowChanges()
    if let row = outbox.remove(key) {
      changes.remove(OutboxRow.self, key)
      retain(row, &changes)
    }
    noteChanges(changes)
    return changes
  }

  /// The receiver will never apply the effect: it is set aside, and those behind it go on.
  public func park(_ key: OutboxKey, _ failure: Failure, clock: Int64) -> RowChanges {
    var changes = RowChanges()
    guard let row = outbox.remove(key) else { return changes }
    var parked = ParkedRow()
    parked.effect = row.effect
    parked.failureCode = failure.code
    parked.failureText = failure.text
    parked.time = time(clock: clock)
    parkedKeys.add(key, time: parked.time)
    changes.remove(OutboxRow.self, key)
    changes.put(parked)
    resent(key, &changes)
    forgetParked(atMost: EffectLimits.forgottenPerAddition, &changes)
    scheduleMaintenance(at: lastTime + refusalKept + 1)
    noteChanges(changes)
    return changes
  }

  func forgetParked(atMost stepMax: Int, _ changes: inout RowChanges) {
    for (key, _) in parkedKeys.takeOld(now: lastTime, atMost: stepMax) {
      droppedEffectCount += 1
      changes.remove(ParkedRow.self, key)
    }
  }
}

extension OutboxRow {
  /// An effect as it waits in the outbox, of no life of the store yet.
  package init(_ made: Effect, _ key: OutboxKey) {
    effect.key = key
    effect.opcode = made.opcode.rawValue
    effect.routingKey = made.key
    effect.game = made.game
    effect.body = Bytes(made.body)
    effect.trace = made.trace
  }
}

extension ServiceEnvelope {
  /// An effect comes from a service, whoever called it.
  init(ofEffectOn key: RoutingKey, game: String, trace: TraceID = TraceID()) {
    self.init()
    traceID = trace
    principal = Principal(kind: .service, game: game, player: PlayerID(), device: DeviceID())
    routingKey = key
  }
}
