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
  private let before: TerminalState
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
  /// nil where the process has no terminal, and for a task that is cancelled while it waits.
  package static func open(paint: Paint) async -> TerminalScreen? {
    while isTaken { await withCheckedContinuation { waiting.append($0) } }
    if Task.isCancelled { return nil }
    let screen = TerminalScreen(paint: paint)
    isTaken = screen != nil
    return screen
  }

  private init?(paint: Paint) {
    guard TerminalDevice.output.isTerminal, let state = TerminalState.now else { return nil }
    var ends: [Int32] = [0, 0]
    guard unsafe pipe(&ends) == 0 else { return nil }
    (before, stop, self.paint) = (state, (ends[0], ends[1]), paint)
    (events, posting) = AsyncStream.makeStream(of: ScreenEvent.self)
    let (stopped, posting) = (stop.read, posting)
    state.takeScreen()
    SystemThread.start("muster.keys") {
      Self.readKeys(until: stopped, posting)
      // Two threads would take each other's keys: the next screen has the terminal only now.
      Task { @MainActor in Self.handOn() }
    }
  }

  package func close() {
    before.giveScreenBack()
    posting.finish()
    // The thread that reads ends, and closes its end of the pipe.
    closeDescriptor(stop.write)
  }

  private static func handOn() {
    isTaken = false
    for waiter in waiting { waiter.resume() }
    waiting = []
  }

  package func post(_ event: ScreenEvent) { posting.yield(event) }

  /// The columns and lines of the terminal; of one that does not know them what is usual.
  package var size: (width: Int, height: Int) { TerminalDevice.output.size ?? (80, 24) }

  package func show(_ lines: [String]) {
    let drawn = lines.map { $0 + "\u{1b}[K" }.joined(separator: "\r\n")
    TerminalState.write(Array("\u{1b}[H\(drawn)\u{1b}[J".utf8))
  }

  private nonisolated static func readKeys(
    until stopped: Int32, _ posting: AsyncStream<ScreenEvent>.Continuation
  ) {
    defer {
      posting.finish()
      closeDescriptor(stopped)
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

/// The class has a `close` of its own, which hides the system's.
private func closeDescriptor(_ descriptor: Int32) { close(descriptor) }
