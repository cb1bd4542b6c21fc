internal import Locking

/// Passes connections on to a port on loopback and cuts each after a number of bytes that comes
/// from a seed: in the middle of a handshake, a record or a message. Or it cuts none, and is a
/// balancer before several ports.
public final class CuttingRelay: Sendable {
  private struct State {
    var random: SeededRandom
    var open: [Int: [LoopbackSocket]] = [:]
    var connectionCount = 0
    var cutCount = 0
    var isStopped = false
  }

  public let port: UInt16
  private let targets: [UInt16]
  private let lifetime: ClosedRange<Int>
  private let header: @Sendable () -> [UInt8]
  private let listener: LoopbackSocket
  private let state: Locked<State>

  /// - Parameter lifetime: the bytes, both directions together, after which a connection is cut. A
  ///   handshake takes about 3,000.
  public convenience init(to target: UInt16, seed: UInt64, lifetime: ClosedRange<Int>) throws {
    try self.init([target], seed: seed, lifetime: lifetime) { [] }
  }

  /// Gives the connections to these ports in turn, and those to a port at which nobody listens to
  /// the next one.
  ///
  /// - Parameter header: what each connection begins with.
  public convenience init(
    balancing targets: [UInt16], header: @escaping @Sendable () -> [UInt8] = { [] }
  ) throws {
    try self.init(targets, seed: 0, lifetime: .max ... .max, header)
  }

  private init(
    _ targets: [UInt16], seed: UInt64, lifetime: ClosedRange<Int>,
    _ header: @escaping @Sendable () -> [UInt8]
  ) throws {
    self.targets = targets
    self.lifetime = lifetime
    self.header = header
    (listener, port) = try LoopbackSocket.listening()
    state = Locked(State(random: SeededRandom(seed: seed)))
    SystemThread.start("relay") { [self] in accept() }
  }

  /// How many connections were cut so far.
  public var cutCount: Int { state.withLock { $0.cutCount } }

  /// Ends all connections and takes no more.
  public func stop() {
    let open = state.withLock { state in
      state.isStopped = true
      return state.open.values.flatMap { $0 }
    }
    listener.shutDown()
    for socket in open { socket.shutDown() }
  }

  private func accept() {
    while let client = listener.accepted() {
      guard let server = connected() else {
        client.close()
        continue
      }
      _ = server.write(header()[...])
      let sockets = [client, server]
      let opened = state.withLock { state -> (number: Int, bytes: Int)? in
        if state.isStopped { return nil }
        state.connectionCount += 1
        state.open[state.connectionCount] = sockets
        return (state.connectionCount, Int.random(in: lifetime, using: &state.random))
      }
      guard let opened else {
        for socket in sockets { socket.close() }
        continue
      }
      let rest = Locked(opened.bytes)
      let ends = Locked(2)
      for (from, to) in [(client, server), (server, client)] {
        SystemThread.start("relay") { [self] in
          copy(from, to, rest)
          for socket in sockets { socket.shutDown() }
          close(opened.number, ends)
        }
      }
    }
    listener.close()
  }

  /// A connection to the port whose turn it is, or the first after it at which somebody listens.
  private func connected() -> LoopbackSocket? {
    let first = state.withLock { $0.connectionCount }
    for step in targets.indices {
      let target = targets[(first + step) % targets.count]
      if let socket = LoopbackSocket.connected(to: target) { return socket }
    }
    return nil
  }

  /// Copies one direction until the connection ends or has had its bytes.
  private func copy(_ from: LoopbackSocket, _ to: LoopbackSocket, _ rest: Locked<Int>) {
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    while true {
      let count = from.read(into: &buffer)
      if count == 0 { return }
      let left = rest.withLock { rest in
        defer { rest -= count }
        return rest
      }
      let isCut = count > left
      let passed = isCut ? max(0, left) : count
      if !to.write(buffer[..<passed]) { return }
      if isCut {
        // The other direction may come past the end as well before it hears of the cut.
        if left >= 0 { state.withLock { $0.cutCount += 1 } }
        return
      }
    }
  }

  /// Frees a connection's sockets once both directions have ended.
  private func close(_ number: Int, _ ends: Locked<Int>) {
    let left = ends.withLock { ends in
      ends -= 1
      return ends
    }
    if left > 0 { return }
    let sockets = state.withLock { $0.open.removeValue(forKey: number) }
    for socket in sockets ?? [] { socket.close() }
  }
}
