@preconcurrency import Foundation

/// What the listings print, line by line: this process's standard output, from now on.
@MainActor public final class Output {
  private let lines: AsyncStream<String>
  /// Where the standard output led before.
  private let screen: FileHandle

  public init() {
    setvbuf(stdout, nil, _IOLBF, 0)
    screen = FileHandle(fileDescriptor: dup(STDOUT_FILENO))
    let pipe = Pipe()
    dup2(pipe.fileHandleForWriting.fileDescriptor, STDOUT_FILENO)
    let (lines, continuation) = AsyncStream.makeStream(of: String.self)
    self.lines = lines
    let (screen, end) = (screen, pipe.fileHandleForReading)
    Thread.detachNewThread {
      var rest = Data()
      while let data = try? end.read(upToCount: 1), !data.isEmpty {
        rest += data
        guard data == Data("\n".utf8) else { continue }
        let line = String(decoding: rest.dropLast(), as: UTF8.self)
        rest = Data()
        screen.write(Data("    | \(line)\n".utf8))
        continuation.yield(line)
      }
      continuation.finish()
    }
  }

  /// Writes a line that no listing has printed.
  public func tell(_ line: String) { screen.write(Data((line + "\n").utf8)) }

  /// Waits for the next line that begins so, and returns the rest of it.
  public func next(_ beginning: String) async throws -> String {
    for await line in lines where line.hasPrefix(beginning) {
      return String(line.dropFirst(beginning.count))
    }
    throw PlayFailure("no listing has printed: \(beginning)")
  }
}
