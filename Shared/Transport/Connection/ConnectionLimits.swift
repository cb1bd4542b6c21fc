internal import Wire

/// What one connection may cost, and how long it may stay silent.
public struct ConnectionLimits: Sendable {
  /// Largest frame taken from the peer; a longer one ends the connection before anything is read.
  public var frameSizeMax: Int
  /// Bytes waiting to be sent at which the peer is given up as a slow reader.
  public var outgoingBytesMax: Int
  /// Bytes waiting to be sent at which we stop reading from the peer: it makes no more work.
  public var outgoingHighWater: Int
  /// Bytes waiting to be sent at which we read again.
  public var outgoingLowWater: Int
  /// From the first byte to an open connection.
  public var handshakeMilliseconds: UInt64
  /// Without a frame from the peer; 0 waits for ever.
  public var idleMilliseconds: UInt64
  /// From the first byte of a frame to its last.
  public var partialFrameMilliseconds: UInt64
  /// How long `finish` waits for the peer to take what is queued.
  public var finishMilliseconds: UInt64
  /// A `Link` sends a ping when this long nothing came, and gives up after twice that; 0 never.
  public var pingMilliseconds: UInt64

  public init(
    frameSizeMax: Int, outgoingBytesMax: Int, outgoingHighWater: Int, outgoingLowWater: Int,
    handshakeMilliseconds: UInt64, idleMilliseconds: UInt64, partialFrameMilliseconds: UInt64,
    finishMilliseconds: UInt64 = 2_000, pingMilliseconds: UInt64 = 0
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
  }

  /// A game client at the gateway: a stranger, perhaps on a phone. It may cost us 1 MiB, has ten
  /// seconds for a handshake over a bad network, and pings more often than every two minutes.
  public static let client = ConnectionLimits(
    frameSizeMax: WireLimits.clientFrameSizeMax, outgoingBytesMax: 1 << 20,
    outgoingHighWater: 256 << 10, outgoingLowWater: 64 << 10, handshakeMilliseconds: 10_000,
    idleMilliseconds: 120_000, partialFrameMilliseconds: 20_000)

  /// Between Muster's own processes: few connections that carry many calls each, so they may hold
  /// more. A link pings after five silent seconds, so half a minute of silence is a dead peer.
  public static let server = ConnectionLimits(
    frameSizeMax: WireLimits.frameSizeMax, outgoingBytesMax: 64 << 20,
    outgoingHighWater: 16 << 20, outgoingLowWater: 4 << 20, handshakeMilliseconds: 5_000,
    idleMilliseconds: 30_000, partialFrameMilliseconds: 20_000, pingMilliseconds: 5_000)

  /// A game's end of its connection to the gateway: takes frames as large as Muster sends.
  public static let player = ConnectionLimits(
    frameSizeMax: WireLimits.frameSizeMax, outgoingBytesMax: 4 << 20,
    outgoingHighWater: 4 << 20, outgoingLowWater: 1 << 20, handshakeMilliseconds: 10_000,
    idleMilliseconds: 0, partialFrameMilliseconds: 30_000, pingMilliseconds: 30_000)
}
