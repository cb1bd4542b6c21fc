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
  private var faults: [String] = []

  public init(_ program: String) { self.program = program }

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
      faults += (error as? ConfigurationError)?.texts ?? ["\(error)"]
      return nil
    }
  }

  public func end() -> Never { Self.end(program, faults) }

  static func end(_ program: String, _ faults: [String]) -> Never {
    for fault in faults { SystemFile.write("\(program): \(fault)\n", to: STDERR_FILENO) }
    if !faults.isEmpty { exit(1) }
    SystemFile.write("\(program): it would start\n", to: STDOUT_FILENO)
    exit(ProcessShell.ExitCode.success.rawValue)
  }
}
