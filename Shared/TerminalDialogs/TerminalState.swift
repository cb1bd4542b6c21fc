#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// How the terminal was before a dialog, and will be after it: also where the process is ended by a
/// signal meanwhile.
struct TerminalState {
  /// The signals by which a process is ended from outside. A terminal in raw mode sends none.
  private static let endings = [SIGTERM, SIGHUP, SIGINT]
  // The other screen, without a cursor.
  private static let enter = Array("\u{1b}[?1049h\u{1b}[?25l".utf8)

  private let settings: termios
  /// Made beforehand, since a signal handler may not allocate.
  private let leave = Array("\u{1b}[?25h\u{1b}[?1049l".utf8)

  /// Nil where the process has no terminal to read from.
  static var now: TerminalState? {
    var settings = termios()
    guard unsafe tcgetattr(STDIN_FILENO, &settings) == 0 else { return nil }
    return TerminalState(settings: settings)
  }

  /// Gives each key to the process as it comes, and the whole screen to a dialog.
  func takeScreen() {
    unsafe restored = self
    for ending in Self.endings { Self.catchEnding(ending) }
    var raw = settings
    unsafe cfmakeraw(&raw)
    unsafe tcsetattr(STDIN_FILENO, TCSANOW, &raw)
    Self.write(Self.enter)
  }

  func giveScreenBack() {
    restore()
    for ending in Self.endings { Self.ignoreEnding(ending) }
  }

  private func restore() {
    Self.write(leave)
    var settings = settings
    unsafe tcsetattr(STDIN_FILENO, TCSANOW, &settings)
  }

  /// A game that has a handler of its own keeps it, and ends as it says.
  private static func catchEnding(_ ending: Int32) {
    let before = signal(ending, onEnding)
    if !isSame(before, SIG_DFL) { _ = signal(ending, before) }
  }

  private static func ignoreEnding(_ ending: Int32) {
    let before = signal(ending, SIG_DFL)
    if !isSame(before, onEnding) { _ = signal(ending, before) }
  }

  /// Runs within a signal handler, where only plain system calls are allowed.
  fileprivate static func end(_ ending: Int32) {
    unsafe restored?.restore()
    _ = signal(ending, SIG_DFL)
    raise(ending)
  }

  static func write(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe writeBytes(STDOUT_FILENO, $0.baseAddress, $0.count)
      }
      if count < 0 && errno == EINTR { continue }
      if count <= 0 { return }
      rest = rest.dropFirst(count)
    }
  }
}

/// What a signal restores. It is set before the handler is, and both are set by the main actor.
private nonisolated(unsafe) var restored: TerminalState?

private let onEnding: @convention(c) (Int32) -> Void = { TerminalState.end($0) }

/// Functions cannot be compared, but the addresses that the system keeps can.
private func isSame(
  _ one: (@convention(c) (Int32) -> Void)?, _ other: (@convention(c) (Int32) -> Void)?
) -> Bool {
  unsafe unsafeBitCast(one, to: Int.self) == unsafeBitCast(other, to: Int.self)
}

/// The type has a `write` of its own, which hides the system's.
private func writeBytes(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  unsafe write(descriptor, bytes, count)
}
