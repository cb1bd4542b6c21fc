public import Foundation

/// The scripts in `Tests/Python`: clients in another language, on Python's standard library alone.
public enum Python {
  public static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// False where there is no fitting Python. With MUSTER_NEED_PYTHON=1 its absence is a failure.
  public static var isWanted: Bool {
    ProcessInfo.processInfo.environment["MUSTER_NEED_PYTHON"] == "1" || isThere
  }

  public static let isThere: Bool = {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "python3", "-c",
      "import ssl, sys; sys.exit(not (ssl.HAS_TLSv1_3 and sys.version_info >= (3, 9)))",
    ]
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }()

  /// Starts a script, which finds the field lists by its first option.
  public static func start(_ script: String, _ options: [String], input: Pipe? = nil) throws
    -> ServerProcess
  {
    let schema = root.appending(path: "Shared/Operations/protocol.json").path
    return try ServerProcess(
      name: script, executable: URL(filePath: "/usr/bin/env"),
      arguments: [
        "python3", "-B", root.appending(path: "Tests/Python/\(script)").path, "--schema", schema,
      ] + options, input: input)
  }

  /// Where a script finds a stack.
  public static func options(_ stack: Stack) -> [String] {
    [
      "--gateway", "127.0.0.1:\(stack.gatewayPort)", "--authority", stack.authority,
      "--game", Stack.game,
    ]
  }

  /// Runs `reconnect.py` to its end, and kills the processes that it asks to have killed.
  public static func reconnect(_ stack: Stack, _ options: [String]) async throws -> ServerProcess {
    try await stack.declareGame("other")
    let input = Pipe()
    let script = try start(
      "reconnect.py", Self.options(stack) + ["--other-game", "other"] + options, input: input)
    var count = 0
    do {
      while true {
        let done = count
        guard await script.printed({ kills(in: $0).count > done }) else { break }
        let name = kills(in: script.output)[done]
        try await stack.kill(name)
        try await stack.start(name)
        count += 1
        input.fileHandleForWriting.write(Data("it runs again\n".utf8))
      }
    } catch {
      script.signal(SIGTERM)
      throw error
    }
    await script.ended()
    return script
  }

  /// The processes that the whole lines of an output ask to have killed, in order.
  private static func kills(in output: String) -> [String] {
    output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      .filter { $0.hasPrefix("kill ") }.map { String($0.dropFirst(5)) }
  }

  /// What a stack needs so that nothing but its stream bounds what the script sends.
  public static var reconnectOptions: Stack.Options {
    var options = Stack.Options()
    options.flags["request/1"] = [
      "--request-send-burst", "1000000", "--request-receive-burst", "1000000",
      "--request-receive-per-sender-burst", "1000000", "--inbox-max", "10000",
      "--inbox-per-sender", "5000", "--inbox-total", "100000",
    ]
    return options
  }
}
