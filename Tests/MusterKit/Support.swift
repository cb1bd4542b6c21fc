import Locking
import Foundation
import MusterKit
import Testing
import Transport

/// A fake server and its loop; clients join the loop, so that a test has one thread.
struct World: Sendable {
  enum Road: Sendable, CaseIterable { case memory, tls }

  let thread = LoopThread(name: "muster-test")
  let road: Road
  let port: UInt16

  init(
    seed: UInt64 = 1, road: Road = .memory, idleMilliseconds: UInt64 = 120_000
  ) async throws {
    self.road = road
    port = try await thread.run { loop in
      let gateway = FakeGateway(loop, seed: seed, idleMilliseconds: idleMilliseconds)
      loop.keep(gateway)
      guard road == .tls else { return 0 }
      let files = Certificates.shared
      let listener = try Listener(
        on: loop, host: "127.0.0.1", port: 0,
        tls: TLSServerContext(
          certificate: files.path("server.pem"), key: files.path("server.key")),
        limits: .client, connectionCountMax: 100
      ) { connection in gateway.accept(connection) }
      return listener.port
    }
  }

  /// Runs on the server's thread.
  func server<Value: Sendable>(_ body: @Sendable (FakeGateway) throws -> Value) async throws
    -> Value
  {
    try await thread.run { loop in try body(#require(loop.keptObject(FakeGateway.self))) }
  }

  func client(_ change: (inout MusterConfiguration) -> Void = { _ in }) -> MusterClient {
    var configuration = MusterConfiguration(
      host: "127.0.0.1", port: port, game: "test",
      trust: .authority(Certificates.shared.path("authority.pem")),
      callDeadline: .seconds(60))
    configuration.retry.delayMin = .milliseconds(1)
    configuration.retry.delayMax = .milliseconds(20)
    change(&configuration)
    if road == .tls { return MusterClient(configuration, on: thread) }
    return MusterClient(configuration, on: thread) { (loop) throws(MusterError) in
      guard let port = loop.keptObject(FakeGateway.self)?.port else {
        throw MusterError(.disconnected, "The loop has ended.")
      }
      return Link(on: loop, to: port, limits: .player, waitsForConnection: false)
    }
  }

  func signedIn(_ change: (inout MusterConfiguration) -> Void = { _ in }) async throws
    -> MusterClient
  {
    let client = client(change)
    let credential = try await client.signUp(displayName: "Ada")
    try await client.signIn(credential)
    return client
  }

  func end() async {
    thread.stop()
    await thread.stopped()
  }
}

/// Runs a test in a world of its own and sees its thread end.
func withWorld(
  seed: UInt64 = 1, road: World.Road = .memory, idleMilliseconds: UInt64 = 120_000,
  _ body: (World) async throws -> Void
) async throws {
  let world = try await World(seed: seed, road: road, idleMilliseconds: idleMilliseconds)
  do {
    try await body(world)
  } catch {
    await world.end()
    throw error
  }
  await world.end()
}

/// A signal that is given once and awaited by anyone.
final class Signal: Sendable {
  private struct State {
    var isGiven = false
    var waiters: [CheckedContinuation<Void, Never>] = []
  }
  private let state = Locked(State())

  func give() {
    let waiters = state.withLock { state in
      state.isGiven = true
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  func wait() async {
    await withCheckedContinuation { continuation in
      let isGiven = state.withLock { state in
        if !state.isGiven { state.waiters.append(continuation) }
        return state.isGiven
      }
      if isGiven { continuation.resume() }
    }
  }
}

/// The error that a call throws, to look at its parts.
func error<Value: Sendable>(_ body: () async throws(MusterError) -> Value) async -> MusterError? {
  do {
    _ = try await body()
    return nil
  } catch {
    return error
  }
}

/// Certificates of a run, made with the openssl command in a folder of its own.
struct Certificates: Sendable {
  let folder: String
  static let shared = Certificates()
  func path(_ name: String) -> String { "\(folder)/\(name)" }

  private init() {
    let number = ProcessInfo.processInfo.processIdentifier
    folder = NSTemporaryDirectory() + "muster-client-\(number)"
    let script = """
      set -e; mkdir -p '\(folder)'; cd '\(folder)'
      key='-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes'
      openssl req -x509 $key -keyout authority.key -out authority.pem -days 30 -subj /CN=authority
      openssl req $key -keyout server.key -out server.csr -subj /CN=server
      printf 'subjectAltName=DNS:localhost,IP:127.0.0.1' > server.ext
      openssl x509 -req -in server.csr -CA authority.pem -CAkey authority.key -days 30 \\
        -CAcreateserial -extfile server.ext -out server.pem
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
}
