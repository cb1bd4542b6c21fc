import BenchStack
import Foundation
import Stack
import Wire

/// Memory for each player who is signed in and silent, at the gateway and the request service, with
/// many of them; beside that of a connection of the C server, with the same TLS modes.
enum IdleBench {
  /// Ours may take so many times as much, and is to take no more than so many bytes.
  private static let (ratioMax, bytesAim) = (1.5, 16.0 * 1024)

  static func run(_ options: BenchOptions, _ sheet: BenchSheet) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("muster-bench-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try Certificates.make(in: folder)
    try await Commands.run("bash", [Commands.source("Baseline/build.sh"), folder.path])
    let baseline = try await baseline(folder, options)
    let (gateway, request) = try await ours(options)
    let all = gateway + request
    Progress.say(
      String(
        format: "  %d players: gateway %.0f and request service %.0f bytes each; C server %.0f",
        options.idle, gateway, request, baseline))
    try sheet.add(
      BenchCase(
        bench: "idle", case: "\(options.idle) players, gateway and request service", unit: "B",
        ours: all, baseline: baseline, ratio: baseline / all),
      BenchCase(
        bench: "idle", case: "\(options.idle) players, gateway alone", unit: "B", ours: gateway,
        baseline: baseline, ratio: baseline / gateway))
    sheet.judge(
      .goal, "idle, bytes of a player at gateway and request service, times the C server's,",
      all / baseline, ratioMax, isAtLeast: false)
    sheet.judge(
      .goal, "idle, bytes of a player at gateway and request service,", all, bytesAim,
      isAtLeast: false)
  }

  private static func ours(_ options: BenchOptions) async throws
    -> (gateway: Double, request: Double)
  {
    var stackOptions = Stack.Options()
    stackOptions.leftOut = [.leaderboard, .context]
    let stack = try Stack(stackOptions)
    do {
      try await stack.start()
      var load = Load()
      load.play = .idle
      load.connections = options.idle
      load.seconds = 3_600
      // The first players pay for what a process needs once.
      load.connections = 64
      let first = try await load.start(on: stack)
      let gateway = try await stack.process("gateway").identifier
      let request = try await stack.process("request/1").identifier
      let before = (try ResidentMemory.bytes(of: gateway), try ResidentMemory.bytes(of: request))
      load.connections = options.idle
      let process = try await load.start(on: stack)
      let after = (try ResidentMemory.bytes(of: gateway), try ResidentMemory.bytes(of: request))
      for process in [first, process] { process.signal(SIGKILL) }
      await stack.stop()
      let count = Double(options.idle)
      return ((after.0 - before.0) / count, (after.1 - before.1) / count)
    } catch {
      await stack.stop()
      throw error
    }
  }

  private static func baseline(_ folder: URL, _ options: BenchOptions) async throws -> Double {
    let server = try Commands.start(
      folder.appendingPathComponent("echo_server").path,
      [
        "--certificate", folder.appendingPathComponent("client.pem").path,
        "--key", folder.appendingPathComponent("client.key").path, "--port", "0",
      ])
    defer { server.signal(SIGKILL) }
    let port = try await server.port()
    let authority = folder.appendingPathComponent("authority.pem").path
    let first = try await Load.startBare(64, port: port, authority: authority)
    defer { first.signal(SIGKILL) }
    let before = try ResidentMemory.bytes(of: server.identifier)
    let load = try await Load.startBare(options.idle, port: port, authority: authority)
    defer { load.signal(SIGKILL) }
    return (try ResidentMemory.bytes(of: server.identifier) - before) / Double(options.idle)
  }
}
