internal import Wire

extension PushDelivery {
  private var sendingCount: Int {
    slots.values.count { if case .sending = $0 { true } else { false } }
  }

  /// How many calls may begin now.
  private func room(_ now: Int64) -> Int {
    now < pausedUntil ? 0 : circuit.room(now, sendingCount: sendingCount)
  }

  /// Sends a row of a page, gives it up, or leaves it in the store for a later page.
  mutating func take(_ row: PushRow, _ now: Int64, _ actions: inout [Action]) {
    if slots.count < settings.callsMax {
      if isTooOld(row, now) {
        slots[row.event] = .storing(due: nil)
        actions.append(.remove(row.event, .givenUp))
        return
      }
      if room(now) > 0 {
        slots[row.event] = .sending(
          row, deadline: now + settings.attemptMillisecondsMax, isProbe: circuit.begin())
        actions.append(.send(row, attempt: row.attempts + 1))
        return
      }
    }
    storeDue = min(storeDue ?? row.due, row.due)
  }

  /// An attempt has failed, and others would fare no better.
  mutating func fail(
    _ row: PushRow, _ isProbe: Bool, pause: Int64?, _ now: Int64, _ actions: inout [Action],
    using random: inout some RandomNumberGenerator
  ) {
    let pause = pause.map { min(max(0, $0), settings.retryAfterMillisecondsMax) }
    circuit.fail(now, isProbe: isProbe, pause: pause, using: &random)
    retry(row, pause: pause, now, &actions, using: &random)
  }

  /// The event is tried again later, or given up where it would be too old by then.
  mutating func retry(
    _ row: PushRow, pause: Int64?, _ now: Int64, _ actions: inout [Action],
    using random: inout some RandomNumberGenerator
  ) {
    let attempts = row.attempts + 1
    // Full jitter: events that failed together do not come back together.
    let ceiling = settings.ceiling(attempts, settings.backoffMillisecondsMax)
    let backoff = Int64.random(in: 0...ceiling, using: &random)
    let due = now + max(backoff, pause ?? 0)
    if due - row.since >= settings.ageMillisecondsMax {
      slots[row.event] = .storing(due: nil)
      actions.append(.remove(row.event, .givenUp))
    } else {
      slots[row.event] = .storing(due: due)
      actions.append(.postpone(row.event, attempts: attempts, due: due))
    }
  }

  private func isTooOld(_ row: PushRow, _ now: Int64) -> Bool {
    now - row.since >= settings.ageMillisecondsMax
  }

  /// Frees the place of an event. One that a page under way may still show as it was keeps the
  /// place until the page is here: it would be sent again otherwise.
  mutating func free(_ event: EventID, due: Int64?) {
    slots[event] = isFetching ? .stored : nil
    if let due { storeDue = min(storeDue ?? due, due) }
  }

  /// Asks for the next page if there may be due rows and room for them, and for the next `tick`.
  mutating func advance(_ now: Int64, _ actions: inout [Action]) {
    if !isFetching, let due = storeDue, due <= now, hasRoom(now) {
      isFetching = true
      // What becomes known from here on comes on top of what the page will tell.
      storeDue = nil
      actions.append(.fetch(through: now, count: settings.callsMax))
    }
    let deadline = slots.values.compactMap { slot -> Int64? in
      if case .sending(_, let deadline, _) = slot { deadline } else { nil }
    }.min()
    guard let time = [deadline, nextPageTime(now)].compactMap({ $0 }).min() else { return }
    if time == wakeTime { return }
    wakeTime = time
    actions.append(.wake(at: time))
  }

  /// Whether a page is worth its read: a quarter of the calls must be free, unless fewer are
  /// allowed.
  private func hasRoom(_ now: Int64) -> Bool {
    let allowed = room(now)
    let free = settings.callsMax - slots.count
    guard allowed > 0, free > 0 else { return false }
    return free >= settings.callsMax / 4
  }

  /// When a page is worth asking for, without an event before; nil where only an event changes
  /// that.
  private func nextPageTime(_ now: Int64) -> Int64? {
    guard !isFetching, let due = storeDue, slots.count < settings.callsMax,
      let opening = circuit.opening(sendingCount: sendingCount)
    else { return nil }
    let time = max(due, opening, pausedUntil)
    return time > now ? time : nil
  }
}
