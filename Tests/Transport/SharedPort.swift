import Locking
import Testing
import Transport
import Wire

/// An echo server on one port with several loops, each with a TLS context of its own.
final class SharedPort: Sendable {
  /// A call that the server answers by closing the connection.
  static let closing: UInt16 = 9

  let threads: [LoopThread]
  let number: UInt16
  let refused = Promise<CloseReason>()
  /// Why the first connection that never opened did not.
  let failed = Promise<CloseReason>()
  private let isolation = Locked(true)

  /// False once a frame was received on another thread than that of its connection's loop.
  var isEachOnItsLoop: Bool { isolation.withLock { $0 } }

  init(
    _ contexts: [TLSServerContext], _ connectionCountMax: Int, hosts: (any HostGuard)? = nil,
    proxies: TrustedProxies = TrustedProxies()
  ) async throws {
    threads = contexts.indices.map { LoopThread(name: "shared-\($0)") }
    var doors: [Mailbox<AcceptedSocket>] = []
    for (thread, tls) in zip(threads, contexts) {
      doors.append(
        await thread.run { [isolation, failed] loop in
          var limits = ConnectionLimits.server
          // A test may wait for others for longer than a server waits for a peer.
          limits.handshakeMilliseconds = 60_000
          let server = ConnectionServer(on: loop, tls: tls, limits: limits) { _ in
            Self.peer(thread, isolation)
          }
          server.onHandshakeFailure = { _, reason in failed.set(reason) }
          loop.keep(server)
          return loop.mailbox { (socket: AcceptedSocket) in server.serve(socket) }
        })
    }
    number = try await threads[0].run { [doors, refused] loop in
      let acceptor = try Acceptor(
        on: loop, host: "127.0.0.1", port: 0, connectionCountMax: connectionCountMax,
        hosts: hosts, proxies: proxies)
      acceptor.onRefusal = { _, reason in refused.set(reason) }
      var next = 0
      acceptor.start { socket in
        doors[next].send(socket)
        next = (next + 1) % doors.count
      }
      loop.keep(acceptor)
      return acceptor.port
    }
  }

  private static func peer(_ thread: LoopThread, _ isolation: Locked<Bool>) -> Peer {
    let peer = Peer()
    let answer = peer.received
    peer.received = { connection, header, body in
      if thread.executor.isIsolatingCurrentContext() != true { isolation.withLock { $0 = false } }
      if header.opcode == closing {
        connection.close(.local("as asked"))
      } else {
        answer(connection, header, body)
      }
    }
    return peer
  }

  /// What each loop has seen.
  func counts() async -> [ConnectionServer.Counts] {
    var all: [ConnectionServer.Counts?] = []
    for thread in threads {
      all.append(await thread.run { $0.keptObject(ConnectionServer.self)?.counts })
    }
    return all.compactMap { $0 }
  }

  func openCount() async -> Int? {
    await threads[0].run { $0.keptObject(Acceptor.self)?.openCount }
  }

  func acceptedCount() async -> UInt64 {
    await threads[0].run { $0.keptObject(Acceptor.self)?.acceptedCount ?? 0 }
  }

  /// Lets one loop finish with its connections.
  func drain(_ index: Int) async {
    let drained = Promise<Bool>()
    await threads[index].run { loop in
      loop.keptObject(ConnectionServer.self)?.drain(within: 0) { drained.set(true) }
    }
    _ = await drained.value
  }

  func end() async {
    for thread in threads {
      thread.stop()
      await thread.stopped()
    }
  }
}

/// Links to one port, on a loop of their own.
final class Links: Sendable {
  private final class Kept {
    var links: [Link] = []
  }

  private struct Openings {
    var count = 0
    var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let thread = LoopThread(name: "links")
  private let openings = Locked(Openings())

  init(_ tls: TLSClientContext, _ port: UInt16, count: Int) async {
    let openings = openings
    await thread.run { loop in
      let kept = Kept()
      loop.keep(kept)
      for _ in 0..<count {
        let link = Link(on: loop, host: "127.0.0.1", port: port, tls: tls)
        link.onStateChange = { isUp in if isUp { Self.opened(openings) } }
        kept.links.append(link)
      }
    }
  }

  private static func opened(_ openings: Locked<Openings>) {
    let due = openings.withLock { openings in
      openings.count += 1
      let due = openings.waiters.filter { $0.count <= openings.count }
      openings.waiters.removeAll { $0.count <= openings.count }
      return due
    }
    for waiter in due { waiter.continuation.resume() }
  }

  /// Waits until so many connections were opened, counting those that were made again.
  func opened(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isDue = openings.withLock { openings in
        if openings.count < count { openings.waiters.append((count, continuation)) }
        return openings.count >= count
      }
      if isDue { continuation.resume() }
    }
  }

  /// Makes a call over every link; returns how many were answered.
  func call(_ opcode: UInt16 = 1) async -> Int {
    let answered = Promise<Int>()
    await thread.run { loop in
      let links = loop.keptObject(Kept.self)?.links ?? []
      var (ended, succeeded) = (0, 0)
      for link in links {
        link.call(opcode, body: [1], deadlineMilliseconds: 10_000) { result in
          ended += 1
          if case .success = result { succeeded += 1 }
          if ended == links.count { answered.set(succeeded) }
        }
      }
    }
    return await answered.value
  }

  func end() async {
    thread.stop()
    await thread.stopped()
  }
}
