/// The connections of a loop whose handshakes can go on, in the order in which that was announced.
///
/// A step of a handshake costs as much as some hundred calls, and a stranger can ask for as many as
/// it likes. So a step waits here, and the socket is not polled meanwhile: polling is
/// level-triggered, and would announce all that wait in every turn.
struct HandshakeQueue {
  private var waiting: [Connection] = []
  private var first = 0
  var pace = HandshakePace()
  /// When the last step ended, and how long the loop had been idle by then, in microseconds.
  var steppedAt: UInt64 = 0
  var idleByThen: UInt64 = 0

  var isEmpty: Bool { first == waiting.count }

  mutating func append(_ connection: Connection) { waiting.append(connection) }

  /// Takes the next one whose handshake has not ended meanwhile.
  mutating func takeFirst() -> Connection? {
    while !isEmpty {
      let connection = waiting[first]
      first += 1
      connection.isInHandshakeQueue = false
      if isEmpty { removeTaken() }
      if connection.state == .handshaking { return connection }
    }
    return nil
  }

  /// Releases those that were taken; called at the end of a turn.
  mutating func removeTaken() {
    waiting.removeFirst(first)
    first = 0
  }

  /// Notes how long all else has had since the last step.
  mutating func look(now: UInt64, idle: UInt64) {
    let (passed, rested) = (now - steppedAt, idle - idleByThen)
    pace.othersHad(passed - min(passed, rested))
  }
}
