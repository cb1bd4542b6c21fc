import Foundation
import TestKit
import Testing

@testable import ServiceKit

/// What a process has logged last before it ends.
@Suite(.endsAtLast) struct LastLinesTests {
  /// As many lines as a pipe takes; not all of them are written when the process begins to end.
  private static let lastCount = 500

  private static func expectAll(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    let lines = text.split(separator: "\n").filter { $0.contains(" info last: line number=") }
    #expect(lines.count == lastCount && lines.last?.hasSuffix("=\(lastCount - 1)") == true)
  }

  private static func writeLast(_ count: Int = lastCount) {
    let log = Log(source: "last")
    for number in 0..<count { log.info("line", ["number": "\(number)"]) }
  }

  @Test("the last lines of a process that ends are written")
  func end() async throws {
    let result = try #require(
      await #expect(processExitsWith: .exitCode(3), observing: [\.standardErrorContent]) {
        let reader = try LateReader()
        LastLinesTests.writeLast()
        reader.begin()
        exit(3)
      })
    Self.expectAll(result.standardErrorContent)
  }

  @Test("the last lines of a process that has a fault are written, and it ends as it would have")
  func fault() async throws {
    let aborted = try #require(
      await #expect(processExitsWith: .signal(SIGABRT), observing: [\.standardErrorContent]) {
        let reader = try LateReader()
        LineWriter.keepLastLines()
        LastLinesTests.writeLast()
        reader.begin()
        abort()
      })
    Self.expectAll(aborted.standardErrorContent)
    let raised = try #require(
      await #expect(processExitsWith: .signal(SIGILL), observing: [\.standardErrorContent]) {
        let reader = try LateReader()
        LineWriter.keepLastLines()
        LastLinesTests.writeLast()
        reader.begin()
        raise(SIGILL)
      })
    Self.expectAll(raised.standardErrorContent)
    // The language writes its own line before the fault, and so needs a reader by then.
    let trapped = try #require(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        LineWriter.keepLastLines()
        LastLinesTests.writeLast()
        fatalError("the last line")
      })
    Self.expectAll(trapped.standardErrorContent)
    #expect(String(decoding: trapped.standardErrorContent, as: UTF8.self).contains("the last line"))
  }

  @Test("a process whose log nobody reads ends all the same, by itself or by a fault")
  func unreadEnd() async {
    await #expect(processExitsWith: .exitCode(3)) {
      LastLinesTests.writeUnread()
      exit(3)
    }
    await #expect(processExitsWith: .signal(SIGABRT)) {
      LineWriter.keepLastLines()
      LastLinesTests.writeUnread()
      abort()
    }
  }

  /// Standard error is a pipe from now on that nobody reads, and that is full.
  private static func writeUnread() {
    var ends: [Int32] = [0, 0]
    let isMade = unsafe pipe(&ends) == 0
    precondition(isMade, "there is no pipe")
    dup2(ends[1], STDERR_FILENO)
    writeLast(10 * lastCount)
  }
}
