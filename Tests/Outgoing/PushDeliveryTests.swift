import Domain
import Outgoing
import Testing
import Wire

@Suite("Push delivery")
struct PushDeliveryTests {
  private func row(_ number: UInt64, attempts: Int = 0, due: Int64 = 0) -> PushRow {
    PushRow(
      event: EventID(high: 0, low: number), player: PlayerID(high: 0, low: 1), attempts: attempts,
      due: due, since: 0)
  }

  private let settings: PushSettings = {
    var settings = PushSettings()
    settings.callsMax = 4
    settings.failuresMax = 2
    return settings
  }()

  /// A value that has sent these rows.
  private func sending(_ rows: [PushRow]) -> PushDelivery {
    var delivery = PushDelivery(settings)
    #expect(delivery.start(0) == [.fetch(through: 0, count: 4)])
    let sends = rows.map { PushDelivery.Action.send($0, attempt: $0.attempts + 1) }
    #expect(delivery.page(rows, next: nil, 0) == sends + [.wake(at: 30_000)])
    return delivery
  }

  /// When the row is tried again, if these actions postpone it.
  private func due(_ actions: [PushDelivery.Action]) -> Int64? {
    for case .postpone(_, _, let due) in actions { return due }
    return nil
  }

  @Test func deliversAndForgets() {
    var random = RandomSource.seeded(1)
    var delivery = sending([row(1), row(2)])
    let event = row(1).event
    #expect(
      delivery.answered(event, attempt: 1, .accepted, 5, using: &random)
        == [.remove(event, .delivered)])
    // An answer that comes twice.
    #expect(delivery.answered(event, attempt: 1, .accepted, 6, using: &random) == [])
    #expect(delivery.heldCount == 2)
    #expect(delivery.stored(event, 7) == [])
    #expect(delivery.withdrawn(row(2).event, 8) == [])
    #expect(delivery.heldCount == 0)
    #expect(delivery.arrived(due: 9, 9) == [.fetch(through: 9, count: 4)])
  }

  @Test func waitsLongerAfterEachFailure() {
    for (attempts, ceiling) in [(0, 1_000), (1, 2_000), (5, 32_000), (12, 3_600_000)] {
      var dues: [Int64] = []
      for seed in 1...300 as ClosedRange<UInt64> {
        var random = RandomSource.seeded(seed)
        var delivery = sending([row(1, attempts: attempts)])
        let actions = delivery.answered(
          row(1).event, attempt: attempts + 1, .failed(), 0, using: &random)
        if let due = due(actions) { dues.append(due) }
        let wanted = PushDelivery.Action.postpone(
          row(1).event, attempts: attempts + 1, due: dues.last ?? -1)
        #expect(actions.first == wanted)
      }
      // The whole range, from nothing at all: full jitter.
      #expect(dues.allSatisfy { (0...Int64(ceiling)).contains($0) })
      #expect(dues.contains { $0 < ceiling / 10 } && dues.contains { $0 > ceiling * 9 / 10 })
    }
  }

  @Test func givesUpWhatIsTooOld() {
    var random = RandomSource.seeded(1)
    var delivery = sending([row(1)])
    let late = settings.ageMillisecondsMax
    let event = row(1).event
    let failed = delivery.answered(event, attempt: 1, .failed(), late - 1, using: &random)
    #expect(failed.first == .remove(event, .givenUp) || due(failed) == late - 1)
    #expect(delivery.arrived(due: late, late) == [.fetch(through: late, count: 4)])
    #expect(delivery.page([row(2)], next: nil, late).first == .remove(row(2).event, .givenUp))
  }

  @Test("Retry-After holds for all events, within its bound")
  func respectsRetryAfter() {
    for (asked, wanted) in [(10_000, 10_000), (Int64.max, 3_600_000)] as [(Int64, Int64)] {
      var random = RandomSource.seeded(1)
      var delivery = sending([row(1)])
      let actions = delivery.answered(
        row(1).event, attempt: 1, .failed(retryAfterMilliseconds: asked), 0, using: &random)
      #expect(due(actions) == wanted)
      #expect(delivery.isEndpointFailing)
      #expect(delivery.stored(row(1).event, 1) == [.wake(at: wanted)])
      #expect(delivery.arrived(due: 2, 2) == [])
      let tick = delivery.tick(wanted, using: &random)
      #expect(tick == [.fetch(through: wanted, count: 4)])
    }
  }

  @Test("after failures in a row one call probes, and then calls double with each success")
  func probes() {
    var random = RandomSource.seeded(1)
    var delivery = sending([row(1), row(2), row(3)])
    for number in 1...3 as ClosedRange<UInt64> {
      _ = delivery.answered(row(number).event, attempt: 1, .failed(), 0, using: &random)
      _ = delivery.stored(row(number).event, 0)
    }
    #expect(delivery.isEndpointFailing)
    let early = delivery.arrived(due: 0, 10)
    #expect(early.allSatisfy { if case .wake(500...1_000) = $0 { true } else { false } })
    let rows = (4...7).map { row($0) }
    #expect(delivery.tick(1_000, using: &random) == [.fetch(through: 1_000, count: 4)])
    // One of the page is sent, the others stay where they are.
    #expect(
      delivery.page(rows, next: 0, 1_000) == [.send(rows[0], attempt: 1), .wake(at: 31_000)])
    #expect(delivery.heldCount == 1)
    _ = delivery.answered(rows[0].event, attempt: 1, .accepted, 1_001, using: &random)
    #expect(!delivery.isEndpointFailing)
    _ = delivery.stored(rows[0].event, 1_001)
    #expect(delivery.page(Array(rows[1...]), next: nil, 1_002).count { $0.isSend } == 1)
    _ = delivery.answered(rows[1].event, attempt: 1, .accepted, 1_003, using: &random)
    _ = delivery.stored(rows[1].event, 1_003)
    #expect(delivery.page(Array(rows[2...]), next: nil, 1_004).count { $0.isSend } == 2)
  }

  @Test("an attempt without an answer fails by itself, and its answer changes nothing then")
  func noticesLostAnswers() {
    var random = RandomSource.seeded(1)
    var delivery = sending([row(1)])
    let actions = delivery.tick(30_000, using: &random)
    #expect(due(actions) != nil)
    #expect(delivery.answered(row(1).event, attempt: 1, .accepted, 30_001, using: &random) == [])
  }

  @Test func readsOutcomes() {
    func outcome(_ status: Int, _ retryAfter: Int? = nil) -> PushOutcome {
      PushOutcome(.success(HTTPSResponse(status: status, retryAfterSeconds: retryAfter)))
    }
    #expect([200, 204, 299].allSatisfy { outcome($0) == .accepted })
    #expect([300, 302, 408, 429, 500].allSatisfy { outcome($0) == .failed() })
    #expect(outcome(503, 7) == .failed(retryAfterMilliseconds: 7_000))
    #expect(outcome(429, Int.max) == .failed(retryAfterMilliseconds: Int64(Int32.max) * 1000))
    #expect(PushOutcome(.failure(.busy)) == .notSent)
    #expect(PushOutcome(.failure(.stopped)) == .notSent)
    #expect(PushOutcome(.failure(.timedOut)) == .failed())
    #expect(PushOutcome(.failure(.tooLarge)) == .failed())
  }
}

extension PushDelivery.Action {
  fileprivate var isSend: Bool { if case .send = self { true } else { false } }
}
