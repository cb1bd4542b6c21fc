import Domain
import Transport
import Wire

/// Sends effects to the owners of their keys until each is confirmed or refused.
///
/// Per destination the effects go out in order, many at a time. When one fails for a passing reason,
/// all unconfirmed ones of that destination go again from the front: the receiver knows which it
/// has. A refused one is parked by the engine and does not hold up the rest.
final class EffectDispatcher<Core: ServiceCore> {
  /// Effects under way to one process: enough to fill the pipe, few enough to repeat.
  static var windowMax: Int { 256 }
  static var deadlineMilliseconds: UInt64 { 10_000 }
  static var retryMilliseconds: UInt64 { 100 }

  private struct Entry {
    var row: OutboxRow
    var after: UInt64
    var isConfirmed = false
  }

  private final class Destination {
    var entries: [Entry] = []
    /// Entries before this index are under way or confirmed.
    var sent = 0
    /// Grows with every repetition: an answer to an earlier sending must not trigger another.
    var epoch = 0
    var isWaiting = false
    /// The newest open effect of each pair of slots, which the next one follows.
    var newest: [UInt32: UInt64] = [:]
  }

  private let engine: Engine<Core>
  private let peers: Peers
  private let loop: Loop
  /// Runs an effect for a key of this very process.
  private let applyHere: (Request, @escaping (Answer) -> Void) -> Void
  private let keep: (RowChanges, Int) -> Void
  private let clock: () -> Int64
  private let log: Log
  private var destinations: [Peers.Address: Destination] = [:]

  init(
    engine: Engine<Core>, peers: Peers, loop: Loop, log: Log, clock: @escaping () -> Int64,
    applyHere: @escaping (Request, @escaping (Answer) -> Void) -> Void,
    keep: @escaping (RowChanges, Int) -> Void
  ) {
    self.engine = engine
    self.peers = peers
    self.loop = loop
    self.log = log
    self.clock = clock
    self.applyHere = applyHere
    self.keep = keep
  }

  /// Takes effects that are durable.
  func dispatch(_ rows: [OutboxRow]) {
    for row in rows {
      guard let service = Opcode(rawValue: row.opcode).service else {
        park(row, Failure(.unknownOperation, "No service has the opcode \(row.opcode)."))
        continue
      }
      let slot = Slot.of(row.routingKey)
      let destination = destination(peers.address(service, slot: slot))
      let pair = UInt32(row.key.slot) << 16 | UInt32(slot)
      let after = destination.newest.updateValue(row.key.sequence, forKey: pair) ?? 0
      destination.entries.append(Entry(row: row, after: after))
    }
    for (address, destination) in destinations { send(destination, to: address) }
  }

  private func destination(_ address: Peers.Address) -> Destination {
    if let known = destinations[address] { return known }
    let made = Destination()
    destinations[address] = made
    return made
  }

  private func send(_ destination: Destination, to address: Peers.Address) {
    if destination.isWaiting { return }
    while destination.sent < min(destination.entries.count, Self.windowMax) {
      let entry = destination.entries[destination.sent]
      destination.sent += 1
      if entry.isConfirmed { continue }
      let epoch = destination.epoch
      let request = engine.delivery(of: entry.row, after: entry.after)
      let done: (Answer) -> Void = { [unowned self] answer in
        answered(answer, entry.row, destination, address, epoch: epoch)
      }
      if peers.isHere(address) {
        applyHere(request, done)
      } else {
        peers.call(address, request, deadlineMilliseconds: Self.deadlineMilliseconds, done)
      }
    }
  }

  private func answered(
    _ answer: Answer, _ row: OutboxRow, _ destination: Destination, _ address: Peers.Address,
    epoch: Int
  ) {
    switch answer {
    case .reply:
      keep(engine.delivered(row.key), Int(row.key.slot))
      confirm(row, destination)
    case .failure(let failure) where failure.code.isTransient:
      guard epoch == destination.epoch else { return }
      log.debug("effects wait", ["destination": "\(address)", "reason": failure.description])
      repeatLater(destination, to: address)
      return
    case .failure(let failure):
      park(row, failure)
      confirm(row, destination)
    }
    send(destination, to: address)
  }

  private func confirm(_ row: OutboxRow, _ destination: Destination) {
    guard let index = destination.entries.firstIndex(where: { $0.row.key == row.key }) else {
      return
    }
    destination.entries[index].isConfirmed = true
    let done = destination.entries.prefix { $0.isConfirmed }.count
    destination.entries.removeFirst(done)
    destination.sent = max(0, destination.sent - done)
    if destination.entries.isEmpty { destination.newest.removeAll(keepingCapacity: true) }
  }

  private func repeatLater(_ destination: Destination, to address: Peers.Address) {
    destination.epoch += 1
    destination.sent = 0
    destination.isWaiting = true
    _ = loop.after(Self.retryMilliseconds) { [weak self] in
      destination.isWaiting = false
      self?.send(destination, to: address)
    }
  }

  private func park(_ row: OutboxRow, _ failure: Failure) {
    log.warning(
      "effect parked",
      ["slot": "\(row.key.slot)", "sequence": "\(row.key.sequence)", "reason": failure.description])
    keep(engine.park(row.key, failure, clock: clock()), Int(row.key.slot))
  }
}
