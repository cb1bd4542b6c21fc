public import Foundation
public import Wire

/// A whole deployment on loopback: the processes of the services, and the gateways. It has its own
/// stores, certificates and ports; stopping it removes them all.
public actor Stack {
  public struct Options: Sendable {
    /// How many processes share each service.
    public var partitions = 1
    /// How many gateways there are: "gateway", "gateway/2" and so on.
    public var gateways = 1
    /// What each process is started from at first.
    public var programs = Programs.own
    /// More flags for one process, by its name ("gateway", "request/2").
    public var flags: [String: [String]] = [:]
    /// Variables of one process, by its name, each time that it is started.
    public var environments: [String: [String: String]] = [:]
    /// The data directory of a process, by its name; one in the stack's own folder unless given.
    public var dataDirectories: [String: String] = [:]
    /// The services that the deployment leaves out.
    public var leftOut: Set<Service> = []
    /// How long the certificates of the processes are good.
    public var certificateDays = 365
    public init(partitions: Int = 1) { self.partitions = partitions }
  }

  public static let game = "demo"
  public static let operatorSecret = "operator-secret-of-a-test-deployment"
  public static let authSecret = "auth-secret-of-a-test-deployment-32+"

  public nonisolated let directory: URL
  /// The first gateway's.
  public nonisolated let gatewayPort: UInt16
  public nonisolated let gatewayPorts: [UInt16]
  public nonisolated let serviceNames: [String]
  public nonisolated let gatewayNames: [String]
  private let options: Options
  private let ports: [String: UInt16]
  private var processes: [String: ServerProcess] = [:]
  /// What a process is started from, where that has changed.
  private var programs: [String: Programs] = [:]

  public init(_ options: Options = Options()) throws {
    self.options = options
    directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("muster-stack-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    let services = Service.behindGateway.filter { !options.leftOut.contains($0) }
    serviceNames = services.flatMap { service in
      (1...options.partitions).map { "\(service.name)/\($0)" }
    }
    gatewayNames = (1...options.gateways).map { $0 == 1 ? "gateway" : "gateway/\($0)" }
    let free = try FreePorts.take(serviceNames.count + gatewayNames.count)
    ports = Dictionary(uniqueKeysWithValues: zip(serviceNames + gatewayNames, free))
    gatewayPorts = Array(free.suffix(options.gateways))
    gatewayPort = gatewayPorts[0]
    try Certificates.make(
      in: directory.appendingPathComponent("certificates"), days: options.certificateDays)
  }

  /// All processes, in the order in which they are started.
  public nonisolated var names: [String] { serviceNames + gatewayNames }

  /// The authority that signed the gateway's certificate.
  public nonisolated var authority: String { certificate("authority.pem") }
  public nonisolated func certificate(_ file: String) -> String {
    directory.appendingPathComponent("certificates/\(file)").path
  }

  /// Makes the stores that are not there, starts every process, waits until the gateways serve, and
  /// declares the game. Programs that cannot be told to make a store make it when they start.
  public func start() async throws {
    let stores =
      try serviceNames
      .filter { options.programs.takes("--create-store", Self.program($0)) }
      .map { try creation($0, dataDirectory($0)) }
    for store in stores { try await Self.finish(store) }
    for name in names { processes[name] = try launch(name) }
    for name in names { try await process(name).ready() }
    if !options.leftOut.contains(.request) { try await declareGame(Self.game) }
  }

  /// Makes the store of one process in another folder than its own.
  public func createStore(_ name: String, at dataDirectory: String) async throws {
    try await Self.finish(creation(name, dataDirectory))
  }

  private func creation(_ name: String, _ dataDirectory: String) throws -> ServerProcess {
    try ServerProcess(
      name: name, executable: executable(name),
      arguments: ["--create-store"] + storeFlags(name, dataDirectory))
  }

  private static func finish(_ task: ServerProcess) async throws {
    guard await task.ended() == 0 else {
      throw ServerProcess.Failed(description: "the store of \(task.name): \(task.errors)")
    }
  }

  /// Marks the stores of processes that have ended, after some were put back from backups.
  public func markRestored(_ names: [String]) async throws {
    for name in names {
      try await Self.finish(
        ServerProcess(
          name: name, executable: executable(name),
          arguments: ["--restored"] + storeFlags(name, dataDirectory(name))))
    }
  }

  public func declareGame(_ game: String) async throws {
    let command = try ServerProcess(
      name: "muster", executable: Binaries.url("muster"), arguments: ["game", "declare", game],
      environment: [
        "MUSTER_GATEWAY": "127.0.0.1:\(gatewayPort)", "MUSTER_AUTHORITY": authority,
        "MUSTER_OPERATOR_SECRET": Self.operatorSecret,
      ])
    guard await command.ended() == 0 else {
      throw ServerProcess.Failed(description: "\(game) was not declared: \(command.errors)")
    }
  }

  /// Starts one process again (or for the first time) and waits until it serves.
  public func start(_ name: String) async throws {
    processes[name] = try launch(name)
    try await process(name).ready()
  }

  /// Starts one process with more flags and does not wait until it serves. Tests use it for
  /// processes that must refuse to start.
  public func spawn(
    _ name: String, _ flags: [String] = [], environment: [String: String] = [:],
    isHeld: Bool = false
  ) throws -> ServerProcess {
    try launch(name, flags, environment, isHeld: isHeld)
  }

  /// Starts a process with more flags in place of the one that has ended, and waits until it
  /// serves.
  ///
  /// - Parameter readsErrors: see `ServerProcess`.
  public func restart(_ name: String, _ flags: [String], readsErrors: Bool = true) async throws {
    processes[name] = try launch(name, flags, readsErrors: readsErrors)
    try await process(name).ready()
  }

  public func process(_ name: String) throws -> ServerProcess {
    guard let process = processes[name] else {
      throw ServerProcess.Failed(description: "\(name) was not started")
    }
    return process
  }

  public func port(_ name: String) -> UInt16 { ports[name] ?? 0 }

  /// Stops one process as an operator would, and returns its status.
  public func stop(_ name: String) async throws -> Int32 {
    let process = try process(name)
    process.signal(SIGTERM)
    return await process.ended()
  }

  /// Starts the process that was stopped from other programs, and waits until it serves.
  public func start(_ name: String, from programs: Programs) async throws {
    self.programs[name] = programs
    try await start(name)
  }

  /// Ends one process at once, as a power cut would.
  public func kill(_ name: String) async throws {
    let process = try process(name)
    process.signal(SIGKILL)
    await process.ended()
  }

  /// Stops every process as an operator would, then removes the folder.
  public func stop() async {
    for name in names.reversed() {
      processes[name]?.signal(SIGTERM)
      await processes[name]?.ended()
    }
    try? FileManager.default.removeItem(at: directory)
  }

  private func dataDirectory(_ name: String) -> String {
    options.dataDirectories[name] ?? directory.appendingPathComponent("data/\(name)").path
  }

  private func storeFlags(_ name: String, _ dataDirectory: String) -> [String] {
    let partition = name.split(separator: "/").last ?? "1"
    return ["--partition", "\(partition)/\(options.partitions)", "--data-directory", dataDirectory]
  }

  /// A store that was written before, by a test or a benchmark, may be of any day.
  private func clockFlags(_ name: String) -> [String] {
    let flag = "--clock-ahead-days"
    guard options.dataDirectories[name] != nil, programs(name).takes(flag, Self.program(name))
    else { return [] }
    return [flag, "36500"]
  }

  private static func program(_ name: String) -> String { "muster-\(name.prefix { $0 != "/" })" }

  private func programs(_ name: String) -> Programs { programs[name] ?? options.programs }

  private func executable(_ name: String) -> URL { programs(name).url(Self.program(name)) }

  /// Limits that no test reaches unless it wants to, as far as the program knows them.
  private func wideLimits(_ name: String) -> [String] {
    [
      ("--connections-per-host", "1000000"), ("--calls-per-second", "1000000"),
      ("--sign-ins-per-minute", "10000000"), ("--sign-ups-per-hour", "100000000"),
    ].filter { programs(name).takes($0.0, Self.program(name)) }.flatMap { [$0.0, $0.1] }
  }

  private func launch(
    _ name: String, _ flags: [String] = [], _ more: [String: String] = [:],
    isHeld: Bool = false, readsErrors: Bool = true
  ) throws -> ServerProcess {
    let service = String(name.prefix { $0 != "/" })
    var arguments = [
      "--listen", "127.0.0.1:\(ports[name] ?? 0)",
      "--certificate", certificate("\(service).pem"),
      "--key", certificate("\(service).key"), "--authority", authority,
    ]
    for other in Service.behindGateway {
      let addresses = (1...options.partitions)
        .compactMap { ports["\(other.name)/\($0)"] }.map { "127.0.0.1:\($0)" }
      arguments += [
        "--\(other.name)", addresses.isEmpty ? "none" : addresses.joined(separator: ","),
      ]
    }
    var environment: [String: String] = [:]
    if service == "gateway" {
      arguments += [
        "--client-certificate", certificate("client.pem"),
        "--client-key", certificate("client.key"),
      ]
      arguments += wideLimits(name)
      environment["MUSTER_AUTH_SECRET"] = Self.authSecret
      environment["MUSTER_OPERATOR_SECRET"] = Self.operatorSecret
    } else {
      arguments += storeFlags(name, dataDirectory(name)) + clockFlags(name)
    }
    arguments += (options.flags[name] ?? []) + flags
    environment.merge(options.environments[name] ?? [:]) { $1 }
    var executable = executable(name)
    if isHeld {
      arguments = ["-c", #"echo held; kill -STOP $$; exec "$0" "$@""#, executable.path] + arguments
      executable = URL(fileURLWithPath: "/bin/sh")
    }
    return try ServerProcess(
      name: name, executable: executable, arguments: arguments,
      environment: environment.merging(more) { $1 }, readsErrors: readsErrors)
  }
}
