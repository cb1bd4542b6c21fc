package import Dialogs
internal import Locking
package import Terminal

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// What a dialog on the screen waits for.
package enum ScreenEvent: Sendable {
  case key(Key)
  /// Rows for the text that was searched.
  case rows(of: String, Result<[Choices.Row], any Error>)
  case search(MatchSearch.State)
  /// Something else that the screen shows has changed.
  case changed
}

/// The terminal of the process while a dialog is on it: keys come one by one, and the dialog has
/// the whole screen. When it closes, the screen is again what it was.
@MainActor
package final class TerminalScreen {
  private let before: termios
  private let stop: (read: Int32, write: Int32)
  /// What the player types, and what is posted. It ends when the terminal is gone. A key that comes
  /// before a dialog's next step is for that.
  package let events: AsyncStream<ScreenEvent>
  private let posting: AsyncStream<ScreenEvent>.Continuation
  package let paint: Paint

  /// How long an escape that is alone may still become an arrow, in milliseconds: less than a
  /// person notices, and more than a terminal takes between the bytes of a key.
  private nonisolated static let escapeMilliseconds: Int32 = 50

  /// Whether a screen has the terminal, and who waits for it.
  private static var isTaken = false
  private static var waiting: [CheckedContinuation<Void, Never>] = []

  /// Takes the terminal, once no other screen has it: two would restore each other's state. Returns
  /// nil where the process has no terminal.
  package static func open(paint: Paint) async -> TerminalScreen? {
    while isTaken { await withCheckedContinuation { waiting.append($0) } }
    let screen = TerminalScreen(paint: paint)
    isTaken = screen != nil
    return screen
  }

  private init?(paint: Paint) {
    var state = termios()
    guard isatty(STDIN_FILENO) == 1, TerminalDevice.output.isTerminal,
      unsafe tcgetattr(STDIN_FILENO, &state) == 0
    else { return nil }
    var ends: [Int32] = [0, 0]
    guard unsafe pipe(&ends) == 0 else { return nil }
    (before, stop, self.paint) = (state, (ends[0], ends[1]), paint)
    var raw = state
    unsafe cfmakeraw(&raw)
    unsafe tcsetattr(STDIN_FILENO, TCSANOW, &raw)
    (events, posting) = AsyncStream.makeStream(of: ScreenEvent.self)
    let (stopped, posting) = (stop.read, posting)
    SystemThread.start("muster.keys") { Self.readKeys(until: stopped, posting) }
    // The other screen, without a cursor.
    Self.write("\u{1b}[?1049h\u{1b}[?25l")
  }

  package func close() {
    Self.write("\u{1b}[?25h\u{1b}[?1049l")
    var state = before
    unsafe tcsetattr(STDIN_FILENO, TCSANOW, &state)
    Self.isTaken = false
    for waiter in Self.waiting { waiter.resume() }
    Self.waiting = []
    posting.finish()
    // The thread that reads ends, and closes its end of the pipe.
    Glibc.close(stop.write)
  }

  package func post(_ event: ScreenEvent) { posting.yield(event) }

  /// The columns and lines of the terminal; of one that does not know them what is usual.
  package var size: (width: Int, height: Int) { TerminalDevice.output.size ?? (80, 24) }

  package func show(_ lines: [String]) {
    let drawn = lines.map { $0 + "\u{1b}[K" }.joined(separator: "\r\n")
    Self.write("\u{1b}[H\(drawn)\u{1b}[J")
  }

  private nonisolated static func write(_ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count)
      }
      if count < 0 && errno == EINTR { continue }
      if count <= 0 { return }
      rest = rest.dropFirst(count)
    }
  }

  private nonisolated static func readKeys(
    until stopped: Int32, _ posting: AsyncStream<ScreenEvent>.Continuation
  ) {
    defer {
      posting.finish()
      Glibc.close(stopped)
    }
    var parser = KeyParser()
    var buffer = [UInt8](repeating: 0, count: 256)
    while true {
      var polled = [
        pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
        pollfd(fd: stopped, events: Int16(POLLIN), revents: 0),
      ]
      let ready = unsafe poll(&polled, 2, parser.isUndecided ? escapeMilliseconds : -1)
      if ready < 0 && errno == EINTR { continue }
      if ready < 0 || polled[1].revents != 0 { return }
      if ready == 0 {
        for key in parser.flush() { posting.yield(.key(key)) }
        continue
      }
      let count = unsafe read(STDIN_FILENO, &buffer, buffer.count)
      if count <= 0 { return }
      for key in parser.take(buffer[..<count]) { posting.yield(.key(key)) }
    }
  }
}
