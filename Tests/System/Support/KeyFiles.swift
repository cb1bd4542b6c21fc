import Foundation
import MusterKit
import Operations
import Stack
import Testing

/// The files of keys of a stack's gateways, each changed by itself as an operator does.
struct KeyFiles {
  /// A key, as `openssl rand -hex 32` prints one.
  static let key = String(repeating: "5e", count: 32)

  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("muster-keys-\(UUID().uuidString)")

  private func path(of gateway: String) -> String {
    folder.appendingPathComponent(gateway.replacing("/", with: "-")).path
  }

  /// Writes a whole file: its last line is added.
  func write(_ lines: [String], of gateway: String) throws {
    try Data(((lines + ["end"]).joined(separator: "\n") + "\n").utf8).write(
      to: URL(fileURLWithPath: path(of: gateway)), options: .atomic)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o640], ofItemAtPath: path(of: gateway))
  }

  /// Runs a test against a deployment of two gateways, whose files say nothing at first.
  func withGateways(_ body: (Stack) async throws -> Void) async throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var options = Stack.Options()
    options.gateways = 2
    for gateway in ["gateway", "gateway/2"] {
      try write(["# nothing yet"], of: gateway)
      options.flags[gateway] = ["--loops", "2", "--keys-file", path(of: gateway)]
    }
    try await withStack(options) { try await body($0) }
  }

  /// Writes a gateway's file and has the gateway read it; returns when all of its loops use it.
  func change(_ gateway: String, to lines: [String], _ stack: Stack) async throws {
    try write(lines, of: gateway)
    let process = try await stack.process(gateway)
    let count = process.errors.count
    process.signal(SIGHUP)
    #expect(await process.logged("keys in use", after: count), "\(process.errors)")
    #expect(!process.errors.contains(Self.key), "a key is never printed")
  }
}

extension Stack {
  /// How clients find the second gateway.
  nonisolated var secondGateway: MusterConfiguration {
    var configuration = configuration
    configuration.port = gatewayPorts[1]
    return configuration
  }

  nonisolated func isServer(_ credential: String, at place: MusterConfiguration) async -> Bool {
    let client = MusterClient(place)
    let session = try? await client.signInGameServer(game: place.game, credential: credential)
    await client.close()
    return session != nil
  }

  /// What the operator is told to give to a game's servers.
  nonisolated func credential(of game: String = game, at place: MusterConfiguration) async throws
    -> String
  {
    let client = MusterClient(place)
    try await client.signInOperator(secret: Stack.operatorSecret, game: game)
    var operation = GameServerCredential()
    operation.game = game
    let reply = try await client.call(operation)
    await client.close()
    return reply.credential
  }

  nonisolated func signedIn(_ credential: Credential, at place: MusterConfiguration) async throws
    -> MusterClient
  {
    let client = MusterClient(place)
    try await client.signIn(credential)
    return client
  }
}
