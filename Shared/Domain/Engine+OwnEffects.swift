import Wire

// Effects on keys of this very process.

extension Engine {
  /// How many effects one command may bring about here, those of its effects too; the rest go
  /// through the outbox.
  public static var ownEffectsMax: Int { 256 }

  func isOwn(_ effect: Effect) -> Bool {
    effect.opcode.service == service && partition.owns(Slot.of(effect.key))
  }

  /// Applies the effects that a command has on keys of this process, and what they bring about
  /// here, in the order in which they were made. Their changes belong to the command's batch, so
  /// they are durable together: nothing has to be sent, confirmed, or known again when it is
  /// repeated.
  ///
  /// An effect takes the way through the outbox all the same when
  /// - one before it between the same two slots did, and is not confirmed: they keep their order,
  /// - its slot waits for cold rows, or it needs some itself,
  /// - it stays in its slot: so goes on what takes many steps, between which others are served,
  /// - it is refused: it is tried again or parked, as one that comes from elsewhere.
  ///
  /// - Parameters:
  ///   - first: what the command did.
  ///   - mayRun: false for slots where another command is under way.
  /// - Returns: `first` with the effects that went into the outbox, then what each of the others
  ///   did, all to be kept in this order and in one batch.
  public func applyOwnEffects(
    of first: Outcome, clock: Int64, where mayRun: (_ slot: Int) -> Bool
  ) -> [Outcome] {
    var outcomes = [first]
    var pending = first.ownEffects.count
    var index = 0
    while index < outcomes.count {
      let effects = outcomes[index].ownEffects
      outcomes[index].ownEffects = []
      for effect in effects {
        if outcomes.count <= Self.ownEffectsMax, !isBatchFull(with: pending),
          let done = apply(effect, from: outcomes[index].slot, clock: clock, where: mayRun)
        {
          pending += done.ownEffects.count
          outcomes.append(done)
        } else {
          post(effect, &outcomes[index])
        }
        pending -= 1
      }
      index += 1
    }
    return outcomes
  }

  /// Returns nil for an effect that has to go through the outbox; nothing has changed then.
  private func apply(
    _ effect: Effect, from source: Int, clock: Int64, where mayRun: (_ slot: Int) -> Bool
  ) -> Outcome? {
    let slot = Slot.of(effect.key)
    guard slot != source, let route = router[effect.opcode], route.access.allows(.service),
      !outbox.hasOwn(from: source, to: slot), mayRun(slot)
    else { return nil }
    let envelope = ServiceEnvelope(
      ofEffectOn: effect.key, game: effect.game, trace: effect.trace)
    let request = Request(opcode: effect.opcode, envelope: envelope, body: effect.body)
    let body = unsafe effect.body.span.bytes
    guard route.routing != .firstIdentifier || names(effect.key, body),
      case .done(var outcome) = run(
        request, body, route, slot: slot, clock: clock, coldRows: [:], remember: { _, _ in }),
      case .reply = outcome.answer
    else { return nil }
    didApplyOwnEffect?(effect, source, &outcome.changes)
    return outcome
  }
}
