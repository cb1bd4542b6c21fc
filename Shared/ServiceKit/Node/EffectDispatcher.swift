import Domain
import Wire

/// Sends effects to the owners of their keys until each is confirmed or refused: the shell around
/// an `EffectQueue` for each process. An effect for a service that the deployment leaves out counts
/// as refused. The engine parks a refused effect. Neither that nor a passing refusal holds up other
/// lanes.
///
/// An effect that its receiver does not know waits: the process is of an older version, and a newer
/// one takes its place.
///
/// An effect that tells a process of an erased player is never parked, since the process would keep
/// the player for good. It is sent again however it was refused, and by a queue of its own, so that
/// no other effect waits behind it: the receiver takes it in any order. A service that is left out
/// is told at the first start that finds it.
final class EffectDispatcher<W: World> {
  static var deadlineMilliseconds: UInt64 { 10_000 }
  /// The length of a queue's round.
  static var retryMilliseconds: UInt64 { 100 }

  /// The same for erasures that the process refuses for good.
  static var refusedRetryMilliseconds: UInt64 { 1_000 }
  /// Between two lines of the log about these; the same between two about a process of an older
  /// version, and between two about a store that was put back.
  static var warningMilliseconds: UInt64 { 600_000 }

  private struct Target: Hashable {
    var address: Peers.Address
    var isToldOfErasures: Bool
  }

  private final class Destination {
    let target: Target
    var queue = EffectQueue()
    var isSending = false
    /// Whether the last refusal was no passing one.
    var isRefused = false
    var warnings = LogPace(quietMilliseconds: EffectDispatcher.warningMilliseconds)
    /// True while the end of the round is awaited.
    var isTimed = false

    init(_ target: Target) { self.target = target }
  }

  private let engine: Engine
  private unowned let world: W
  /// Runs an effect for a key of this very process.
  private let applyHere: (Request, @escaping (Answer) -> Void) -> Void
  private let keep: (RowChanges, Int) -> Void
  private let log: Log
  /// Players can cause any number of effects that are refused.
  private var warnings = LogPace()
  private var destinations: [Target: Destination] = [:]
  private var ages = EffectAges()

  init(
    engine: Engine, world: W, log: Log,
    applyHere: @escaping (Request, @escaping (Answer) -> Void) -> Void,
    keep: @escaping (RowChanges, Int) -> Void
  ) {
    self.engine = engine
    self.world = world
    self.log = log[.effects]
    self.applyHere = applyHere
    self.keep = keep
  }

  /// How long the oldest effect is open.
  var oldestMilliseconds: UInt64 { ages.oldest(at: world.milliseconds) }

  /// Lanes of effects that a process of an older version does not know.
  var upgradeLaneCount: Int { destinations.values.reduce(0) { $0 + $1.queue.upgradeLaneCount } }

  /// Sends effects that are durable.
  func dispatch(_ rows: [OutboxRow]) {
    var touched: [Target] = []
    for row in rows {
      guard let service = Opcode(rawValue: row.opcode).service else {
        park(row, Failure(.unknownOperation, "No service has the opcode \(row.opcode)."))
        continue
      }
      guard let address = world.address(service, slot: Slot.of(row.routingKey)) else {
        leaveOut(row, service)
        continue
      }
      let target = Target(address: address, isToldOfErasures: engine.isErasure(row))
      destination(target).queue.add(row)
      ages.add(row.key.sequence, at: world.milliseconds, age: age(of: row))
      if !touched.contains(target) { touched.append(target) }
    }
    for target in touched { send(destination(target)) }
  }

  /// How long ago it was made, perhaps in an earlier life. Of a row of an older version nothing is
  /// known.
  private func age(of row: OutboxRow) -> UInt64 {
    row.time == 0 ? 0 : UInt64(max(0, world.clock - row.time))
  }

  /// The effect leaves the outbox at once, so that this does not grow, and is not logged, since
  /// each would be a line.
  private func leaveOut(_ row: OutboxRow, _ service: Service) {
    let changes =
      engine.isErasure(row)
      ? engine.leaveUntold(row, service)
      : engine.park(row.key, Failure.leftOut(service), clock: world.clock)
    keep(changes, Int(row.key.slot))
  }

  private func destination(_ target: Target) -> Destination {
    if let known = destinations[target] { return known }
    let made = Destination(target)
    destinations[target] = made
    return made
  }

  /// Sends what may go. An effect for this process may be answered before its sending returns; the
  /// call from there leaves the rest to the loop here, however many they are.
  private func send(_ destination: Destination) {
    if destination.isSending { return }
    destination.isSending = true
    let address = destination.target.address
    while let sending = destination.queue.next() {
      let request = engine.delivery(of: sending.row, after: sending.after)
      let done: (Answer) -> Void = { [weak self] answer in
        self?.answered(answer, sending, destination)
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
    _ answer: Answer, _ sending: EffectQueue.Sending, _ destination: Destination
  ) {
    let row = sending.row
    switch answer {
    case .reply:
      tellApplied(row, destination)
      noteEnd(of: row)
      keep(engine.delivered(row.key), Int(row.key.slot))
      destination.queue.confirm(sending)
    case .failure(let failure) where failure.code.isTransient:
      destination.isRefused = false
      tellWaits(row, failure, destination)
      tryAgain(sending, destination)
    case .failure(let failure) where destination.target.isToldOfErasures:
      destination.isRefused = true
      warn("a process does not take that a player is erased", row, failure, destination)
      tryAgain(sending, destination)
    case .failure(let failure) where failure.code == .unknownOperation:
      warn("effects wait for a newer version of their receiver", row, failure, destination)
      destination.queue.failed(sending, isUnknown: true)
      resumeLater(destination)
    case .failure(let failure):
      noteEnd(of: row)
      park(row, failure)
      destination.queue.confirm(sending)
    }
    send(destination)
  }

  /// An effect that was sent twice may be answered twice, and was open only once.
  private func noteEnd(of row: OutboxRow) {
    if engine.isOpen(row.key) { ages.remove(row.key.sequence) }
  }

  private func tryAgain(_ sending: EffectQueue.Sending, _ destination: Destination) {
    destination.queue.failed(sending)
    resumeLater(destination)
  }

  private func resumeLater(_ destination: Destination) {
    if destination.isTimed || !destination.queue.needsResume { return }
    destination.isTimed = true
    let wait = destination.isRefused ? Self.refusedRetryMilliseconds : Self.retryMilliseconds
    world.after(wait) { [weak self] in
      destination.isTimed = false
      destination.queue.resume()
      self?.send(destination)
      self?.resumeLater(destination)
    }
  }

  private func tellApplied(_ row: OutboxRow, _ destination: Destination) {
    guard log.has(.debug) else { return }
    log.debug(
      "effect applied",
      [
        "trace": row.trace.description, "operation": operation(row),
        "destination": "\(destination.target.address)",
      ])
  }

  /// Once in a round, as all of a destination's effects wait for the same.
  private func tellWaits(_ row: OutboxRow, _ failure: Failure, _ destination: Destination) {
    if failure.isOfGoneBack {
      warn(
        "the store has gone back to an earlier state and is not marked", row, failure, destination)
    } else if !destination.isTimed {
      log.debug(
        "effects wait",
        [
          "trace": row.trace.description, "operation": operation(row),
          "destination": "\(destination.target.address)", "reason": failure.description,
        ])
    }
  }

  private func warn(
    _ event: String, _ row: OutboxRow, _ failure: Failure, _ destination: Destination
  ) {
    guard let keptBack = destination.warnings.admit(event, now: world.microseconds / 1000) else {
      return
    }
    log.warning(
      event,
      [
        "trace": row.trace.description, "operation": operation(row),
        "destination": "\(destination.target.address)", "reason": failure.description,
        "kept_back": "\(keptBack)",
      ])
  }

  private func park(_ row: OutboxRow, _ failure: Failure) {
    if let keptBack = warnings.admit("\(failure.code)", now: world.microseconds / 1000) {
      log.warning(
        "effect parked",
        [
          "trace": row.trace.description, "operation": operation(row), "slot": "\(row.key.slot)",
          "sequence": "\(row.key.sequence)", "reason": failure.description,
          "kept_back": "\(keptBack)",
        ])
    }
    keep(engine.park(row.key, failure, clock: world.clock), Int(row.key.slot))
  }

  /// The name of an effect's operation where it is one of this service's own, else its opcode: that
  /// of another service is known there.
  private func operation(_ row: OutboxRow) -> String {
    let opcode = Opcode(rawValue: row.opcode)
    return engine.router[opcode]?.name ?? "\(opcode)"
  }
}
