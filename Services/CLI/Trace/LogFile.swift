#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A log, line by line: of a file, or what comes on standard input.
struct LogFile {
  /// Stands for standard input.
  static let input = "-"

  var path: String

  /// Hands out each line that contains a text.
  func lines(with text: String, _ body: (String) -> Void) throws(UsageError) {
    let opened = unsafe path == Self.input ? fdopen(STDIN_FILENO, "r") : fopen(path, "r")
    guard let file = unsafe opened else { throw .missing("\(path) cannot be read.") }
    defer { unsafe fclose(file) }
    var line: UnsafeMutablePointer<CChar>?
    var capacity = 0
    defer { unsafe free(line) }
    while true {
      let count = unsafe getline(&line, &capacity, file)
      guard count > 0, let start = unsafe line else { break }
      if unsafe strstr(start, text) == nil { continue }
      let bytes = unsafe UnsafeRawBufferPointer(start: start, count: count)
      body(unsafe String(decoding: bytes, as: UTF8.self).trimmingEnd)
    }
    if unsafe ferror(file) != 0 { throw .missing("\(path) cannot be read.") }
  }
}

extension String {
  /// Without the end of the line.
  fileprivate var trimmingEnd: String {
    var text = self[...]
    while text.last?.isNewline == true { text.removeLast() }
    return String(text)
  }
}
