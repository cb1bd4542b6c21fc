package import Transport

/// A game's door to Muster: one session over one connection that is made again whenever it is lost.
///
/// Calls made while the connection is down wait for it; a call whose answer was lost is repeated
/// under the same idempotency key, so it has the effect of one. Everything happens on one thread of
/// the client's own, or on one that several clients share.
public actor MusterClient {
  public nonisolated let configuration: MusterConfiguration
  nonisolated let thread: LoopThread
  nonisolated let ownsThread: Bool
  nonisolated let board = ClientBoard()
  private let makeLink: @Sendable (Loop) throws(MusterError) -> Link
  private var heart: ClientCore?

  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe thread.executor.asUnownedSerialExecutor()
  }

  /// Connects when it is first used.
  public init(_ configuration: MusterConfiguration) {
    self.init(configuration, on: LoopThread(name: "muster-client"), ownsThread: true) {
      (loop) throws(MusterError) in try Self.link(configuration, on: loop)
    }
  }

  /// Runs beside other clients on `thread`: for tools that play many players at once.
  package init(_ configuration: MusterConfiguration, on thread: LoopThread) {
    self.init(configuration, on: thread, ownsThread: false) {
      (loop) throws(MusterError) in try Self.link(configuration, on: loop)
    }
  }

  /// Finds the server by `makeLink`, for tests in memory.
  package init(
    _ configuration: MusterConfiguration, on thread: LoopThread, ownsThread: Bool = false,
    makeLink: @escaping @Sendable (Loop) throws(MusterError) -> Link
  ) {
    self.configuration = configuration
    self.thread = thread
    self.ownsThread = ownsThread
    self.makeLink = makeLink
  }

  deinit { if ownsThread { thread.stop() } }

  private static func link(_ configuration: MusterConfiguration, on loop: Loop)
    throws(MusterError) -> Link
  {
    let trust: TLSClientContext.Trust =
      switch configuration.trust {
      case .system: .system
      case .authority(let path): .authority(path)
      }
    do {
      let tls = try TLSClientContext(trust: trust, serverName: configuration.serverName)
      return Link(
        on: loop, host: configuration.host, port: configuration.port, tls: tls, limits: .player,
        waitsForConnection: false)
    } catch {
      throw MusterError(.invalidArgument, argument: "trust", error.text)
    }
  }

  /// The client's state on its loop; made by whoever needs it first.
  func core() throws(MusterError) -> ClientCore {
    if let heart { return heart }
    if board.isClosed { throw MusterError(.disconnected, "This client was closed.") }
    let core = ClientCore(
      loop: thread.executor.loop(for: self), configuration: configuration, board: board,
      checkThread: { [executor = thread.executor] in executor.checkIsolated() },
      makeLink: makeLink)
    try core.open()
    heart = core
    return core
  }

  // MARK: State

  /// How the client is connected now.
  public nonisolated var state: ConnectionState { board.state }
  /// The session, from sign-in to sign-out, also while the connection is down.
  public nonisolated var session: SessionInfo? { board.session }
  /// The context that the player is in on this client; nil until it has entered one.
  public nonisolated var currentContext: ContextInfo? { board.currentContext }
  /// The state now and each later one. A consumer that is slow misses states, never the newest.
  public nonisolated var states: AsyncStream<ConnectionState> { board.states() }

  /// Ends the connection, every open call and every sequence. The session stays valid on the server:
  /// sign out first to end it.
  public func close() async {
    board.close()
    heart?.close()
    heart = nil
    if ownsThread {
      thread.stop()
      await thread.stopped()
    }
  }
}
