import Wire

/// A connection between a client and a gateway. It keeps the order of what it carries, both ways, and
/// breaks at any time: what was on its way is then lost from some point on, and each end learns of it
/// on its own.
final class ClientLine {
  private let schedule: Schedule
  private(set) var isUpAtClient = true
  private(set) var isUpAtGateway = true
  /// When the last of what is on its way arrives.
  private var lastThere: Int64 = 0
  private var lastBack: Int64 = 0
  var toGateway: (FrameHeader, [UInt8]) -> Void = { _, _ in }
  var toClient: (FrameHeader, [UInt8]) -> Void = { _, _ in }
  var closedAtGateway: () -> Void = {}
  var closedAtClient: () -> Void = {}
  /// What the gateway calls an operator's or a game server's client in idempotency keys.
  var trustedInstance: UInt64 = 0

  init(schedule: Schedule) { self.schedule = schedule }

  func send(_ header: FrameHeader, _ body: [UInt8]) {
    guard isUpAtClient else { return }
    lastThere = max(lastThere, schedule.now + schedule.wait())
    schedule.at(lastThere) { [self] in
      if isUpAtGateway { toGateway(header, body) }
    }
  }

  func answer(_ header: FrameHeader, _ body: [UInt8]) {
    guard isUpAtGateway else { return }
    lastBack = max(lastBack, schedule.now + schedule.wait())
    schedule.at(lastBack) { [self] in
      if isUpAtClient { toClient(header, body) }
    }
  }

  /// The client knows at once, the gateway later: until then it reads what was sent.
  func breakAtClient() {
    schedule.after(schedule.wait()) { [self] in endAtGateway() }
    endAtClient()
  }

  /// The gateway closes the connection; the client reads what was sent before.
  func finishAtGateway() {
    lastBack = max(lastBack, schedule.now + schedule.wait())
    schedule.at(lastBack) { [self] in endAtClient() }
    endAtGateway()
  }

  /// The gateway's process is gone, and with it whatever it knew of the client.
  func loseGateway() {
    isUpAtGateway = false
    schedule.after(schedule.wait()) { [self] in endAtClient() }
  }

  private func endAtClient() {
    guard isUpAtClient else { return }
    isUpAtClient = false
    closedAtClient()
  }

  private func endAtGateway() {
    guard isUpAtGateway else { return }
    isUpAtGateway = false
    closedAtGateway()
  }
}
