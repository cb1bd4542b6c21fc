import Operations
import Transport
import Wire

/// One player on a connection of its own, with a seat in a match.
final class RelayPlayer: CallAnswerer {
  private static let deadlineMilliseconds: UInt64 = 30_000
  private static let retryMilliseconds: UInt64 = 20
  /// The gateway takes 64 open calls of a connection. What comes past these waits here.
  private static let openCallsMax = 48

  private let link: Link
  private let plan: RelayPlan
  private let report: RelayReport
  private var counter: UInt64 = 0
  private var writer = Writer(capacity: 512)
  private(set) var player = PlayerID()
  var seat: RelaySeat?
  private var openCalls = 0
  /// The times of the messages that wait.
  private var waiting: [UInt64] = []
  /// Bytes that came since the last acknowledgement, as the window counts them.
  private var unacknowledged = 0
  private var acknowledgementIsDue = false
  /// What the player does with data.
  var onData: ((_ time: UInt64) -> Void)?
  /// Messages of the player's that have not come to the other, of a flood.
  var underWay = 0

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

  /// Sends a message; while too many calls are open a reliable one waits, and an unreliable one
  /// takes the place of the one that does.
  ///
  /// - Parameter time: with which it begins.
  func send(time: UInt64) {
    report.sentCount += 1
    if openCalls < Self.openCallsMax && waiting.isEmpty {
      sendNow(time: time)
    } else {
      if !plan.isReliable { waiting.removeAll() }
      waiting.append(time)
    }
  }

  private func sendNow(time: UInt64) {
    if let data = seat?.send(time: time) { cast(SendMatchData.opcode, data) }
  }

  private func sendWaiting() {
    while !waiting.isEmpty, openCalls < Self.openCallsMax {
      sendNow(time: waiting.removeFirst())
    }
  }

  /// Makes a call whose answer only matters when it is a refusal.
  private func cast(_ opcode: Opcode, _ body: [UInt8]) {
    openCalls += 1
    link.forward(
      opcode.rawValue, prefix: body, body: RawSpan(),
      deadlineMilliseconds: Self.deadlineMilliseconds, to: self, tag: UInt64(opcode.rawValue))
  }

  func answered(_ tag: UInt64, _ kind: FrameKind, _ body: RawSpan) {
    openCalls -= 1
    if !waiting.isEmpty { sendWaiting() }
    if kind == .error {
      let failure = try? Failure(decoding: body)
      report.fail("\(Opcode(rawValue: UInt16(tag))): \(failure?.description ?? "unreadable")")
    }
  }

  private func took(_ header: FrameHeader, _ body: RawSpan) {
    guard let event = seat?.take(header.opcode, body) else { return }
    switch event {
    case .data(let time):
      onData?(time)
      unacknowledged += plan.payload + ContextLimits.matchPieceOverheadSize
      if unacknowledged >= plan.acknowledgeSize {
        acknowledge()
      } else if !acknowledgementIsDue {
        acknowledgementIsDue = true
        link.loop.after(plan.acknowledgeMilliseconds) { [self] in
          acknowledgementIsDue = false
          acknowledge()
        }
      }
    case .lost: report.lostCount += 1
    case .acknowledged, .other: break
    }
  }

  private func acknowledge() {
    unacknowledged = 0
    guard let acknowledgement = seat?.acknowledge() else { return }
    writer.bytes.removeAll(keepingCapacity: true)
    ClientEnvelope().encode(to: &writer)
    acknowledgement.encodeFields(to: &writer)
    cast(AcknowledgeMatchData.opcode, writer.bytes)
  }
}
