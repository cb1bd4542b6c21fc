import Domain
import LocalServer
import Outgoing
import Transport
import Wire

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What a service is to `PushDelivery`: it performs the actions, over real calls and with a store
/// that is a dictionary. Confined to one loop.
final class PushShell {
  private let loop: Loop
  private let caller: HTTPSCaller
  private let endpoint: HTTPSAddress
  private let secrets: PushSecrets
  private let settings: PushSettings
  private let done: Promise<Outcome>
  private var delivery: PushDelivery
  private var random: RandomSource
  private var store: [EventID: PushRow] = [:]
  private var timer: LoopTimer?
  private var outcome = Outcome()

  struct Outcome: Sendable {
    var delivered = 0
    var heldMax = 0
    var wasFailing = false
  }

  /// - Parameter done: set once the store is empty.
  init(
    on loop: Loop, _ client: HTTPSClient, _ endpoint: HTTPSAddress, _ secrets: PushSecrets,
    _ settings: PushSettings, seed: UInt64, done: Promise<Outcome>
  ) {
    self.loop = loop
    self.endpoint = endpoint
    self.secrets = secrets
    self.settings = settings
    self.done = done
    caller = client.caller(on: loop)
    delivery = PushDelivery(settings)
    random = .seeded(seed)
  }

  private var now: Int64 { Int64(loop.monotonicMilliseconds) }
  private var wallClock: Int64 { Int64(time(nil)) * 1000 }

  func start(events: [EventID]) {
    for event in events {
      store[event] = PushRow(
        event: event, player: PlayerID(high: 0, low: 1), due: now, since: now)
    }
    perform(delivery.start(now))
  }

  private func perform(_ actions: [PushDelivery.Action]) {
    outcome.heldMax = max(outcome.heldMax, delivery.heldCount)
    outcome.wasFailing = outcome.wasFailing || delivery.isEndpointFailing
    for action in actions {
      switch action {
      case .fetch(let through, let count): loop.atEndOfTurn { [self] in read(through, count) }
      case .send(let row, let attempt): send(row, attempt)
      case .remove(let event, let removal):
        store[event] = nil
        if removal == .delivered { outcome.delivered += 1 }
        confirm(event)
        if store.isEmpty { done.set(outcome) }
      case .postpone(let event, let attempts, let due):
        store[event]?.attempts = attempts
        store[event]?.due = due
        confirm(event)
      case .wake(let time):
        timer?.cancel()
        timer = loop.after(UInt64(max(0, time - now))) { [self] in
          perform(delivery.tick(now, using: &random))
        }
      }
    }
  }

  private func confirm(_ event: EventID) {
    loop.atEndOfTurn { [self] in perform(delivery.stored(event, now)) }
  }

  private func read(_ through: Int64, _ count: Int) {
    let rows = store.values.sorted { ($0.due, $0.event) < ($1.due, $1.event) }
    let page = Array(rows.prefix { $0.due <= through }.prefix(count))
    let next = rows.count > page.count ? rows[page.count].due : nil
    perform(delivery.page(page, next: next, now))
  }

  private func send(_ row: PushRow, _ attempt: Int) {
    let request = PushCall.request(
      to: endpoint, row, attempt: attempt, body: bytes("{\"event\":\"\(row.event)\"}"), secrets,
      now: wallClock)
    caller.call(request) { [self] result in
      let outcome = PushOutcome(result)
      perform(delivery.answered(row.event, attempt: attempt, outcome, now, using: &random))
    }
  }

  /// Releases what holds the loop.
  func end() { timer?.cancel() }
}
