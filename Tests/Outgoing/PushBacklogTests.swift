import Domain
import Outgoing
import Testing
import Wire

@Suite("Push delivery of a backlog")
struct PushBacklogTests {
  /// A store whose rows are all due, and an endpoint that answers at once. Time passes only where
  /// the delivery wants to be woken.
  private struct Backlog {
    var rows: [EventID: PushRow] = [:]
    var now: Int64 = 0
    var wake: Int64?
    var sent: [EventID: Int] = [:]
    var delivered = 0
    var wasFailing = false
    var delivery: PushDelivery
    var random = RandomSource.seeded(1)
    let outcome: (_ row: PushRow, _ now: Int64) -> PushOutcome

    init(
      count: UInt64, _ settings: PushSettings = PushSettings(),
      _ outcome: @escaping (_ row: PushRow, _ now: Int64) -> PushOutcome
    ) {
      delivery = PushDelivery(settings)
      self.outcome = outcome
      for number in 1...count {
        let event = EventID(high: 0, low: number)
        rows[event] = PushRow(
          event: event, player: PlayerID(high: 0, low: 1), due: 0, since: 0)
      }
    }

    mutating func run(until end: Int64) {
      var actions = delivery.start(now)
      while true {
        while !actions.isEmpty {
          actions += perform(actions.removeFirst())
          wasFailing = wasFailing || delivery.isEndpointFailing
        }
        guard let time = wake, time <= end else { return }
        wake = nil
        now = max(now, time)
        actions = delivery.tick(now, using: &random)
      }
    }

    private mutating func perform(_ action: PushDelivery.Action) -> [PushDelivery.Action] {
      switch action {
      case .fetch(let through, let count):
        let sorted = rows.values.sorted { ($0.due, $0.event) < ($1.due, $1.event) }
        let page = Array(sorted.prefix { $0.due <= through }.prefix(count))
        let next = sorted.count > page.count ? sorted[page.count].due : nil
        return delivery.page(page, next: next, now)
      case .send(let row, let attempt):
        sent[row.event, default: 0] += 1
        return delivery.answered(
          row.event, attempt: attempt, outcome(row, now), now, using: &random)
      case .remove(let event, let removal):
        rows[event] = nil
        if removal == .delivered { delivered += 1 }
        return delivery.stored(event, now)
      case .postpone(let event, let attempts, let due):
        rows[event]?.attempts = attempts
        rows[event]?.due = due
        return delivery.stored(event, now)
      case .wake(let time):
        wake = time
        return []
      }
    }
  }

  private func answer(_ status: Int, retryAfter: Int? = nil) -> PushOutcome {
    PushOutcome(.success(HTTPSResponse(status: status, retryAfterSeconds: retryAfter)))
  }

  @Test("what cannot be sent waits, and so does all that waits behind it")
  func waitsWhereNothingCanBeSent() {
    var settings = PushSettings()
    settings.callsMax = 4
    var backlog = Backlog(count: 200, settings) { _, now in now < 10_000 ? .notSent : .accepted }
    backlog.run(until: 9_999)
    // Calls that were under way side by side, every second.
    #expect((10...40).contains(backlog.sent.values.reduce(0, +)))
    #expect(backlog.rows.values.allSatisfy { $0.attempts == 0 } && !backlog.wasFailing)
    backlog.run(until: 12_000)
    #expect(backlog.delivered == 200)
  }

  @Test("events that the endpoint refuses wait each for itself, and hold up no other")
  func refusalsStallNothing() {
    for status in [400, 401, 403, 404, 409, 410, 413, 422] {
      var backlog = Backlog(count: 300) { row, _ in answer(row.event.low <= 100 ? status : 204) }
      backlog.run(until: 0)
      #expect(backlog.delivered == 200 && !backlog.wasFailing, "\(status)")
      backlog.run(until: 60_000)
      #expect(backlog.rows.count == 100)
      // Waits double: about 7 attempts in a minute, and a few more by chance.
      #expect(backlog.sent.values.allSatisfy { $0 < 25 }, "\(status)")
      backlog.run(until: PushSettings().ageMillisecondsMax + 60_000)
      #expect(backlog.rows.isEmpty && backlog.delivered == 200)
    }
  }

  @Test("statuses that speak of the endpoint and not of the event stop all calls for a while")
  func faultsOpenTheCircuit() {
    for status in [301, 408, 429, 500, 502, 503] {
      var backlog = Backlog(count: 300) { row, _ in answer(row.event.low <= 100 ? status : 204) }
      backlog.run(until: 0)
      #expect(backlog.delivered == 0 && backlog.wasFailing, "\(status)")
    }
    var asked = Backlog(count: 300) { row, _ in
      row.event.low <= 100 ? answer(403, retryAfter: 9) : .accepted
    }
    asked.run(until: 0)
    #expect(asked.delivered == 0 && asked.wasFailing)
  }

  @Test("a probe that is refused tells that the endpoint answers")
  func refusedProbe() {
    var backlog = Backlog(count: 300) { row, now in
      now == 0 ? .failed() : answer(row.event.low <= 100 ? 400 : 204)
    }
    backlog.run(until: 0)
    #expect(backlog.delivery.isEndpointFailing)
    backlog.run(until: 1_000)
    #expect(!backlog.delivery.isEndpointFailing && backlog.delivered == 200)
  }
}
