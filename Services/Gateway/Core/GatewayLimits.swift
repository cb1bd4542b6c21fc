public import Domain
import Wire

extension NumberSetting {
  /// A fast game sends 60 pieces of match data a second and acknowledges as many. A connection on
  /// which no player has signed in has a budget of its own.
  public static let callsPerSecond = NumberSetting(
    "calls-per-second", .count, default: 400, 1...1_000_000,
    "Calls a second of one player on each of the gateway's loops; bursts may hold twice as many. "
      + "Each half KiB that comes counts as one more. Who is over it is not read for a while.")
  /// A household or a school shares an address.
  public static let signInsPerMinute = NumberSetting(
    "sign-ins-per-minute", .count, default: 120, 1...10_000_000,
    "Sign-ins and wrong session tokens a minute from one host: an IPv4 address, or the /64 of an "
      + "IPv6 address.")
  /// Each makes a player, who is kept. A school whose pupils get a game in one lesson is as many.
  public static let signUpsPerHour = NumberSetting(
    "sign-ups-per-hour", .count, default: 300, 1...100_000_000, "Sign-ups an hour from one host.")
  /// A school or a carrier shares a host.
  public static let connectionsPerHost = NumberSetting(
    "connections-per-host", .count, default: 1000, 1...1_000_000,
    "Connections of one host, open at once, and made in a minute.")
  /// A client that is there pings more often than every two minutes.
  public static let clientIdle = NumberSetting(
    "client-idle-seconds", .seconds, default: 120, 1...3600,
    "How long a client may send nothing before its connection is closed.")
  public static let partialFrame = NumberSetting(
    "partial-frame-seconds", .seconds, default: 20, 1...600,
    "How long a client may take from the first byte of a frame to its last.")
  /// A player finds a credential in a moment; whoever has to look for one needs no connection
  /// meanwhile.
  public static let signInTime = NumberSetting(
    "sign-in-seconds", .seconds, default: 30, 5...600,
    "How long a connection may stay on which nobody signs in, however often it pings.")
  /// Short, since a signed token is believed without asking; and whoever resumes a session by it
  /// may repeat the calls of before.
  public static let sessionTokenLifetime = NumberSetting(
    "session-token-seconds", .seconds, default: 3600,
    300...Int(WireLimits.answersKeptMilliseconds / 1000),
    "How long a token resumes a session; a connected client gets a new one after half of that.")
  public static let callDeadline = NumberSetting(
    "call-deadline-seconds", .seconds, default: 10,
    1...Int(GatewayLimits.deadlineMillisecondsMax / 1000),
    "How long a call waits for its answer when the client has set it no deadline.")
}

/// Fixed limits of the gateway. What an operator may change is a setting.
public enum GatewayLimits {
  /// The most calls of one client that are not answered yet, held ones included: enough for any
  /// game, too few to starve other clients.
  public static let openCallsMax = 64
  /// So many bytes that are read, with what TLS adds to them, count as one call more. So one player
  /// sends 200 KB of match data a second by default, by each loop that it is connected to: several
  /// times what fast games send. To take them, and to send as many back, costs a loop some 4 ns
  /// each: 64 players who send nothing but calls of the largest size take 5 percent of a core.
  public static let callSizeCounted = 512
  /// A call counts once more for so many facts that were fetched for it, and for so many of their
  /// bytes: a list of friends weighs as much as twenty calls.
  public static let factsCounted = 8
  public static let factsSizeCounted = 4 << 10
  /// A resumption counts as so many calls of its player: it costs about as much, and who loses the
  /// connection twice a second still comes back.
  public static let resumptionCost = 20
  /// A host may connect so often in a minute, however few connections it may have at once: a bad
  /// network makes many one after the other.
  static let connectionsPerMinuteMin: Int64 = 60
  /// The most hosts, or players, whose budgets are remembered. It bounds the memory that a
  /// distributed attack takes.
  public static let budgetsMax = 65_536
  /// What the queues of all clients hold together: with 34 KB for each of a thousand connections
  /// that read nothing (14 of the TLS library's own, its buffer of 17 for what is written, and 3 of
  /// ours), 44 MiB. A client that is there takes what it is sent, and holds nothing.
  private static let queuedBytesMax = 12 << 20
  /// With many loops each has at least so much, or a few slow clients would be its bound.
  private static let queuedBytesPerLoopMin = 6 << 20
  public static func queuedBytesMax(loops: Int) -> Int {
    max(queuedBytesMax / loops, queuedBytesPerLoopMin)
  }
  /// The longest deadline that a client can set.
  public static let deadlineMillisecondsMax: UInt32 = 30_000
  /// The most event loops of one process. Each loop has a connection to every process of every
  /// service, so this bounds the connections that a service holds for one gateway.
  public static let loopsMax = 256
  /// The most unsent bytes with which a client still gets hints. A client that is further behind
  /// would hear of them too late, and its connection is needed for what it must not miss.
  public static let hintBacklogBytesMax = 64 << 10
  /// What is read from a host on connections where nobody has signed in: far more in a row than a
  /// school's sign-ins have, and after that too little to keep a loop busy.
  static let strangerBytesBurst = 4 << 20
  static let strangerBytesPerSecond = 64 << 10
  /// The most that such a host owes, so that none of its connections is held back for more than two
  /// seconds.
  static let strangerDebtBytesMax = 2 * strangerBytesPerSecond
  /// A client over its budget is not read for at least so long: a flood then costs 20 wake-ups a
  /// second and connection, whatever its budget.
  public static let holdMillisecondsMin: UInt64 = 50
  /// How often it is looked whether a call still keeps a connection on which nobody has signed in
  /// in time.
  static let strangerLookMilliseconds: UInt64 = 1_000
  /// How long an imported identity says that its player is new.
  static let importMilliseconds: Int64 = 60_000
  /// How often the gateway looks for tokens to renew: several times in half of the shortest life.
  public static let renewalCheckMilliseconds: UInt64 = 60_000
  /// How soon the operator is told of a clock that has jumped.
  public static let clockCheckMilliseconds: UInt64 = 1_000
  /// How far the clocks of two gateways may be apart, so that each takes the other's tokens.
  static let clockDifferenceMax: Int64 = 3_600_000
  /// How long a process may take to tell its status. One that is up answers in milliseconds;
  /// whoever asks because one is down must hear of the others before the call's own deadline.
  public static let statusMillisecondsMax: UInt64 = 2_000
  /// The most declared games that are remembered; the request service is asked about others at each
  /// sign-in. Only operators declare games, so this is far above what a deployment has.
  public static let declaredGamesMax = 1024
  /// How long a nonce is good for: long enough for a player to find a password and a second device.
  public static let nonceSeconds: UInt64 = 600
  /// The most proofs that wait for a provider's keys, in the whole process.
  public static let waitingProofsMax = 4096
  /// The most bytes of a game's name.
  public static let gameNameSizeMax = 64
}
