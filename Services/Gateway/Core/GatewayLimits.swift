/// Bounds that the gateway holds clients to. Those an operator may want to change are settings; their
/// defaults are here, with the reason.
public enum GatewayLimits {
  /// Calls of one client that are not answered yet, those that wait for others among them: enough for
  /// any game, too few to starve others.
  public static let openCallsMax = 64
  /// Calls a second of one player, on all of its connections to one loop of this gateway, or of one
  /// connection that nobody has signed in on; bursts may hold two seconds' worth. A fast game sends 60
  /// pieces of match data a second and acknowledges as many.
  public static let callsPerSecond = 400
  /// Sign-ups and sign-ins a minute from one address; a household or a school shares one.
  public static let signInsPerMinute = 120
  /// Connections of one host; a school or a carrier shares one.
  public static let connectionsPerHost = 1_000
  /// Hosts or players whose budget is remembered: bounds the memory that a distributed attack takes.
  public static let budgetsMax = 65_536
  /// A call without a deadline of its own.
  public static let deadlineMillisecondsDefault: UInt32 = 10_000
  public static let deadlineMillisecondsMax: UInt32 = 30_000
  /// Validity of a session token. Short, since a signed token is believed without asking.
  public static let tokenSeconds: Int64 = 3600
  /// A connected client gets a new token when the old one has lived so long: half of its life is left
  /// to come back with.
  public static let tokenRenewalSeconds: Int64 = tokenSeconds / 2
  /// Event loops of one process. Each has a connection to every process of every service, so this
  /// bounds what a service must hold for one gateway.
  public static let loopsMax = 256
  /// How often the gateway looks for tokens to renew.
  public static let renewalCheckMilliseconds: UInt64 = 60_000
  /// Bytes of a game's name.
  public static let gameNameSizeMax = 64
}
