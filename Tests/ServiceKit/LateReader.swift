import Foundation

@testable import ServiceKit

/// Another process that reads this one's standard error from some moment on, and passes it on to
/// whoever has read it before. Until then it is a full pipe, and no line is written.
struct LateReader {
  private let beginning: Int32

  init() throws {
    let (lines, begin) = (Self.ends(), Self.ends())
    let reader = Process()
    reader.executableURL = URL(fileURLWithPath: "/bin/sh")
    reader.arguments = ["-c", "read begin <&2; exec cat"]
    reader.standardInput = FileHandle(fileDescriptor: lines.reading)
    // The one that is replaced below.
    reader.standardOutput = FileHandle(fileDescriptor: dup(STDERR_FILENO))
    reader.standardError = FileHandle(fileDescriptor: begin.reading)
    try reader.run()
    fillPipe(lines.writing)
    dup2(lines.writing, STDERR_FILENO)
    beginning = begin.writing
  }

  /// The pipe is read from now on, also when this process has ended.
  func begin() { SystemFile.write("\n", to: beginning) }

  /// The ends of a pipe, which no other process inherits: the reader ends after this one.
  private static func ends() -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [0, 0]
    let isMade = unsafe pipe(&ends) == 0
    precondition(isMade, "there is no pipe")
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }
}
