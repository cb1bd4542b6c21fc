import Operations
import Transport
import Wire

/// One player on a connection of its own, with a seat in a match.
final class RelayPlayer {
  private static let deadlineMilliseconds: UInt64 = 30_000
  private static let retryMilliseconds: UInt64 = 20

  private let link: Link
  private let plan: RelayPlan
  private let report: RelayReport
  private var counter: UInt64 = 0
  private var writer = Writer(capacity: 512)
  private(set) var player = PlayerID()
  var seat: RelaySeat?
  /// Messages that came since the last acknowledgement.
  private var unacknowledged = 0
  private var acknowledgementIsDue = false
  /// What the player does with data, and when its own was acknowledged.
  var onData: ((_ payload: [UInt8]) -> Void)?
  var onAcknowledged: (() -> Void)?

  init(loop: Loop, plan: RelayPlan, tls: TLSClientContext, report: RelayReport) {
    self.plan = plan
    self.report = report
    link = Link(on: loop, host: "127.0.0.1", port: plan.port, tls: tls, limits: .player)
    link.onEvent = { [unowned self] header, body in took(header, body) }
  }

  /// Makes a player and signs it in.
  func begin(_ ready: @escaping () -> Void) {
    var signUp = SignUp()
    signUp.attempt = RoutingKey(
      high: .random(in: .min ... .max), low: .random(in: .min ... .max))
    signUp.displayName = "relay"
    call(signUp) { [self] credential in
      player = credential.player
      var signIn = SignIn()
      signIn.game = plan.game
      signIn.player = credential.player
      signIn.device = credential.device
      signIn.secret = credential.secret
      call(signIn) { _ in ready() }
    }
  }

  /// - Parameter tries: how often a refused call is made; what it rests on may be on its way.
  func call<O: Operation>(_ operation: O, tries: Int = 1, _ done: @escaping (O.Reply) -> Void) {
    var envelope = ClientEnvelope()
    counter += 1
    envelope.idempotency = IdempotencyKey(instance: 0, counter: counter, floor: counter)
    link.call(
      O.opcode.rawValue, body: Enveloped.join(envelope, operation.encoded),
      deadlineMilliseconds: Self.deadlineMilliseconds
    ) { [self] result in
      switch result.map({ try? O.Reply(decoding: $0) }) {
      case .success(let reply?): done(reply)
      case .success(nil): report.fail("an unreadable reply to \(O.name)")
      case .failure where tries > 1:
        link.loop.after(Self.retryMilliseconds) { [self] in
          call(operation, tries: tries - 1, done)
        }
      case .failure(let failure): report.fail("\(O.name): \(failure)")
      }
    }
  }

  // MARK: Live data

  func send(_ payload: [UInt8], isReliable: Bool) {
    report.sentCount += 1
    seat?.send(payload, isReliable: isReliable) { cast($0) }
  }

  /// Makes a call whose answer only matters when it is a refusal.
  private func cast<O: Operation>(_ operation: O) {
    writer.bytes.removeAll(keepingCapacity: true)
    ClientEnvelope().encode(to: &writer)
    operation.encodeFields(to: &writer)
    link.forward(
      O.opcode.rawValue, prefix: writer.bytes, body: RawSpan(),
      deadlineMilliseconds: Self.deadlineMilliseconds
    ) { [self] kind, body in
      if kind == .error, report.isOpen {
        let failure = try? Failure(decoding: body)
        report.fail("\(O.name): \(failure?.description ?? "unreadable")")
      }
    }
  }

  private func took(_ header: FrameHeader, _ body: RawSpan) {
    guard let event = seat?.take(header.opcode, body) else { return }
    switch event {
    case .data(_, let payload):
      onData?(payload)
      unacknowledged += 1
      if unacknowledged >= plan.acknowledgeEvery {
        acknowledge()
      } else if !acknowledgementIsDue {
        acknowledgementIsDue = true
        link.loop.after(plan.acknowledgeMilliseconds) { [self] in
          acknowledgementIsDue = false
          acknowledge()
        }
      }
    case .acknowledged: onAcknowledged?()
    case .lost: report.lostCount += 1
    case .other: break
    }
  }

  private func acknowledge() {
    unacknowledged = 0
    seat?.acknowledge { cast($0) }
  }
}
