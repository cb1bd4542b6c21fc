import Domain
import Operations
import Wire

/// Sends hints to the request service, which knows where players are connected. Each is sent once,
/// beside the outbox. A hint that fails to arrive is lost, and counted.
final class HintSender<W: World> {
  static var deadlineMilliseconds: UInt64 { 2_000 }
  /// Hints that may be on their way. Further ones are dropped, so that a request service that hangs
  /// costs the other services little.
  static var underWayMax: Int { 1_024 }

  private unowned let world: W
  /// Runs a call for a key of this very process.
  private let applyHere: (Request, @escaping (Answer) -> Void) -> Void
  private var underWayCount = 0
  private(set) var droppedCount: UInt64 = 0

  init(world: W, applyHere: @escaping (Request, @escaping (Answer) -> Void) -> Void) {
    self.world = world
    self.applyHere = applyHere
  }

  /// Sends hints whose command is durable.
  func send(_ hints: [Hint]) {
    for hint in hints {
      let request = Request(hint)
      guard underWayCount < Self.underWayMax,
        let address = world.address(.request, slot: Slot.of(request.envelope.routingKey))
      else {
        droppedCount += 1
        continue
      }
      underWayCount += 1
      let done: (Answer) -> Void = { [weak self] in self?.answered($0) }
      if world.isHere(address) {
        applyHere(request, done)
      } else {
        world.call(address, request, deadlineMilliseconds: Self.deadlineMilliseconds, done)
      }
    }
  }

  private func answered(_ answer: Answer) {
    underWayCount -= 1
    if case .failure = answer { droppedCount += 1 }
  }
}

extension Request {
  fileprivate init(_ hint: Hint) {
    var delivery = DeliverHint()
    delivery.player = hint.player
    delivery.kind = hint.kind.rawValue
    delivery.body = Bytes(hint.body)
    var envelope = ServiceEnvelope()
    envelope.traceID = hint.trace
    envelope.principal = Principal(
      kind: .service, game: hint.game, player: PlayerID(), device: DeviceID())
    envelope.routingKey = RoutingKey(reinterpreting: hint.player)
    self.init(opcode: DeliverHint.opcode, envelope: envelope, body: delivery.encoded)
  }
}
