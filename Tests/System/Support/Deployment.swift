import Foundation
import MusterKit
import Operations
import Stack
import TestKit
import Testing
import Wire

/// Tests against the real processes: one at a time, for each starts them all.
///
/// The first of them share the processor with all other tests and take minutes. What takes longer
/// than this hangs, and the others still have their turn.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct System {}

/// The same for what operators see and do, beside `System`: one deployment leaves half of two cores
/// idle.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct Operating {}

extension Stack {
  nonisolated var configuration: MusterConfiguration {
    MusterConfiguration(
      host: "127.0.0.1", port: gatewayPort, game: Stack.game, trust: .authority(authority),
      callDeadline: .seconds(30))
  }

  /// A new player, signed in.
  nonisolated func player(_ name: String) async throws -> (client: MusterClient, Credential) {
    let client = MusterClient(configuration)
    let credential = try await client.signUp(displayName: name)
    try await client.signIn(credential)
    return (client, credential)
  }

  /// As `player`, over connections that are cut.
  nonisolated func player(_ name: String, through relay: CuttingRelay) async throws
    -> (client: MusterClient, Credential)
  {
    var configuration = configuration
    configuration.port = relay.port
    configuration.serverName = "127.0.0.1"
    let client = MusterClient(configuration)
    let credential = try await client.signUp(displayName: name)
    try await client.signIn(credential)
    return (client, credential)
  }

  nonisolated func declare(_ board: String, _ aggregation: ScoreAggregation = .best) async throws {
    let client = MusterClient(configuration)
    try await client.signInOperator(secret: Stack.operatorSecret, game: Stack.game)
    var define = DefineLeaderboard()
    define.definition.board = board
    define.definition.aggregation = aggregation
    _ = try await client.call(define)
    await client.close()
  }

  /// That every process still does its work: a new player, a context, a score that is kept.
  nonisolated func expectServes(_ location: SourceLocation = #_sourceLocation) async throws {
    let board = "serves-\(UInt32.random(in: 0 ... .max))"
    try await declare(board)
    let (client, _) = try await player("Still here")
    try await client.createSoloContext()
    var submit = SubmitScore()
    submit.board = board
    submit.value = 7
    let reply = try await client.call(submit)
    #expect(reply.entry.rank == 1 && reply.entry.value == 7, sourceLocation: location)
    await client.close()
  }
}

extension Stack.Options {
  /// For a test with very many calls: the gateway writes no line for each.
  static var underLoad: Self {
    var options = Self()
    options.flags["gateway"] = ["--log-level", "info"]
    return options
  }
}

/// Runs a test against a deployment of its own, which must serve at the end as at the beginning.
func withStack(
  _ options: Stack.Options = Stack.Options(), _ location: SourceLocation = #_sourceLocation,
  _ body: (Stack) async throws -> Void
) async throws {
  var options = options
  // What the gateway thinks of one client is of interest only to a test.
  if options.flags["gateway"]?.contains("--log-level") != true {
    options.flags["gateway", default: []] += ["--log-level", "debug"]
  }
  let stack = try Stack(options)
  do {
    try await stack.start()
    try await body(stack)
    // It asks something of every service.
    if options.leftOut.isEmpty { try await stack.expectServes(location) }
  } catch {
    for name in stack.names {
      if let process = try? await stack.process(name), !process.errors.isEmpty {
        print("--- \(name): \(process.errors.suffix(2000))")
      }
    }
    await stack.stop()
    throw error
  }
  await stack.stop()
}
