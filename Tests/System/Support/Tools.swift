import Foundation
import Stack
import Testing

/// Programs beside Muster that a test uses: `openssl`, the shell and the `muster` command.
enum Tools {
  static func shell(_ script: String) throws -> ServerProcess {
    try ServerProcess(
      name: "shell", executable: URL(fileURLWithPath: "/bin/bash"), arguments: ["-c", script])
  }

  /// Runs a script to its end; its output and errors when it succeeded.
  static func run(_ script: String) async throws -> String {
    let process = try shell(script)
    guard await process.ended() == 0 else {
      throw ToolFailed(description: "\(script)\n\(process.errors)")
    }
    return process.output
  }

  /// A TLS connection to the gateway for bytes that are not frames. Write to `input`.
  static func openTLS(
    _ stack: Stack, _ input: Pipe, _ options: [String] = ["-quiet"], readsOutput: Bool = true
  ) throws -> ServerProcess {
    try ServerProcess(
      name: "openssl", executable: URL(fileURLWithPath: "/usr/bin/env"),
      arguments: [
        "openssl", "s_client", "-connect", "127.0.0.1:\(stack.gatewayPort)", "-alpn", "muster/1",
        "-CAfile", stack.authority,
      ] + options, input: input, readsOutput: readsOutput)
  }

  /// The `muster` command as a player of the stack would use it.
  static func muster(
    _ stack: Stack, _ arguments: [String], _ environment: [String: String] = [:]
  ) throws -> ServerProcess {
    try ServerProcess(
      name: "muster", executable: Binaries.url("muster"), arguments: arguments,
      environment: musterEnvironment(stack).merging(environment) { $1 })
  }

  /// Where the command finds a stack, and the players who were made there.
  static func musterEnvironment(_ stack: Stack) -> [String: String] {
    [
      "MUSTER_GATEWAY": "127.0.0.1:\(stack.gatewayPort)", "MUSTER_AUTHORITY": stack.authority,
      "MUSTER_PLAYERS": stack.directory.appendingPathComponent("players").path,
      "MUSTER_OPERATOR_SECRET": Stack.operatorSecret,
    ]
  }

  /// Runs the `muster` command to its end, expects that it worked, and returns its output.
  static func muster(
    working stack: Stack, _ arguments: [String], _ location: SourceLocation = #_sourceLocation
  ) async throws -> String {
    let command = try muster(stack, arguments)
    let code = await command.ended()
    #expect(code == 0, "\(arguments): \(command.errors)", sourceLocation: location)
    return command.output
  }

  /// The `muster` command of somebody who has set nothing up.
  static func muster(_ arguments: [String], _ environment: [String: String] = [:]) throws
    -> ServerProcess
  {
    try ServerProcess(
      name: "muster", executable: Binaries.url("muster"), arguments: arguments,
      environment: environment)
  }

  struct ToolFailed: Error, CustomStringConvertible { let description: String }
}

/// Makes a call so many times side by side. Returns the results in the order in which they come.
func atOnce<Result: Sendable>(
  _ count: Int, _ call: @escaping @Sendable () async -> Result
) async -> [Result] {
  await withTaskGroup { group in
    for _ in 0..<count { group.addTask { await call() } }
    return await group.reduce(into: []) { $0.append($1) }
  }
}
