package import Transport

/// A game's way to Muster: one session over one connection, which is made again whenever it is
/// lost.
///
/// Calls that are made while the connection is down wait for it. A call whose answer was lost is
/// repeated under the same idempotency key, so it has the effect of one call. Everything happens on
/// one thread, which the clients of a process share: there may be thousands of them.
public actor MusterClient {
  public nonisolated let configuration: MusterConfiguration
  package nonisolated let thread: LoopThread
  nonisolated let status = ClientStatus()
  private let makeLink: @Sendable (Loop) throws(MusterError) -> Link
  private var openCore: ClientCore?

  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe thread.executor.asUnownedSerialExecutor()
  }

  /// Makes a client, which connects when it is first used.
  public init(_ configuration: MusterConfiguration) {
    self.init(configuration, on: ClientThreads.shared.take())
  }

  /// Makes a client on a thread of the caller's, which may end it.
  package init(_ configuration: MusterConfiguration, on thread: LoopThread) {
    self.init(configuration, on: thread) {
      (loop) throws(MusterError) in try Self.link(configuration, on: loop)
    }
  }

  /// Makes a client that reaches the server through the link that `makeLink` returns, for tests in
  /// memory.
  package init(
    _ configuration: MusterConfiguration, on thread: LoopThread,
    makeLink: @escaping @Sendable (Loop) throws(MusterError) -> Link
  ) {
    self.configuration = configuration
    self.thread = thread
    self.makeLink = makeLink
  }

  deinit { status.takeEntrance()?.send(.close) }

  private static func link(_ configuration: MusterConfiguration, on loop: Loop)
    throws(MusterError) -> Link
  {
    let trust: TLSClientContext.Trust =
      switch configuration.trust {
      case .system: .system
      case .authority(let path): .authority(path)
      }
    do {
      let tls = try TLSClientContext.shared(trust: trust, serverName: configuration.serverName)
      return Link(
        on: loop, host: configuration.host, port: configuration.port, tls: tls, limits: .player,
        waitsForConnection: false)
    } catch {
      throw MusterError(.invalidArgument, argument: "trust", error.text)
    }
  }

  /// Returns the client's state on its loop, which is made at the first use.
  func core() throws(MusterError) -> ClientCore {
    if let openCore { return openCore }
    if status.isClosed { throw .clientClosed }
    let core = ClientCore(
      loop: thread.executor.loop(for: self), configuration: configuration, status: status,
      checkThread: { [executor = thread.executor] in executor.checkIsolated() },
      makeLink: makeLink)
    try core.open()
    openCore = core
    status.entrance = core.loop.mailbox { core.handle($0) }
    return core
  }

  // MARK: State

  /// How the client is connected now.
  public nonisolated var state: ConnectionState { status.state }
  /// The session, from sign-in to sign-out, also while the connection is down.
  public nonisolated var session: SessionInfo? { status.session }
  /// The context that the player is in on this client; nil until it has entered one.
  public nonisolated var currentContext: ContextInfo? { status.currentContext }
  /// The state now and each later one. A slow consumer may miss states, but never the newest.
  public nonisolated var states: AsyncStream<ConnectionState> { status.states() }

  /// Ends the connection, every open call and every sequence of events or states. The session stays
  /// valid on the server; call `signOut` first to end it.
  public func close() async {
    status.close()
    openCore?.close()
    openCore = nil
  }
}
