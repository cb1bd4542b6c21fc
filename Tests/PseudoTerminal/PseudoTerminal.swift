internal import Locking
public import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A program on a terminal of the test's own: keys go in, and a picture comes out.
public final class PseudoTerminal {
  public struct Failed: Error, CustomStringConvertible {
    public var description: String

    public init(description: String) { self.description = description }
  }

  public private(set) var picture: TerminalPicture
  /// Everything that the program has written.
  public private(set) var output: [UInt8] = []
  private var controller: Int32
  private let process = Process()

  public init(
    _ program: URL, _ arguments: [String], width: Int, height: Int,
    environment: [String: String] = [:]
  ) throws {
    let name: String
    (controller, name) = try Self.open()
    picture = TerminalPicture(width: width, height: height)
    var size = winsize()
    (size.ws_col, size.ws_row) = (UInt16(width), UInt16(height))
    _ = unsafe ioctl(controller, UInt(TIOCSWINSZ), &size)
    let terminal = unsafe Glibc.open(name, O_RDWR | O_NOCTTY)
    guard terminal >= 0 else { throw Failed(description: "no terminal: \(errno)") }
    let handle = FileHandle(fileDescriptor: terminal, closeOnDealloc: true)
    process.executableURL = program
    process.arguments = arguments
    process.environment = Self.ownEnvironment.merging(environment) { $1 }
    (process.standardInput, process.standardOutput, process.standardError) = (
      handle, handle, handle
    )
    try process.run()
    try handle.close()
  }

  /// What a program inherits: a terminal that shows colours, whatever whoever runs the tests has
  /// asked of theirs.
  private static var ownEnvironment: [String: String] {
    var environment = ProcessInfo.processInfo.environment
    environment["TERM"] = "xterm-256color"
    environment["NO_COLOR"] = nil
    return environment
  }

  /// Opens a pair. The C library's calls for it are hidden behind a feature macro; these are the
  /// kernel's behind them.
  private static func open() throws -> (controller: Int32, terminal: String) {
    let (setLock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)
    var (locked, number): (Int32, UInt32) = (0, 0)
    let controller = unsafe Glibc.open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard controller >= 0, unsafe ioctl(controller, setLock, &locked) == 0,
      unsafe ioctl(controller, getNumber, &number) == 0
    else { throw Failed(description: "no pseudo-terminal: \(errno)") }
    return (controller, "/dev/pts/\(number)")
  }

  deinit {
    if process.isRunning { process.terminate() }
    hangUp()
  }

  /// Takes the terminal away from the program. Nothing more is seen of it.
  public func hangUp() {
    if controller >= 0 { close(controller) }
    controller = -1
  }

  /// Presses keys.
  public func press(_ keys: String) {
    let bytes = Array(keys.utf8)
    _ = unsafe write(controller, bytes, bytes.count)
  }

  /// Sends the program a signal.
  public func signal(_ number: Int32) { kill(process.processIdentifier, number) }

  /// How the program has ended; after `end`.
  public var wasKilled: Bool { process.terminationReason == .uncaughtSignal }

  /// Waits until the picture is as wanted.
  ///
  /// - Throws: what is shown, when the program ends or a minute is over before that.
  public func wait(
    _ what: String, until isWanted: (TerminalPicture) -> Bool
  ) throws {
    let end = ContinuousClock.now + .seconds(60)
    while !isWanted(picture) {
      guard ContinuousClock.now < end, try readMore() else {
        throw Failed(description: "never shown: \(what)\n\(picture.text)")
      }
    }
    if !picture.unknown.isEmpty {
      throw Failed(description: "not known to a terminal: \(picture.unknown)")
    }
  }

  /// Waits until a line of the picture has this text in it.
  public func wait(for text: String) throws {
    try wait(text) { $0.lines.contains { $0.contains(text) } }
  }

  /// Waits until the program has ended, and returns its status. One that goes on for a minute is
  /// killed.
  public func end() throws -> Int32 {
    while try controller >= 0 && readMore() {}
    let hasEnded = Locked(false)
    let program = process.processIdentifier
    Thread.detachNewThread {
      hasEnded.wait(seconds: 60) { $0 }
      if !hasEnded.withLock({ $0 }) { kill(program, SIGKILL) }
    }
    process.waitUntilExit()
    hasEnded.withLock { $0 = true }
    hasEnded.wake()
    return process.terminationStatus
  }

  /// Returns false when the program has closed the terminal, or writes nothing for a minute.
  private func readMore() throws -> Bool {
    var polled = pollfd(fd: controller, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&polled, 1, 60_000) > 0 else { return false }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = unsafe read(controller, &buffer, buffer.count)
    // The system says "input/output error" when nobody has the terminal open any more.
    if count <= 0 { return false }
    output += buffer[..<count]
    picture.take(buffer[..<count])
    return true
  }
}
