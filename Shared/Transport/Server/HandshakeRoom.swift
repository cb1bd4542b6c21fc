internal import Wire

/// The handshakes of one loop's server that have not ended, and which of them make room for others.
///
/// A stranger may connect and say nothing, or one byte, or all but its last words. Where almost all
/// places are taken, those handshakes end whose peers have let them wait for a while: first of the
/// host that has most of them, the oldest first. So a peer that answers in time finds a place
/// however fast others come, and one that is alone at its host stays for as long as any attacking
/// host has two.
final class HandshakeRoom {
  /// How often it is looked for room while almost all places are taken. A look at a thousand
  /// handshakes takes some 0.2 ms.
  static let lookMilliseconds: UInt64 = 20
  /// Handshakes that end in one turn: each takes up to 30 us. That makes 3,200 a second.
  static let closesPerTurnMax = 64

  /// A handshake that waits for its peer.
  struct Waiting {
    var number: UInt64
    var host: PeerHost
    /// Since when, in milliseconds of the loop's clock.
    var since: UInt64
  }

  private unowned let loop: Loop
  private let patience: UInt64
  private var handshakes: [UInt64: (connection: Connection, place: AcceptedPlace)] = [:]
  private var isLooking = false
  /// Handshakes that have begun and whose peers were late at the last look.
  private var lateCount = 0 {
    didSet { loop.connections.handshakes.lateCount += lateCount - oldValue }
  }

  /// - Parameter patience: the milliseconds that a handshake may wait for its peer in any case.
  init(on loop: Loop, patience: UInt64) {
    self.loop = loop
    self.patience = patience
  }

  /// - Parameter place: what the connection has taken. Other loops have some of the same.
  func add(_ connection: Connection, in place: AcceptedPlace) {
    handshakes[connection.number] = (connection, place)
    if place.count.excess > 0 { makeRoomLater(place.count) }
  }

  func remove(_ connection: Connection) { handshakes[connection.number] = nil }

  /// Looks whose peers are late, in a while and for as long as somebody may have to wait for them.
  func makeRoomLater(_ places: ConnectionCount) {
    if isLooking { return }
    isLooking = true
    loop.after(Self.lookMilliseconds) { [weak self] in
      guard let self else { return }
      isLooking = false
      makeRoom(in: places)
      // Nobody else comes where all places are taken.
      let isWaited = places.excess > 0 || lateCount > 0 || loop.connections.handshakes.heldUp != nil
      if isWaited && !handshakes.isEmpty { makeRoomLater(places) }
    }
  }

  /// Every loop looks by itself, so each asks for each handshake whether it is still one too many.
  func makeRoom(in places: ConnectionCount) {
    let count = min(places.excess, Self.closesPerTurnMax)
    let now = loop.monotonicMilliseconds
    if now < patience { return }
    var waiting: [Waiting] = []
    var late = 0
    for (connection, _) in handshakes.values where connection.isHandshakeOfPeer {
      if connection.hasBegun && connection.activeAt <= now - patience { late += 1 }
      if count > 0 { waiting.append(Waiting(connection)) }
    }
    lateCount = late
    if count <= 0 { return }
    for number in Self.choose(from: waiting, before: now - patience, countMax: count) {
      guard let (connection, place) = handshakes[number], place.giveUp() else { return }
      if connection.hasBegun { lateCount -= 1 }
      connection.close(.handshakeTimeout)
    }
  }

  /// Returns the numbers of those that make room, the first one first.
  ///
  /// - Parameter before: those that have waited since then or longer may have to.
  static func choose(from waiting: [Waiting], before: UInt64, countMax: Int) -> [UInt64] {
    if !waiting.contains(where: { $0.since <= before }) { return [] }
    var newerCounts: [PeerHost: Int] = [:]
    var ranked: [(waiting: Waiting, newerCount: Int)] = []
    for one in waiting.sorted(by: { ($0.since, $0.number) > ($1.since, $1.number) }) {
      let count = newerCounts[one.host, default: 0]
      newerCounts[one.host] = count + 1
      if one.since <= before { ranked.append((one, count)) }
    }
    // Whoever has the most newer ones is the oldest of the host that has most.
    ranked.sort { left, right in
      (left.newerCount, right.waiting.since, right.waiting.number)
        > (right.newerCount, left.waiting.since, left.waiting.number)
    }
    return ranked.prefix(countMax).map(\.waiting.number)
  }
}

extension HandshakeRoom.Waiting {
  fileprivate init(_ connection: Connection) {
    self.init(number: connection.number, host: connection.host, since: connection.activeAt)
  }
}

extension Connection {
  /// Whether it is the peer's turn in a handshake, and not this side's.
  fileprivate var isHandshakeOfPeer: Bool { state == .handshaking && !isInHandshakeQueue }
}
