internal import Locking
import Wire

/// Encoded rows, one after the other in one array of bytes.
struct RowPage: Sendable {
  /// The bytes at which a page counts as full: so many that handing it over costs next to nothing
  /// per row, so few that it stays in the processor's cache.
  static let bytesFull = 256 << 10

  var bytes = Writer(capacity: RowPage.bytesFull + 4096)
  /// Where each finished row ends in `bytes`.
  private var ends: [Int] = []

  var isFull: Bool { bytes.bytes.count >= Self.bytesFull }

  func forEachRow(_ body: (RawSpan) throws -> Void) rethrows {
    let rows = bytes.bytes
    let all = unsafe rows.span.bytes
    var start = 0
    for end in ends {
      try body(all.extracting(start..<end))
      start = end
    }
  }

  /// The bytes of the unfinished row, up to the place `end`.
  func unfinished(to end: Int) -> ArraySlice<UInt8> { bytes.bytes[lastEnd..<end] }

  /// Makes a row of the bytes that were appended since the last one.
  mutating func finishRow() { ends.append(bytes.bytes.count) }
  /// Drops the bytes that were appended since the last finished row.
  mutating func dropUnfinished() {
    bytes.bytes.removeLast(bytes.bytes.count - lastEnd)
  }

  mutating func removeAll() {
    bytes.bytes.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
  }

  private var lastEnd: Int { ends.last ?? 0 }
}

/// Brings rows from the thread that reads them to the thread that takes them, so that both work at
/// once. It holds a few pages at most, and uses each page again.
final class RowPipe: Sendable {
  private static let pagesMax = 4

  private struct State: Sendable {
    /// Pages that wait to be taken, the oldest first.
    var full: [RowPage] = []
    /// Pages that were taken and may be filled again.
    var empty: [RowPage] = []
    /// How reading ended; nil while it goes on.
    var result: Result<Void, StoreError>?
    /// The taking thread has left: it takes no more rows.
    var isLeft = false
  }

  private let state = Locked(State())

  // MARK: The reading thread

  /// Hands a page over and puts an empty one in its place. Returns false when the taking thread has
  /// left, so that reading may stop.
  func send(_ page: inout RowPage) -> Bool {
    state.wait { $0.full.count < Self.pagesMax || $0.isLeft }
    let sent = page
    page = RowPage()
    return change { state in
      if let empty = state.empty.popLast() { page = empty }
      state.full.append(sent)
      return !state.isLeft
    }
  }

  /// Says that every row was sent, or that reading failed.
  func finish(_ result: Result<Void, StoreError>) { change { $0.result = result } }

  // MARK: The taking thread

  /// Waits for the next page and returns it; nil after the last one. Throws the error of a reading
  /// that failed.
  func receive() throws(StoreError) -> RowPage? {
    state.wait { !$0.full.isEmpty || $0.result != nil }
    let (page, result) = state.withLock { state in
      (state.full.isEmpty ? nil : state.full.removeFirst(), state.result)
    }
    state.wake()
    if page == nil { try result?.get() }
    return page
  }

  func giveBack(_ page: consuming RowPage) {
    page.removeAll()
    let empty = page
    state.withLock { $0.empty.append(empty) }
  }

  /// Takes nothing more, and waits until the reading thread is done with the store.
  func waitForEnd() {
    change { $0.isLeft = true }
    state.wait { $0.result != nil }
  }

  private func change<Value>(_ body: (inout State) -> Value) -> Value {
    let value = state.withLock { body(&$0) }
    state.wake()
    return value
  }
}
