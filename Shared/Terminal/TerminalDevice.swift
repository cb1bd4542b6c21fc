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
  package var width: Int? { reported.flatMap { $0.width > 0 ? $0.width : nil } }

  /// The terminal's columns and lines; nil for what is no terminal, or does not know both.
  package var size: (width: Int, height: Int)? {
    reported.flatMap { $0.width > 0 && $0.height > 0 ? $0 : nil }
  }

  /// What the system says; 0 for what it does not know.
  private var reported: (width: Int, height: Int)? {
    var size = winsize()
    guard isTerminal, unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 else { return nil }
    return (Int(size.ws_col), Int(size.ws_row))
  }
}
