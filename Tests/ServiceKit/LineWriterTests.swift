import Foundation
import Locking
import TestKit
import Testing

@testable import ServiceKit

private let lineBytes = 100

/// The line with a number: always of the same length.
private func numbered(_ number: Int) -> String {
  let text = "line \(number) "
  return text + String(repeating: "x", count: lineBytes - 1 - text.utf8.count) + "\n"
}

private let noteOfLoss: LineWriter.Note = { "lost \($0)\n" }

/// Lines for a pipe whose reader is away, or for a descriptor that takes none.
@Suite(.endsAtLast) struct LineWriterTests {
  /// What the lines of a text say: how many lines were written or told to be lost, and which of the
  /// lines is not as it was written, or not in its place.
  private static func parse(_ text: String) -> (count: Int, lost: Int, wrong: String?) {
    var (count, lost) = (0, 0)
    for found in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      if found.hasPrefix("lost "), let number = Int(found.dropFirst(5)) {
        (count, lost) = (count + number, lost + number)
      } else if found + "\n" == numbered(count) {
        count += 1
      } else {
        return (count, lost, String(found))
      }
    }
    return (count, lost, nil)
  }

  private static func isOver(_ text: String, _ count: Int) -> Bool {
    let found = parse(text)
    return found.count == count || found.wrong != nil
  }

  /// Reads what is in a pipe, and what comes, until it is enough; on a thread that may wait.
  private func text(
    of pipe: Pipe, until isEnough: @escaping @Sendable (String) -> Bool
  ) async -> String {
    let descriptor = pipe.fileHandleForReading.fileDescriptor
    return await withCheckedContinuation { continuation in
      SystemThread.start("test.read") {
        var (text, page) = ("", [UInt8](repeating: 0, count: 4096))
        while !isEnough(text) {
          let count = unsafe read(descriptor, &page, page.count)
          if count < 0 && errno == EINTR { continue }
          if count <= 0 { break }
          text += String(decoding: page[..<count], as: UTF8.self)
        }
        continuation.resume(returning: text)
      }
    }
  }

  @Test("whoever has a line waits for no reader; what is lost is told in its place, the rest whole")
  func unread() async {
    let pipe = Pipe()
    defer { withExtendedLifetime(pipe) {} }
    let descriptor = pipe.fileHandleForWriting.fileDescriptor
    let flags = fcntl(descriptor, F_GETFL)
    let writer = LineWriter(descriptor, bytesMax: 8_000, thread: "test.log")
    // Three times what the pipe takes and what waits.
    let count = 2_600
    for number in 0..<count { writer.write(numbered(number), note: noteOfLoss) }
    #expect(writer.lostCount > 0)
    let text = await self.text(of: pipe) { Self.isOver($0, count) }
    let found = Self.parse(text)
    #expect(found.wrong == nil && found.count == count)
    #expect(UInt64(found.lost) == writer.lostCount)
    // There is room again.
    writer.write(numbered(0), note: noteOfLoss)
    let last = await self.text(of: pipe) { !$0.isEmpty }
    #expect(last == numbered(0) && UInt64(found.lost) == writer.lostCount)
    #expect(fcntl(descriptor, F_GETFL) == flags, "others may share it")
  }

  @Test("where another process has made the descriptor one that does not block, lines stay whole")
  func nonBlocking() async {
    let pipe = Pipe()
    defer { withExtendedLifetime(pipe) {} }
    let descriptor = pipe.fileHandleForWriting.fileDescriptor
    #expect(fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) == 0)
    let writer = LineWriter(descriptor, bytesMax: 1 << 20, thread: "test.log")
    let count = 2_000
    for number in 0..<count { writer.write(numbered(number), note: noteOfLoss) }
    let text = await self.text(of: pipe) { Self.isOver($0, count) }
    #expect(Self.parse(text).wrong == nil && writer.lostCount == 0)
    #expect(fcntl(descriptor, F_GETFL) & O_NONBLOCK != 0)
  }

  @Test("as many lines are written at once as a pipe takes whole, and a longer one alone")
  func pieces() {
    let lines = Array((0..<50).map(numbered).joined().utf8)
    let whole = LineOutlet.pieceBytesMax / lineBytes * lineBytes
    #expect(LineOutlet.pieceEnd(in: lines, from: 0) == whole)
    #expect(LineOutlet.pieceEnd(in: lines, from: whole) == lines.count)
    let long = [UInt8](repeating: UInt8(ascii: "y"), count: 5_000) + [LineOutlet.end]
    #expect(LineOutlet.pieceEnd(in: long + lines, from: 0) == 5_001)
    #expect(LineOutlet.pieceEnd(in: lines + long, from: lines.count) == lines.count + 5_001)
  }

  #if os(Linux)
    @Test("lines that the system does not take are told once it takes some again")
    func refused() async {
      await #expect(processExitsWith: .success) {
        let path = NSTemporaryDirectory() + "muster-lines-\(getpid())"
        defer { _ = unsafe unlink(path) }
        let full = unsafe open("/dev/full", O_WRONLY)
        let writer = LineWriter(full, thread: "test.log")
        for number in 0..<3 { writer.write(numbered(number), note: noteOfLoss) }
        writer.flush()
        #expect(writer.lostCount == 3)
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        #expect(dup2(file, full) == full)
        writer.write(numbered(3), note: noteOfLoss)
        writer.flush()
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text == "lost 3\n" + numbered(3))
      }
    }

    @Test("a line that was cut, since its file grew too long, does not run into the next one")
    func cut() async {
      await #expect(processExitsWith: .success) {
        let path = NSTemporaryDirectory() + "muster-cut-\(getpid())"
        defer { _ = unsafe unlink(path) }
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        let kind = Int32(RLIMIT_FSIZE.rawValue)
        signal(SIGXFSZ, SIG_IGN)
        var limits = rlimit()
        unsafe getrlimit(kind, &limits)
        let before = limits.rlim_cur
        limits.rlim_cur = 150
        unsafe setrlimit(kind, &limits)
        let writer = LineWriter(file, thread: "test.log")
        for number in 0..<2 {
          writer.write(numbered(number), note: noteOfLoss)
          writer.flush()
        }
        limits.rlim_cur = before
        unsafe setrlimit(kind, &limits)
        writer.write(numbered(2), note: noteOfLoss)
        writer.flush()
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let lines = text.split(separator: "\n").map { $0 + "\n" }
        #expect(lines.count == 4 && lines[0] == numbered(0))
        #expect(lines[1].count == 51 && lines[2] == "lost 1\n" && lines[3] == numbered(2))
      }
    }
  #endif

  @Test("lost lines of a log are told as one of its lines, and counted as a metric")
  func logLoss() async throws {
    let pipe = Pipe()
    defer { withExtendedLifetime(pipe) {} }
    let writer = LineWriter(
      pipe.fileHandleForWriting.fileDescriptor, bytesMax: 8_000, thread: "test.log")
    let log = Log(source: "muster-request 2/4", levels: Log.Levels(), format: .json, to: writer)
    let count = 2_000
    for number in 0..<count { log[.peers].info("line", ["number": "\(number)"]) }
    let text = await self.text(of: pipe) { text in
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      return lines.count { !$0.contains("were lost") } + lines.map(Self.lost).reduce(0, +) >= count
    }
    let line = try #require(text.split(separator: "\n").first { $0.contains("were lost") })
    #expect(line.contains(#""level":"warning","source":"muster-request 2/4""#))
    #expect(Self.lost(line) > 0 && line.hasSuffix("}"))
    let metrics = Metrics(.process)
    metrics.measure(log)
    #expect(metrics.counter(.lostLines).value == writer.lostCount && writer.lostCount > 0)
  }

  /// How many lines a line of JSON tells to be lost.
  private static func lost(_ line: Substring) -> Int {
    let parts = line.components(separatedBy: #""count":""#)
    return parts.count == 2 ? Int(parts[1].prefix(while: \.isNumber)) ?? 0 : 0
  }
}
