import Outgoing
import Wire

extension PushWorld {
  mutating func happen(_ happening: Happening) {
    switch happening {
    case .write(let event): write(event)
    case .erase(let event):
      if store.removeValue(forKey: event) != nil { report.erased.insert(event) }
    case .crash:
      life += 1
      wakeTime = nil
      delivery = PushDelivery(plan.settings)
      perform(delivery.start(now))
    case .wake:
      // A wake that another one replaced.
      if wakeTime != now { return }
      wakeTime = nil
      perform(delivery.tick(now, using: &random))
    case .fetch(let through, let count): read(through, count)
    case .page(let rows, let next): perform(delivery.page(rows, next: next, now))
    case .reaches(let event): report.taken[event, default: 0] += 1
    case .answer(let event, let attempt, let outcome):
      if outcome == .accepted { report.known.insert(event) }
      perform(delivery.answered(event, attempt: attempt, outcome, now, using: &random))
    case .remove(let event): if plan.fault != .keepsEvents { store[event] = nil }
    case .put(let event, let attempts, let due):
      if plan.fault == .losesEvents && attempts == 2 { store[event] = nil }
      store[event]?.attempts = attempts
      store[event]?.due = due
    case .stored(let event): perform(delivery.stored(event, now))
    case .withdrawn(let event): perform(delivery.withdrawn(event, now))
    }
  }

  private mutating func write(_ event: EventID) {
    store[event] = PushRow(
      event: event, player: PlayerID(high: 1, low: event.low % 7), game: "game", due: now,
      since: now)
    report.written.insert(event)
    perform(delivery.arrived(due: now, now))
  }

  /// Reads a page as of now; it reaches the loop later.
  private mutating func read(_ through: Int64, _ count: Int) {
    if count > plan.settings.callsMax { report.complaints.append("a page of \(count) rows") }
    let rows = store.values.sorted { ($0.due, $0.event) < ($1.due, $1.event) }
    let page = Array(rows.prefix { $0.due <= through }.prefix(count))
    let next = rows.count > page.count ? rows[page.count].due : nil
    plan(after: delay(20), .page(page, next: next))
  }

  mutating func perform(_ actions: [PushDelivery.Action]) {
    for action in actions {
      switch action {
      case .fetch(let through, let count):
        plan(after: delay(20), .fetch(through: through, count: count))
      case .send(let row, let attempt): send(row, attempt)
      case .remove(let event, let removal):
        report.removed[removal, default: 0] += 1
        settle(event, .remove(event))
      case .postpone(let event, let attempts, let due):
        settle(event, .put(event, attempts: attempts, due: due))
      case .wake(let time):
        wakeTime = max(time, now)
        plan(after: max(0, time - now), .wake)
      }
    }
  }

  private mutating func settle(_ event: EventID, _ change: Happening) {
    let time = delay(20)
    plan(after: time, change)
    plan(after: plan.fault == .confirmsEarly ? 0 : time, .stored(event))
  }

  /// Sends an event over a faulty network to a faulty endpoint.
  private mutating func send(_ row: PushRow, _ attempt: Int) {
    guard store[row.event] != nil else { return plan(after: 0, .withdrawn(row.event)) }
    report.sent[row.event, default: 0] += 1
    if !plan.crashes && report.known.contains(row.event) && plan.fault != .keepsEvents {
      report.complaints.append("an event is sent again after it was taken")
    }
    let (event, fast) = (row.event, delay(200))
    func answers(_ outcome: PushOutcome) -> Happening {
      .answer(event, attempt: attempt, outcome)
    }
    if plan.dead.contains(now) {
      plan(after: chance(50) ? fast : 15_000, answers(.failed()))
      return
    }
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<10: plan(after: fast, answers(.failed()))
    case 10..<15: plan(after: fast, answers(.failed(retryAfterMilliseconds: delay(10_000))))
    case 15..<20: plan(after: 15_000, answers(.failed()))
    // Nobody hears of it again.
    case 20..<23: break
    case 23..<26: plan(after: fast, answers(.notSent))
    case 26..<30: plan(after: fast, answers(.refused))
    default:
      let slow = chance(10) ? delay(14_000) : fast
      plan(after: slow / 2, .reaches(event), leavesProcess: true)
      if chance(5) { plan(after: slow, .reaches(event), leavesProcess: true) }
      // The answer is lost, comes once or comes twice.
      if chance(5) { return plan(after: 15_000, answers(.failed())) }
      plan(after: slow, answers(.accepted))
      if chance(10) { plan(after: slow + delay(100), answers(.accepted)) }
    }
  }
}
