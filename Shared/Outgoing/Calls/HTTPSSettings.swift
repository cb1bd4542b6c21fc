/// The bounds of an `HTTPSClient`, and whom it trusts. What it holds at once is at most `callsMax`
/// answers, and the requests of `callsMax` and `waitingMax` calls.
public struct HTTPSSettings: Sendable {
  /// A PEM file of the authorities to trust, and no others; nil trusts those of the system.
  public var authorityFile: String?
  /// For name, connection and handshake.
  public var connectMillisecondsMax = 5_000
  /// For the whole call, with the time that it waits for its turn.
  public var callMillisecondsMax = 15_000
  /// The most bytes of an answer's body. Its head may have 32 KiB besides.
  public var responseBytesMax = 256 << 10
  /// The most calls under way at once.
  public var callsMax = 16
  /// The most calls that wait for their turn; one more is refused with `busy`.
  public var waitingMax = 256
  /// The proxy through which all calls go, as `http://host:port`. Without it calls go straight to
  /// their servers, whatever the environment says.
  public var proxy: String?

  public init() {}
}
