internal import Wire

/// What one connection may cost, and how long its peer may stay silent.
public struct ConnectionLimits: Sendable {
  /// The largest frame taken from the peer, in bytes. The header of a longer one ends the
  /// connection, before its body is read.
  public var frameSizeMax: Int
  /// Queued bytes past which the peer is given up as a slow reader.
  public var outgoingBytesMax: Int
  /// Queued bytes, without live data, past which nothing is read from the peer, so that it makes no
  /// more work.
  public var outgoingHighWater: Int
  /// Queued bytes at which reading goes on.
  public var outgoingLowWater: Int
  /// What may wait of live data besides, for a peer that does not keep up.
  var newest: NewestQueue.Bounds
  /// Bytes that the system may hold for a peer before they are on their way, so that what waits is
  /// here, where newer data takes its place; 0 leaves it to the system.
  var unsentBytesMax: Int
  /// The time from the start of a connection to the whole of what its peer says first, where so
  /// many have not ended their handshakes that it may keep others out; after this side's answer,
  /// twice as long for the rest.
  var silentMilliseconds: UInt64 = 1_000
  /// How long a handshake may wait for its peer before it may have to make room for others, where
  /// almost all places are taken: longer than a packet takes to a phone and back. With 1,024
  /// places, 3,000 new connections a second each get as long: more than 64 hosts may make.
  var patienceMilliseconds: UInt64 = 300
  /// Bytes that are taken off the system's socket in one event of the connection. After that others
  /// have their turn.
  var readBytesPerEvent: Int
  /// Whether those that have read so many take turns, a few in each of the loop's; else each goes
  /// on with the next one.
  var readsInTurns: Bool
  /// The time from the start of a connection to the end of its handshake.
  public var handshakeMilliseconds: UInt64
  /// The time without a frame from the peer after which the connection closes; 0 waits for ever.
  public var idleMilliseconds: UInt64
  /// The time from the first byte of a frame to its last.
  public var partialFrameMilliseconds: UInt64
  /// The time that `finish` waits for the peer to take the queued bytes and to close.
  public var finishMilliseconds: UInt64
  /// The silence after which a `Link` sends a ping; after twice that it gives up. 0: it sends none.
  public var pingMilliseconds: UInt64

  public init(
    frameSizeMax: Int, outgoingBytesMax: Int, outgoingHighWater: Int, outgoingLowWater: Int,
    handshakeMilliseconds: UInt64, idleMilliseconds: UInt64, partialFrameMilliseconds: UInt64,
    finishMilliseconds: UInt64 = 2_000, pingMilliseconds: UInt64 = 0, newestKeysMax: Int = 256,
    newestBytesMax: Int = 256 << 10, unsentBytesMax: Int = 0, readBytesPerEvent: Int = 64 << 10,
    readsInTurns: Bool = false
  ) {
    precondition(outgoingLowWater <= outgoingHighWater && outgoingHighWater <= outgoingBytesMax)
    self.frameSizeMax = frameSizeMax
    self.outgoingBytesMax = outgoingBytesMax
    self.outgoingHighWater = outgoingHighWater
    self.outgoingLowWater = outgoingLowWater
    self.handshakeMilliseconds = handshakeMilliseconds
    self.idleMilliseconds = idleMilliseconds
    self.partialFrameMilliseconds = partialFrameMilliseconds
    self.finishMilliseconds = finishMilliseconds
    self.pingMilliseconds = pingMilliseconds
    newest = NewestQueue.Bounds(keysMax: newestKeysMax, bytesMax: newestBytesMax)
    self.unsentBytesMax = unsentBytesMax
    self.readBytesPerEvent = readBytesPerEvent
    self.readsInTurns = readsInTurns
  }

  /// For a game's connection at the gateway: a stranger, perhaps on a phone. It may cost 1 MiB, has
  /// ten seconds for a handshake over a bad network, and pings more often than every two minutes.
  /// It is in some matches of at most 16 players, each with one piece of live data that may wait.
  /// One event reads a record or some hundred small calls, and those that send more take turns.
  /// One that takes none of its answers is not read any more after the second large one: a thousand
  /// who do that for the rest of their budgets would keep the loops busy for seconds.
  public static let client = ConnectionLimits(
    frameSizeMax: WireLimits.clientFrameSizeMax, outgoingBytesMax: 1 << 20,
    outgoingHighWater: 48 << 10, outgoingLowWater: 16 << 10, handshakeMilliseconds: 10_000,
    idleMilliseconds: 120_000, partialFrameMilliseconds: 20_000, unsentBytesMax: 32 << 10,
    readBytesPerEvent: 16 << 10, readsInTurns: true)

  /// For connections between Muster's own processes: they are few and carry many calls each, so
  /// they may hold more. A link pings after five silent seconds, so half a minute of silence means
  /// that the peer is dead.
  public static let server = ConnectionLimits(
    frameSizeMax: WireLimits.frameSizeMax, outgoingBytesMax: 64 << 20,
    outgoingHighWater: 16 << 20, outgoingLowWater: 4 << 20, handshakeMilliseconds: 5_000,
    idleMilliseconds: 30_000, partialFrameMilliseconds: 20_000, pingMilliseconds: 5_000,
    newestKeysMax: 1 << 16, newestBytesMax: 16 << 20)

  /// For a game's end of its connection to the gateway. It takes frames as large as Muster sends.
  public static let player = ConnectionLimits(
    frameSizeMax: WireLimits.frameSizeMax, outgoingBytesMax: 4 << 20,
    outgoingHighWater: 4 << 20, outgoingLowWater: 1 << 20, handshakeMilliseconds: 10_000,
    idleMilliseconds: 0, partialFrameMilliseconds: 30_000, pingMilliseconds: 30_000,
    unsentBytesMax: 32 << 10)
}

/// The limits of many connections: a copy in each would take 100 bytes.
final class SharedLimits: Sendable {
  let values: ConnectionLimits

  init(_ values: ConnectionLimits) { self.values = values }
}
