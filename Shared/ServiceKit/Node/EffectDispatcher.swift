import Domain
import Wire

/// Sends effects to the owners of their keys until each is confirmed or refused: the shell around
/// an `EffectQueue` for each process. An effect for a service that the deployment leaves out counts
/// as refused. The engine parks a refused effect. Neither that nor a passing refusal holds up other
/// lanes.
final class EffectDispatcher<W: World> {
  static var deadlineMilliseconds: UInt64 { 10_000 }
  /// The length of a queue's round.
  static var retryMilliseconds: UInt64 { 100 }

  private final class Destination {
    var queue = EffectQueue()
    var isSending = false
    /// True while the end of the round is awaited.
    var isTimed = false
  }

  private let engine: Engine
  private unowned let world: W
  /// Runs an effect for a key of this very process.
  private let applyHere: (Request, @escaping (Answer) -> Void) -> Void
  private let keep: (RowChanges, Int) -> Void
  private let log: Log
  private var destinations: [Peers.Address: Destination] = [:]

  init(
    engine: Engine, world: W, log: Log,
    applyHere: @escaping (Request, @escaping (Answer) -> Void) -> Void,
    keep: @escaping (RowChanges, Int) -> Void
  ) {
    self.engine = engine
    self.world = world
    self.log = log
    self.applyHere = applyHere
    self.keep = keep
  }

  /// Sends effects that are durable.
  func dispatch(_ rows: [OutboxRow]) {
    var touched: [Peers.Address] = []
    for row in rows {
      guard let service = Opcode(rawValue: row.opcode).service else {
        park(row, Failure(.unknownOperation, "No service has the opcode \(row.opcode)."))
        continue
      }
      guard let address = world.address(service, slot: Slot.of(row.routingKey)) else {
        // It is parked at once, so that the outbox does not grow, and not logged, since each would
        // be a line.
        keep(engine.park(row.key, Failure.leftOut(service), clock: world.clock), Int(row.key.slot))
        continue
      }
      destination(address).queue.add(row)
      if !touched.contains(address) { touched.append(address) }
    }
    for address in touched { send(destination(address), to: address) }
  }

  private func destination(_ address: Peers.Address) -> Destination {
    if let known = destinations[address] { return known }
    let made = Destination()
    destinations[address] = made
    return made
  }

  /// Sends what may go. An effect for this process may be answered before its sending returns; the
  /// call from there leaves the rest to the loop here, however many they are.
  private func send(_ destination: Destination, to address: Peers.Address) {
    if destination.isSending { return }
    destination.isSending = true
    while let sending = destination.queue.next() {
      let request = engine.delivery(of: sending.row, after: sending.after)
      let done: (Answer) -> Void = { [weak self] answer in
        self?.answered(answer, sending, destination, address)
      }
      if world.isHere(address) {
        applyHere(request, done)
      } else {
        world.call(address, request, deadlineMilliseconds: Self.deadlineMilliseconds, done)
      }
    }
    destination.isSending = false
  }

  private func answered(
    _ answer: Answer, _ sending: EffectQueue.Sending, _ destination: Destination,
    _ address: Peers.Address
  ) {
    let row = sending.row
    switch answer {
    case .reply:
      keep(engine.delivered(row.key), Int(row.key.slot))
      destination.queue.confirm(sending)
    case .failure(let failure) where failure.code.isTransient:
      destination.queue.failed(sending)
      if !destination.isTimed {
        log.debug(
          "effects wait", ["destination": "\(address)", "reason": failure.description])
      }
      resumeLater(destination, address)
    case .failure(let failure):
      park(row, failure)
      destination.queue.confirm(sending)
    }
    send(destination, to: address)
  }

  private func resumeLater(_ destination: Destination, _ address: Peers.Address) {
    if destination.isTimed || !destination.queue.needsResume { return }
    destination.isTimed = true
    world.after(Self.retryMilliseconds) { [weak self] in
      destination.isTimed = false
      destination.queue.resume()
      self?.send(destination, to: address)
      self?.resumeLater(destination, address)
    }
  }

  private func park(_ row: OutboxRow, _ failure: Failure) {
    log.warning(
      "effect parked",
      ["slot": "\(row.key.slot)", "sequence": "\(row.key.sequence)", "reason": failure.description])
    keep(engine.park(row.key, failure, clock: world.clock), Int(row.key.slot))
  }
}
