import Locking
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Writes lines to a descriptor on a thread of its own, so that no loop ever waits for whoever
/// reads them: a pipe may be full, a terminal stopped, a disk stuck.
///
/// Lines stay whole and in order. A line that has no room behind those that wait is lost, and so
/// are further ones until the thread takes those that wait; one line in their place then says how
/// many they were. Urgent lines have a reserve, and so may stand behind that line. The descriptor's
/// flags stay as they are, because other processes may share it.
final class LineWriter: Sendable {
  /// Says in one line how many lines were lost.
  typealias Note = @Sendable (_ lostCount: Int) -> String

  /// Of lines that wait, over a thousand: what a busy process has to say while its reader is away
  /// for a moment. The lines that the thread is writing are as many at most.
  static let bytesMax = 256 << 10
  /// Of urgent lines that wait besides, about a hundred: what a process has to say of its fault
  /// before it ends, while others have filled all room.
  static let reserveBytesMax = 16 << 10
  /// A process that ends waits so long at most for the last lines of a stream to be written.
  static let lastLinesSeconds = 1.0

  /// Standard error, where the lines of the log go.
  static let errors: LineWriter = {
    _ = atexit { LineWriter.errors.flush() }
    return LineWriter(STDERR_FILENO, thread: "muster.log")
  }()
  /// Standard output.
  static let output: LineWriter = {
    _ = atexit { LineWriter.output.flush() }
    return LineWriter(STDOUT_FILENO, thread: "muster.output")
  }()

  private struct State: Sendable {
    /// Lines that wait for the thread.
    var text: [UInt8] = []
    var refused = Refused()
    var lostCount: UInt64 = 0
    var note: Note = { "\($0) lines were lost\n" }
  }

  /// Lines that had no room behind those that wait.
  private struct Refused: Sendable {
    var count = 0
    /// Where the first of them would be among the bytes that wait. Only urgent lines are behind it.
    var place = 0
  }

  private let bytesMax: Int
  private let state = Locked(State())
  /// Changed under the lock; a handler of signals reads it without.
  private let hasUnwritten = Atomic(false)

  init(_ descriptor: Int32, bytesMax: Int = LineWriter.bytesMax, thread: String) {
    self.bytesMax = bytesMax
    SystemThread.start(thread) { self.run(descriptor) }
  }

  /// How many lines were not written: they had no room, or the system did not take them.
  var lostCount: UInt64 { state.withLock { $0.lostCount } }

  /// True when every line was written or is lost.
  var isIdle: Bool { !hasUnwritten.load(ordering: .acquiring) }

  /// - Parameters:
  ///   - line: ends with the only end of a line in it.
  ///   - isUrgent: whether it may use the reserve.
  ///   - note: for this line and all that come; nil where the former one is good.
  func write(_ line: String, isUrgent: Bool = false, note: Note? = nil) {
    let isFirst = state.withLock { state in
      let isFirst = state.text.isEmpty
      let room = isUrgent ? bytesMax + Self.reserveBytesMax : bytesMax
      // However long it is, a line has room where no other one waits.
      let hasRoom = isFirst || state.text.count + line.utf8.count <= room
      if let note { state.note = note }
      if hasRoom && (isUrgent || state.refused.count == 0) {
        state.text.append(contentsOf: line.utf8)
        hasUnwritten.store(true, ordering: .releasing)
      } else {
        if state.refused.count == 0 { state.refused.place = state.text.count }
        state.refused.count += 1
        state.lostCount += 1
      }
      return isFirst
    }
    // Behind other lines this one is taken without being told of.
    if isFirst { state.wake() }
  }

  /// Waits until all lines are written, or the time is over.
  func flush(seconds: Double = LineWriter.lastLinesSeconds) {
    state.wait(seconds: seconds) { _ in isIdle }
  }

  private func run(_ descriptor: Int32) {
    var outlet = LineOutlet(descriptor)
    var text: [UInt8] = []
    // Lines that were lost, since that was last told.
    var untoldCount = 0
    while true {
      state.wait { !$0.text.isEmpty }
      let (refused, note) = take(&text)
      var (start, failedCount) = (0, 0)
      while true {
        if start == refused.place { untoldCount += refused.count }
        let mayTell = start < text.count || refused.count > 0
        if mayTell, untoldCount > 0, outlet.takes(note(untoldCount)) { untoldCount = 0 }
        if start == text.count { break }
        let end = LineOutlet.pieceEnd(in: text, from: start)
        // What was refused is told between the lines that were before it and behind it.
        let stop = start < refused.place ? min(end, refused.place) : end
        let lost = outlet.write(text[start..<stop])
        (start, failedCount, untoldCount) = (stop, failedCount + lost, untoldCount + lost)
      }
      finish(failedCount)
    }
  }

  /// Takes the lines that wait, in place of those that were written; both keep their memory.
  ///
  /// - Returns: what of them was refused and is lost, and how to tell it.
  private func take(_ text: inout [UInt8]) -> (refused: Refused, note: Note) {
    text.removeAll(keepingCapacity: text.count <= bytesMax + Self.reserveBytesMax)
    return state.withLock { state in
      swap(&state.text, &text)
      defer { state.refused = Refused() }
      return (state.refused, state.note)
    }
  }

  private func finish(_ failedCount: Int) {
    state.withLock { state in
      state.lostCount += UInt64(failedCount)
      hasUnwritten.store(!state.text.isEmpty, ordering: .releasing)
    }
    state.wake()
  }
}
