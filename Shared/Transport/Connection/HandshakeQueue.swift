/// The connections of a loop whose handshakes can go on, in the order in which that was announced;
/// where they have not begun, hosts take turns.
///
/// A step of a handshake costs as much as some hundred calls, and a stranger can ask for as many as
/// it likes. So a step waits here, and the socket is not polled meanwhile: polling is
/// level-triggered, and would announce all that wait in every turn.
///
/// What has begun goes before what has not, and only so much is begun that the peers can keep up:
/// whoever comes back among thousands has a machine that is as busy as this one, and an answer that
/// waits for it there has this side give it up for slow. A client whose handshake ends so forgets
/// its ticket, and comes back by a whole handshake.
struct HandshakeQueue {
  /// Handshakes under way whose peers have not let this side wait for long: as many as a loop ends
  /// in the time that it takes a packet to a phone and back.
  static let underWayMax = 128

  private var begun = WaitingQueue<Connection>()
  private var fresh = HandshakeTurns()
  /// Handshakes in which this side has answered the peer's first message.
  var begunCount = 0
  /// Those among them whose peers are late. There may be as many more under way: a stranger who
  /// lets handshakes wait keeps nobody else from beginning one.
  var lateCount = 0
  var pace = HandshakePace()
  /// When it was looked for a step last, or one ended, and how long the loop had been idle by then,
  /// in microseconds.
  var lookedAt: UInt64 = 0
  var idleByThen: UInt64 = 0

  private var mayBegin: Bool { begunCount - lateCount < Self.underWayMax + lateCount }
  var hasNobody: Bool { begun.isEmpty && fresh.isEmpty }
  /// Whether no step can be taken now.
  var isEmpty: Bool { begun.isEmpty && (fresh.isEmpty || !mayBegin) }
  /// One that may not begin yet; nil when there is none.
  var heldUp: Connection? { mayBegin ? nil : fresh.next }

  mutating func append(_ connection: Connection) {
    if connection.isSilent { fresh.append(connection) } else { begun.append(connection) }
  }

  /// Takes the next one whose handshake has not ended meanwhile.
  mutating func takeFirst() -> Connection? {
    if let connection = begun.takeHandshake() { return connection }
    return mayBegin ? fresh.takeFirst() : nil
  }

  /// Notes how long all else has had since the last look.
  mutating func look(now: UInt64, idle: UInt64) {
    let (passed, rested) = (now - lookedAt, idle - idleByThen)
    pace.othersHad(passed - min(passed, rested))
    (lookedAt, idleByThen) = (now, idle)
  }
}
