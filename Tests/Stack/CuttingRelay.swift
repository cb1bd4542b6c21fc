internal import Locking

/// Passes connections on to a port on loopback and cuts each after a number of bytes that comes
/// from a seed: in the middle of a handshake, a record or a message.
public final class CuttingRelay: Sendable {
  private struct State {
    var random: SeededRandom
    var open: [Int: [LoopbackSocket]] = [:]
    var connectionCount = 0
    var cutCount = 0
    var isStopped = false
  }

  public let port: UInt16
  private let target: UInt16
  private let lifetime: ClosedRange<Int>
  private let listener: LoopbackSocket
  private let state: Locked<State>

  /// - Parameter lifetime: the bytes, both directions together, after which a connection is cut. A
  ///   handshake takes about 3,000.
  public init(to target: UInt16, seed: UInt64, lifetime: ClosedRange<Int>) throws {
    self.target = target
    self.lifetime = lifetime
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
      guard let server = LoopbackSocket.connected(to: target) else {
        client.close()
        continue
      }
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
