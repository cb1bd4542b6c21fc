#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What `--check` does: tries each part of a start that changes nothing, says what it found, and
/// ends with 0, or with every fault and 1.
public struct StartCheck {
  public static let task = "check"
  private let program: String
  /// Each once, however many parts come upon it.
  private var faults: [String]

  /// - Parameter faults: those that are known before.
  public init(_ program: String, _ faults: ConfigurationFaults) {
    self.program = program
    self.faults = faults.error?.texts ?? []
  }

  private mutating func add(_ texts: [String]) {
    for text in texts where !faults.contains(text) { faults.append(text) }
  }

  /// Tries a part. What is found is printed at once; a fault when all parts were tried.
  @discardableResult
  public mutating func part<Found>(
    _ name: String, _ body: () throws -> Found, says text: (Found) -> String
  ) -> Found? {
    do {
      let found = try body()
      SystemFile.write("\(program): \(name): \(text(found))\n", to: STDOUT_FILENO)
      return found
    } catch {
      add((error as? ConfigurationError)?.texts ?? ["\(error)"])
      return nil
    }
  }

  /// Tries the files of the settings for certificates that every process has.
  public mutating func certificateFiles(_ configuration: Configuration) {
    for kind in ["certificate", "key", "authority"] { readable(kind, configuration[kind]) }
  }

  /// Tries a file by itself. Whoever makes a TLS context of several files tells, in the same words,
  /// of the first alone that cannot be read.
  ///
  /// - Parameter path: nil or empty where no file is named.
  public mutating func readable(_ kind: String, _ path: String?) {
    guard let path, !path.isEmpty, unsafe access(path, R_OK) != 0 else { return }
    add(["\(kind) \(path): \(unsafe String(cString: strerror(errno)))"])
  }

  /// Tries the folders of the files that a process writes for others. Without the ready file no
  /// start is complete. A metrics file may wait for its folder, which a unit makes at the start.
  public mutating func folders(_ configuration: Configuration) {
    if let path = configuration["ready-file"] {
      part("ready-file") {
        if let fault = Self.fault(ofFolderOf: path) {
          throw ConfigurationError("--ready-file cannot be written: \(fault)")
        }
      } says: {
        "\(path) can be written"
      }
    }
    if let path = configuration["metrics-file"], !path.isEmpty {
      part("metrics-file") {
        Self.fault(ofFolderOf: path)
      } says: {
        $0.map { "cannot be written as long as this is so: \($0)" } ?? "\(path) can be written"
      }
    }
  }

  /// Nil where files can be made in it.
  private static func fault(ofFolderOf path: String) -> String? {
    let folder = folder(of: path)
    if unsafe access(folder, W_OK | X_OK) == 0 { return nil }
    return "\(folder): \(unsafe String(cString: strerror(errno)))"
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  public func end() -> Never { Self.end(program, faults) }

  static func end(_ program: String, _ faults: [String]) -> Never {
    for fault in faults { SystemFile.write("\(program): \(fault)\n", to: STDERR_FILENO) }
    if !faults.isEmpty { exit(1) }
    SystemFile.write("\(program): it would start\n", to: STDOUT_FILENO)
    exit(ProcessShell.ExitCode.success.rawValue)
  }
}
