import Foundation
import Locking
import TestKit
import Testing

@testable import ServiceKit

/// What has room when other lines have filled all of it. The reader is away until all is written,
/// so that the thread takes lines once at most before.
@Suite(.endsAtLast) struct UrgentLineTests {
  private static let bytesMax = 8_000
  private static let lineBytes = 100

  private static func numbered(_ number: Int) -> String {
    let text = "line \(number) "
    return text + String(repeating: "x", count: lineBytes - 1 - text.utf8.count) + "\n"
  }

  /// What is written of lines of which some are urgent, and of what tells of the others.
  private func lines(_ count: Int, isUrgent: (Int) -> Bool) async -> [String] {
    let pipe = Pipe()
    defer { withExtendedLifetime(pipe) {} }
    fillPipe(pipe.fileHandleForWriting.fileDescriptor)
    let writer = LineWriter(
      pipe.fileHandleForWriting.fileDescriptor, bytesMax: Self.bytesMax, thread: "test.log")
    for number in 0..<count {
      writer.write(Self.numbered(number), isUrgent: isUrgent(number)) { "lost \($0)\n" }
    }
    return await readLines(pipe) { Self.count($0) >= count }
  }

  /// How many lines one line stands for: itself, or those that it tells to be lost.
  private static func count(_ line: String) -> Int {
    guard line.contains("lost") else { return 1 }
    let text = line.components(separatedBy: #""count":""#).last ?? line
    return Int(text.drop { !$0.isNumber }.prefix(while: \.isNumber)) ?? 0
  }

  private static func count(_ lines: [String]) -> Int {
    lines.reduce(0) { $0 + count($1) }
  }

  /// Reads on a thread that may wait, until the lines are enough.
  private func readLines(
    _ pipe: Pipe, until isEnough: @escaping @Sendable ([String]) -> Bool
  ) async -> [String] {
    let descriptor = pipe.fileHandleForReading.fileDescriptor
    return await withCheckedContinuation { continuation in
      SystemThread.start("test.read") {
        var (bytes, page) = ([UInt8](), [UInt8](repeating: 0, count: 4096))
        var lines: [String] = []
        while !isEnough(lines) {
          let count = unsafe read(descriptor, &page, page.count)
          if count < 0 && errno == EINTR { continue }
          if count <= 0 { break }
          bytes += page[..<count]
          let whole = bytes.lastIndex(of: LineOutlet.end).map { bytes[...$0] } ?? []
          lines += whole.split(separator: LineOutlet.end).map {
            String(decoding: $0, as: UTF8.self)
          }
          bytes.removeFirst(whole.count)
        }
        continuation.resume(returning: lines)
      }
    }
  }

  @Test("urgent lines have room where others have none, behind what tells of a loss")
  func reserve() async {
    let lines = await self.lines(600) { $0 == 299 || $0 == 599 }
    #expect(Self.count(lines) == 600)
    let whole = lines.filter { !$0.hasPrefix("lost ") }.map { $0 + "\n" }
    let wanted = (0..<600).map(Self.numbered).filter { whole.contains($0) }
    #expect(whole == wanted, "in order, and whole")
    #expect(whole.contains(Self.numbered(299)) && whole.last == Self.numbered(599))
    #expect(lines.last?.hasPrefix("line ") == true, "the loss was before the last line")
    // What the thread has taken, and what waits; the reserve is not for others.
    #expect(whole.count <= 2 * (Self.bytesMax / Self.lineBytes + 1))
  }

  @Test("the reserve has a bound: urgent lines that have filled it are lost")
  func bound() async {
    let lines = await self.lines(1_000) { _ in true }
    let max = 2 * ((Self.bytesMax + LineWriter.reserveBytesMax) / Self.lineBytes + 1)
    #expect(lines.count { $0.hasPrefix("line ") } <= max)
    #expect(Self.count(lines) == 1_000)
  }

  @Test("warnings and errors of a log are urgent, and a line without a note leaves the log's")
  func log() async {
    let pipe = Pipe()
    defer { withExtendedLifetime(pipe) {} }
    let descriptor = pipe.fileHandleForWriting.fileDescriptor
    fillPipe(descriptor)
    let writer = LineWriter(descriptor, bytesMax: Self.bytesMax, thread: "test.log")
    let log = Log(
      source: "test", levels: Log.Levels(general: .debug), format: .json, to: writer)
    for _ in 0..<2 {
      for number in 0..<300 { log.debug("line", ["number": "\(number)"]) }
      log.warning("slow")
      log.error("store failed")
      writer.write("the end\n", isUrgent: true)
    }
    let lines = await readLines(pipe) { Self.count($0) >= 2 * 303 }
    for text in [#""slow""#, #""store failed""#, "the end"] {
      #expect(lines.count { $0.contains(text) } == 2, "\(text)")
    }
    #expect(lines.contains { $0.contains("lines of the log were lost") && $0.hasSuffix("}") })
    #expect(!lines.contains { $0.contains(" lines were lost") })
  }
}
