#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What the system says of a stream that may be a terminal.
package struct TerminalDevice: Sendable {
  package static let output = Self(descriptor: STDOUT_FILENO)
  package static let errors = Self(descriptor: STDERR_FILENO)

  private let descriptor: Int32

  package var isTerminal: Bool { isatty(descriptor) == 1 }

  /// The terminal's columns; nil for what is no terminal, or does not know them.
  package var width: Int? {
    var size = winsize()
    guard isTerminal, unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0
    else { return nil }
    return Int(size.ws_col)
  }
}
