import Locking
import Foundation
import Testing
import Transport
import Wire

/// A value that one side sets, once, and the other awaits.
final class Promise<Value: Sendable>: Sendable {
  private struct State {
    var value: Value?
    var waiters: [CheckedContinuation<Value, Never>] = []
  }
  private let state = Locked(State())

  func set(_ value: Value) {
    let waiters = state.withLock { state in
      if state.value == nil { state.value = value }
      let waiters = state.waiters
      state.waiters = []
      return waiters
    }
    for waiter in waiters { waiter.resume(returning: value) }
  }

  var value: Value {
    get async {
      await withCheckedContinuation { continuation in
        let value = state.withLock { state in
          if state.value == nil { state.waiters.append(continuation) }
          return state.value
        }
        if let value { continuation.resume(returning: value) }
      }
    }
  }
}

/// Runs a test with a loop of its own and sees the loop's thread end.
func withLoop(_ body: (LoopThread) async throws -> Void) async throws {
  let thread = LoopThread(name: "test")
  do {
    try await body(thread)
  } catch {
    thread.stop()
    await thread.stopped()
    throw error
  }
  thread.stop()
  await thread.stopped()
}

/// A delegate made of closures; without any it answers each request with its own body.
final class Peer: ConnectionDelegate {
  var ready: (Connection) -> Void = { _ in }
  var received: (Connection, FrameHeader, [UInt8]) -> Void = { connection, header, body in
    if header.kind == .request {
      connection.send(
        FrameHeader(kind: .reply, opcode: header.opcode, correlation: header.correlation),
        body: body)
    }
  }
  var read: (Int) -> Void = { _ in }
  /// Whether requests that came are still to be answered.
  var owesAnswers = false
  var isStranger = false
  var rests: () -> Void = {}
  var closed: (CloseReason) -> Void = { _ in }
  private(set) var closedCount = 0

  init() {}
  init(closed: Promise<CloseReason>) { self.closed = { closed.set($0) } }

  func connectionReady(_ connection: Connection) { ready(connection) }

  func connection(_ connection: Connection, read byteCount: Int) { read(byteCount) }

  func connection(_ connection: Connection, received header: FrameHeader, body: RawSpan) {
    received(connection, header, unsafe body.withUnsafeBytes { unsafe Array($0) })
  }

  func connectionRests(_ connection: Connection) { rests() }

  func connectionClosed(_ connection: Connection, reason: CloseReason) {
    closedCount += 1
    closed(reason)
  }
}

func request(_ correlation: UInt32, _ opcode: UInt16 = 7) -> FrameHeader {
  FrameHeader(kind: .request, opcode: opcode, correlation: correlation)
}

/// Limits so short that a test can wait for them. A handshake may take as long as a machine with
/// much else to do needs: two ends share a thread, and programs are started for it.
let shortLimits = {
  let client = ConnectionLimits.client
  return ConnectionLimits(
    frameSizeMax: 64 << 10, outgoingBytesMax: 1 << 20,
    outgoingHighWater: client.outgoingHighWater, outgoingLowWater: client.outgoingLowWater,
    handshakeMilliseconds: 60_000, idleMilliseconds: 0, partialFrameMilliseconds: 150,
    finishMilliseconds: 500)
}()

/// Certificates of a run, made with the openssl command in a folder of its own.
struct Certificates: Sendable {
  let folder: String
  func path(_ name: String) -> String { "\(folder)/\(name)" }

  var authority: String { path("authority.pem") }
  var otherAuthority: String { path("other.pem") }

  static let shared = Certificates()

  private init() {
    folder =
      NSTemporaryDirectory() + "muster-transport-\(ProcessInfo.processInfo.processIdentifier)"
    let script = """
      set -e; mkdir -p '\(folder)'; cd '\(folder)'
      key='-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes'
      for ca in authority other; do
        openssl req -x509 $key -keyout $ca.key -out $ca.pem -days 30 -subj /CN=$ca
      done
      sign() {
        openssl req $key -keyout $1.key -out $1.csr -subj /CN=$1
        printf 'subjectAltName=%s' $2 > $1.ext
        openssl x509 -req -in $1.csr -CA authority.pem -CAkey authority.key -days 30 \\
          -CAcreateserial -extfile $1.ext -out $1.pem
      }
      sign server DNS:localhost,IP:127.0.0.1
      sign gateway DNS:gateway.muster
      """
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", script]
    process.standardError = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    do {
      try process.run()
      process.waitUntilExit()
    } catch {
      Issue.record("openssl cannot be run: \(error)")
    }
  }

  func server(
    _ clients: TLSServerContext.ClientCertificates = .none, secret: [UInt8]? = nil
  ) throws -> TLSServerContext {
    try TLSServerContext(
      certificate: path("server.pem"), key: path("server.key"), clientCertificates: clients,
      ticketSecret: secret)
  }

  func client(name: String? = "localhost", authority: String? = nil, certificate: String? = nil)
    throws -> TLSClientContext
  {
    try TLSClientContext(
      trust: .authority(authority ?? self.authority),
      certificate: certificate.map { path($0 + ".pem") },
      key: certificate.map { path($0 + ".key") },
      serverName: name)
  }
}

/// What a listening server of a test tells the test.
struct Seen: Sendable {
  let port: UInt16
  let handshakeFailure = Promise<CloseReason>()
  let closed = Promise<CloseReason>()
  let peerName = Promise<String?>()
  let rested = Promise<Bool>()
}

extension LoopThread {
  /// An echo server over TLS on a free port.
  func serve(
    _ tls: TLSServerContext, limits: ConnectionLimits = shortLimits, connectionCountMax: Int = 100,
    port: UInt16 = 0, onRequest: @escaping @Sendable (Connection) -> Void = { _ in }
  ) async throws -> Seen {
    try await run { loop in
      var made: Seen?
      let listener = try Listener(
        on: loop, host: "127.0.0.1", port: port, tls: tls, limits: limits,
        connectionCountMax: connectionCountMax
      ) { connection in
        guard let made else { return nil }
        made.peerName.set(connection.peerName)
        let peer = Peer(closed: made.closed)
        peer.rests = { made.rested.set(true) }
        let answer = peer.received
        peer.received = { connection, header, body in
          answer(connection, header, body)
          onRequest(connection)
        }
        return peer
      }
      let result = Seen(port: listener.port)
      made = result
      listener.onHandshakeFailure = { _, reason in result.handshakeFailure.set(reason) }
      loop.keep(listener)
      return result
    }
  }

  /// Connects a link to 127.0.0.1 and calls once.
  func callOnce(
    _ port: UInt16, _ tls: TLSClientContext, body: [UInt8] = [1, 2, 3],
    deadlineMilliseconds: UInt64 = 60_000
  ) async -> (Result<[UInt8], Failure>, CloseReason?) {
    let answer = Promise<Result<[UInt8], Failure>>()
    let failure = Promise<CloseReason?>()
    await run { loop in
      let link = Link(on: loop, host: "127.0.0.1", port: port, tls: tls)
      link.onAttemptFailed = { reason in
        failure.set(reason)
        link.close()
      }
      link.call(7, body: body, deadlineMilliseconds: deadlineMilliseconds) { result in
        answer.set(result)
        failure.set(link.lastFailure)
        link.close()
      }
    }
    let (answered, failed) = (await answer.value, await failure.value)
    return (answered, failed)
  }
}

/// A program that talks to a server from outside; ended at the latest by `end`.
final class Program: Sendable {
  private let process: Process
  let output = Promise<String>()

  /// Runs `script` with the shell. With `reads` false, nobody reads what it prints.
  init(_ script: String, reads: Bool = true) throws {
    process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = ["-c", script]
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = reads ? pipe : FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    if !reads { return }
    let output = output
    Thread.detachNewThread {
      let data = pipe.fileHandleForReading.readDataToEndOfFile()
      output.set(String(decoding: data, as: UTF8.self))
    }
  }

  /// Ends the shell and what it started. It has a process group of its own; and it may have been
  /// started on a thread that blocks signals, so that it never sees one that can be blocked.
  func end() { kill(-process.processIdentifier, SIGKILL) }
}
