import Wire

/// A connection between a client and a gateway. Each way it keeps the order of its frames. It may
/// break at any time: the frames under way are then lost from some frame on, and each end learns of
/// the break at a time of its own.
final class ClientLine {
  private let schedule: Schedule
  private(set) var isUpAtClient = true
  private(set) var isUpAtGateway = true
  /// When the last frame that is under way arrives.
  private var lastThere: Int64 = 0
  private var lastBack: Int64 = 0
  var toGateway: (FrameHeader, [UInt8]) -> Void = { _, _ in }
  var toClient: (FrameHeader, [UInt8]) -> Void = { _, _ in }
  var closedAtGateway: () -> Void = {}
  var closedAtClient: () -> Void = {}

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

  /// The client closes the connection. The gateway learns of it later, and reads until then.
  func breakAtClient() {
    schedule.after(schedule.wait()) { [self] in endAtGateway() }
    endAtClient()
  }

  /// The gateway closes the connection. The client still reads the frames that were sent before.
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
