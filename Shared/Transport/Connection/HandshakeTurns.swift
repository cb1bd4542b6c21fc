internal import Wire

/// Connections whose handshakes have not begun: hosts take turns, and those of one host come in
/// order.
///
/// Whoever comes from one host waits behind the first of each other host, however many of theirs
/// there are. So a host whose peers begin handshakes and hang up, again and again, gets its turns
/// and no more.
struct HandshakeTurns {
  /// The connections of one host; there is one at least.
  private final class Line {
    let host: PeerHost
    var waiting = WaitingQueue<Connection>()

    init(_ host: PeerHost) { self.host = host }
  }

  private var lines: [PeerHost: Line] = [:]
  private var turns = WaitingQueue<Line>()
  /// Whether the first line has had its turn. It goes to the end only when the next one is taken,
  /// so that a host that comes before that waits for one turn less.
  private var isFirstServed = false

  var isEmpty: Bool { turns.isEmpty }
  var next: Connection? { turns.first?.waiting.first }

  mutating func append(_ connection: Connection) {
    if let line = lines[connection.host] { return line.waiting.append(connection) }
    let line = Line(connection.host)
    line.waiting.append(connection)
    lines[line.host] = line
    turns.append(line)
  }

  /// Takes the next one whose handshake has not ended meanwhile.
  mutating func takeFirst() -> Connection? {
    if isFirstServed, let line = turns.removeFirst() { turns.append(line) }
    isFirstServed = false
    while let line = turns.first {
      let connection = line.waiting.takeHandshake()
      if line.waiting.isEmpty {
        turns.removeFirst()
        lines[line.host] = nil
      } else {
        isFirstServed = true
      }
      if let connection { return connection }
    }
    return nil
  }
}
