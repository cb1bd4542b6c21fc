import Domain
import Operations
import Outgoing
import RequestCore
import ServiceKit
import Storage
import Transport
import Wire

/// Pushes events that wait for the push hook: performs what `PushDelivery` decides, with the rows
/// of this process. All that waits is in the store. In memory are the events that are being sent
/// or written at this moment, so that a restart goes on from the rows.
final class PushHook: ServiceCompanion {
  /// A wake comes at least so often, because the wall clock, which rows go by, may be set.
  static let wakeMillisecondsMax: Int64 = 60_000

  private let plan: PushHookPlan
  private var delivery: PushDelivery
  private var random = RandomSource.system
  private let core: RequestCore
  private var words: PushWords?
  private var rows: PushRows?
  private var node: ServiceNode?
  private var caller: HTTPSCaller?
  /// The rows of the events that `delivery` holds.
  private var held: [EventID: PushQueueRow] = [:]
  private var timer: LoopTimer?
  /// The first that is due of the rows that were put in this turn.
  private var arrival: Int64?

  init(_ plan: PushHookPlan, of core: RequestCore) {
    (self.plan, self.core) = (plan, core)
    delivery = PushDelivery(plan.delivery)
    core.eventQueued = { [weak self] due in self?.queued(due) }
  }

  func start(on node: ServiceNode) {
    self.node = node
    let words = PushWords(node)
    self.words = words
    rows = PushRows(node, core, words)
    caller = plan.client.caller(on: node.loop)
    arrival = nil
    perform(delivery.start(node.clock))
  }

  func stop() {
    rows?.stop()
    timer?.cancel()
    plan.client.stop()
  }

  /// The row is not gathered for a batch yet: it is when the command has run.
  private func queued(_ due: Int64) {
    let isFirst = arrival == nil
    arrival = min(arrival ?? due, due)
    guard isFirst, let node else { return }
    node.atEndOfTurn { [self] in
      guard let due = arrival else { return }
      arrival = nil
      tell { delivery, now in delivery.arrived(due: due, now) }
    }
  }

  // MARK: Actions

  /// Tells `delivery` of something, unless the process is about to end, and does what it wants.
  private func tell(_ event: (inout PushDelivery, Int64) -> [PushDelivery.Action]) {
    guard let node, rows?.isStopped == false else { return }
    perform(event(&delivery, node.clock))
    words?.look(at: delivery)
  }

  private func perform(_ actions: [PushDelivery.Action]) {
    for action in actions {
      switch action {
      case .fetch(let through, let count): fetch(through, count)
      case .send(let row, let attempt): send(row, attempt)
      case .remove(let event, let removal):
        let reason = removal == .givenUp ? words?.reason(for: event) : nil
        settle(event) { self.words?.count(removal, $0, reason) }
      case .postpone(let event, let attempts, let due):
        settle(event, nextDue: due, attempts: attempts) { _ in }
      case .wake(let time): wake(at: time)
      }
    }
  }

  private func wake(at time: Int64) {
    guard let node else { return }
    timer?.cancel()
    let wait = min(max(0, time - node.clock), Self.wakeMillisecondsMax)
    timer = node.loop.after(UInt64(wait)) { [self] in
      tell { delivery, now in delivery.tick(now, using: &random) }
    }
  }

  private func fetch(_ through: Int64, _ count: Int) {
    rows?.page(through: through, count, isHeld: { [self] in held[$0] != nil }) {
      [self] page, next in
      tell { delivery, now in
        let actions = delivery.page(page.map(PushRow.init), next: next, now)
        for row in page where actions.contains(where: { $0.takes(row.key.event) }) {
          held[row.key.event] = row
        }
        return actions
      }
    }
  }

  private func send(_ row: PushRow, _ attempt: Int) {
    guard let queued = held[row.event] else { preconditionFailure("an unknown event is sent") }
    node?.apply(BeginPush(queued), at: queued.player, trace: row.trace) { [self] result in
      switch result {
      case .success(let reply) where reply.isWithdrawn: withdraw(queued)
      case .success(let reply):
        let request = PushCall.request(
          to: plan.endpoint, row, attempt: attempt, body: PushBody.bytes(queued, reply),
          plan.secrets, now: ProcessShell.clock())
        caller?.call(request) { [self] result in answered(row, attempt, result) }
      case .failure(let failure):
        words?.warn("push event was not read", failure.text, row.trace)
        later { [self] in
          tell { $0.answered(row.event, attempt: attempt, .notSent, $1, using: &random) }
        }
      }
    }
  }

  private func withdraw(_ queued: PushQueueRow) {
    words?.withdrawn()
    later { [self] in
      // The attempt may have taken too long, and then the event waits under another time.
      guard held[queued.key.event]?.key == queued.key else { return }
      held[queued.key.event] = nil
      tell { $0.withdrawn(queued.key.event, $1) }
    }
  }

  private func answered(
    _ row: PushRow, _ attempt: Int, _ result: Result<HTTPSResponse, HTTPSError>
  ) {
    if rows?.isStopped == true { return }
    words?.answered(result, row, attempt)
    tell { $0.answered(row.event, attempt: attempt, PushOutcome(result), $1, using: &random) }
  }

  private func settle(
    _ event: EventID, nextDue: Int64 = 0, attempts: Int = 0,
    done: @escaping (PushQueueRow) -> Void
  ) {
    guard let queued = held[event] else { preconditionFailure("an unknown event is settled") }
    let end = EndPush(queued, nextDue: nextDue, attempts: attempts)
    node?.apply(end, at: queued.player, trace: queued.trace) { [self] result in
      if case .failure(let failure) = result {
        rows?.again("push rows were not written", failure.text) { [self] in
          settle(event, nextDue: nextDue, attempts: attempts, done: done)
        }
        return
      }
      done(queued)
      later { [self] in
        held[event] = nil
        tell { $0.stored(event, $1) }
      }
    }
  }

  // MARK: Later

  /// `delivery` hears of nothing while its actions are performed.
  private func later(_ body: @escaping () -> Void) { node?.atEndOfTurn(body) }
}

extension PushDelivery.Action {
  /// Whether the event is held from now on.
  fileprivate func takes(_ event: EventID) -> Bool {
    switch self {
    case .send(let row, _): row.event == event
    case .remove(let removed, _): removed == event
    case .fetch, .postpone, .wake: false
    }
  }
}
