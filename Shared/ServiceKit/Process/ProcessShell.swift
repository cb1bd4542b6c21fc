import Builds
import Transport
import Wire

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What every process does around its work: reads its configuration, says when it is ready, stops
/// cleanly on a signal, and ends with a code that a supervisor understands (those of `sysexits.h`).
public enum ProcessShell {
  public enum ExitCode: Int32, Sendable {
    case success = 0
    case usage = 64
    /// A port in use, or a file that is missing or cannot be read.
    case unavailable = 69
    /// An outcome is unknown: starting again settles it.
    case software = 70
    case configuration = 78
  }

  /// A fault that ends the process with a sentence.
  public struct Fatal: Error, CustomStringConvertible {
    public var code: ExitCode
    public var description: String

    public init(_ code: ExitCode, _ description: String) {
      self.code = code
      self.description = description
    }
  }

  /// Reads the configuration of a program without tasks, or prints what was asked for and ends.
  public static func configuration(program: String, summary: String, settings: [Setting])
    -> Configuration
  {
    request(program: program, summary: summary, settings: settings).configuration
  }

  /// Reads the configuration and the name of the task that is to be done, if there is one, or
  /// prints what was asked for and ends. Faults end the process, unless a check is to be done: it
  /// gets them, and tells of all else besides.
  public static func request(program: String, summary: String, settings: [Setting])
    -> (configuration: Configuration, task: String?, faults: ConfigurationFaults)
  {
    let arguments = Array(CommandLine.arguments.dropFirst())
    var faults = ConfigurationFaults()
    do throws(ConfigurationError) {
      let request = try Configuration.read(
        settings, arguments: arguments,
        environment: SystemEnvironment.variables(withPrefix: "MUSTER_"), noting: &faults)
      if case .perform(let task, let configuration) = request, task == StartCheck.task {
        return (configuration, task, faults)
      }
      if let error = faults.error { throw error }
      switch request {
      case .run(let configuration): return (configuration, nil, faults)
      case .perform(let task, let configuration): return (configuration, task, faults)
      case .help: print(Help.text(program: program, summary: summary, settings: settings))
      case .version: print("\(program) \(MusterVersion.text) (build \(Build.shown))")
      }
      exit(ExitCode.success.rawValue)
    } catch {
      if arguments.contains("--\(StartCheck.task)") { StartCheck.end(program, error.texts) }
      end(program, Fatal(.usage, error.description))
    }
  }

  public static func log(_ configuration: Configuration, source: String) -> Log {
    LineWriter.keepLastLines()
    return Log(
      source: source,
      levels: (try? Log.Levels(configuration["log-level"] ?? "info")) ?? Log.Levels(),
      format: configuration["log-format"].flatMap { Log.Format(rawValue: $0) } ?? .human)
  }

  /// The first line of a process: what it is.
  public static func logStart(_ log: Log) {
    log.info("starts", ["version": MusterVersion.text, "build": Build.shown])
  }

  public static func end(_ program: String, _ error: any Error) -> Never {
    let fatal =
      error as? Fatal
      ?? (error as? ConfigurationError).map { Fatal(.configuration, $0.description) }
      ?? Fatal(.unavailable, "\(error)")
    for text in fatal.description.split(separator: "\n") {
      say("\(program): \(text)", on: .errors)
    }
    exit(fatal.code.rawValue)
  }

  /// Tells the world that the process serves: one line on standard output, and the ready file.
  public static func announceReady(_ program: String, port: UInt16, _ configuration: Configuration)
    throws
  {
    if let path = configuration["ready-file"] {
      try SystemFile.replace(path, with: "\(port)\n")
    }
    // Whoever started the process may have stopped reading its output, which is no reason not to
    // serve.
    say("\(program) ready on port \(port)", on: .output)
  }

  private static func say(_ line: String, on writer: LineWriter) {
    writer.write("\(line)\n", isUrgent: true)
  }

  /// Milliseconds since 1970 by the system's clock.
  public static func clock() -> Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }

  /// Microseconds since the machine was booted, by a clock that only goes forward. It counts the
  /// time in which the machine was suspended, in which the wall clock goes on too.
  public static func steadyMicroseconds() -> UInt64 {
    var time = timespec()
    #if canImport(Glibc)
      unsafe clock_gettime(CLOCK_BOOTTIME, &time)
    #else
      unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    #endif
    return UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1000
  }
}
