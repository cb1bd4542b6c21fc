import Wire

// What comes for somebody who is erased, and what the engine itself has kept of the player.

extension Engine {
  /// The erased players whom a call names that is not itself about their end.
  func erasedPlayers(namedIn body: RawSpan, of opcode: Opcode) -> [Erasure] {
    erased.isEmpty || isOfEnd(opcode) ? [] : erased.named(in: body)
  }

  /// Whether an operation is about the end of erased players, and so by their own ids.
  private func isOfEnd(_ opcode: Opcode) -> Bool {
    core.isErasure(opcode) || core.mayNameErased(opcode)
  }

  /// Refuses calls of erased players, and changes by services at their keys: also those that a
  /// gateway makes by itself in the name of an operator.
  func refusal(of request: Request, _ route: Route) -> Failure? {
    if erased.isEmpty { return nil }
    let principal = request.envelope.principal
    if !principal.player.isNil && erased[principal.player] != nil {
      return Failure(.notAuthenticated, "The player was erased.")
    }
    let key = PlayerID(reinterpreting: request.envelope.routingKey)
    guard !route.isReadOnly, principal.kind == .service || route.access.isForGatewayAlone,
      erased[key] != nil, !isOfEnd(request.opcode)
    else { return nil }
    return Failure(.notReachable, argument: "player", "A player of the call cannot be reached.")
  }

  /// Who takes an erased player's place in calls of others. To handlers it is a stand-in like any.
  func mask(of erasure: Erasure) -> Erasure {
    if let mask = masks[erasure.player] { return mask }
    let mask = erasure.mask
    masks[erasure.player] = mask
    erased.standsIn(mask.standIn)
    return mask
  }

  /// The line of the audit about a call that names erased players: as all that is kept.
  func audited(_ masked: MaskedCall, _ route: Route) -> AuditRow {
    var request = masked.original
    request.body = erased.renamed(request.body)
    request.envelope.routingKey = erased.renamed(request.envelope.routingKey)
    return unsafe AuditRow(
      request, request.body.span.bytes, route, sequence: nextSequence(), time: lastTime)
  }

  /// What other processes say, which may not have heard of an erasure yet: with stand-ins in the
  /// place of erased players, as all that is kept.
  func rest(of facts: Facts) -> Facts {
    if erased.isEmpty || facts.all.isEmpty { return facts }
    var rest = facts
    for place in rest.all.indices {
      rest.all[place].reply.array = erased.renamed(rest.all[place].reply.array)
    }
    return rest
  }

  /// An effect that names erased players, with their stand-ins in place of them: not even the one
  /// that the core has just made is kept otherwise.
  func rest(of effect: Effect) -> Effect {
    if erased.isEmpty || core.isErasure(effect.opcode) { return effect }
    var rest = effect
    for erasure in unsafe erased.named(in: effect.body.span.bytes) {
      rest.body = erasure.rest(
        of: rest.body, opcode: core.shape(of: effect.opcode), nested: core.shape(of:))
    }
    if let erasure = erased[PlayerID(reinterpreting: effect.key)] {
      rest.body = erasure.renamed(rest.body)
      rest.key = erasure.renamed(effect.key)
    }
    return rest
  }

  /// True for a timer that is left of an erased player's key.
  func isOfErased(_ timer: TimerKey) -> Bool {
    !erased.isEmpty && erased[PlayerID(reinterpreting: timer.key)] != nil
  }

  /// An effect that names erased players, with their stand-ins in place of them; nil for any other.
  /// It is not dropped: others may depend on what follows from it.
  func rest(of request: Request, _ body: RawSpan, _ route: Route) -> Request? {
    if erased.isEmpty || core.isErasure(request.opcode) { return nil }
    let player = PlayerID(reinterpreting: request.envelope.routingKey)
    var found = erased.named(in: body)
    if let own = erased[player], !found.contains(own) { found.append(own) }
    if found.isEmpty { return nil }
    var bytes = [UInt8](copying: body)
    var key = request.envelope.routingKey
    for erasure in found {
      bytes =
        erasure.rest(of: bytes, route.shape, nested: core.shape(of:)) ?? erasure.renamed(bytes)
      key = erasure.renamed(key)
    }
    var rest = request
    rest.body = bytes
    rest.envelope.routingKey = key
    return rest
  }

  /// An effect without what the erased player has in it.
  func rest<R: EffectRow>(of row: R, _ erasure: Erasure) -> R {
    var rest = row
    rest.routingKey = erasure.renamed(row.routingKey)
    rest.body = Bytes(
      erasure.rest(
        of: row.body.array, opcode: core.shape(of: Opcode(rawValue: row.opcode)),
        nested: core.shape(of:)))
    return rest
  }

  func registerOwnErasure(_ tables: inout Tables) {
    tables.erases(ReplyRow.self) { [unowned self] (row, erasure, transaction) in
      if windows.erase(row.key.instance, erasure, &transaction.gathered) { return }
      var rest = row
      rest.player = erasure.renamed(row.player)
      let shape = router[Opcode(rawValue: row.opcode)]?.replyShape
      // Who repeats the call is told the player's id again, and not whose the stand-in is.
      rest.reply = Bytes(mask(of: erasure).rest(of: row.reply.array, opcode: shape))
      transaction.remove(ReplyRow.self, row.key)
      transaction.put(rest)
    }
    tables.erases(FloorRow.self) { [unowned self] (row, erasure, transaction) in
      if windows.erase(row.key, erasure, &transaction.gathered) { return }
      transaction.remove(FloorRow.self, row.key)
    }
    tables.erases(OutboxRow.self) { [unowned self] (row, erasure, transaction) in
      guard outbox.remove(row.key) != nil else { return }
      let rest = self.rest(of: row, erasure)
      outbox.insert(rest)
      transaction.remove(OutboxRow.self, row.key)
      transaction.put(rest)
    }
    tables.erases(ParkedRow.self) { [unowned self] (row, erasure, transaction) in
      var rest = self.rest(of: row, erasure)
      rest.failureText = erasure.renamed(row.failureText)
      transaction.put(rest)
    }
    tables.erases(RefusedRow.self) { [unowned self] (row, erasure, transaction) in
      var rest = row
      rest.text = erasure.renamed(row.text)
      refused[row.key] = Failure(rest.code, rest.text)
      transaction.put(rest)
    }
    tables.erases(AuditRow.self) { [unowned self] (row, erasure, transaction) in
      transaction.put(row.rest(of: erasure, router[Opcode(rawValue: row.opcode)]))
    }
    tables.erases(TimerRow.self) { [unowned self] (row, erasure, transaction) in
      timers.erase(
        row, erasure, router[Opcode(rawValue: row.key.opcode)]?.shape, &transaction.gathered)
    }
  }
}

extension Erasure {
  func renamed(_ text: String) -> String {
    String(decoding: renamed(Array(text.utf8)), as: UTF8.self)
  }

  /// What is left of a message whose shape may not be known here, or which may be cut short: at
  /// least the ids in it are replaced.
  func rest(
    of message: [UInt8], opcode shape: Shape?, nested: @escaping (Opcode) -> Shape? = { _ in nil }
  ) -> [UInt8] {
    shape.flatMap { rest(of: message, $0, nested: nested) } ?? renamed(message)
  }
}
