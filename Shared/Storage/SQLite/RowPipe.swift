internal import Locking
import Wire

/// Encoded rows, one after the other.
struct RowPage: Sendable {
  /// Large enough that handing pages over costs nothing, small enough to stay in the cache.
  static let bytesFull = 256 << 10

  var bytes = Writer(capacity: RowPage.bytesFull + 4096)
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

  /// What was appended and is not yet a row, up to a place.
  func unfinished(to end: Int) -> ArraySlice<UInt8> { bytes.bytes[lastEnd..<end] }

  mutating func finishRow() { ends.append(bytes.bytes.count) }
  mutating func dropUnfinished() {
    bytes.bytes.removeLast(bytes.bytes.count - lastEnd)
  }

  mutating func removeAll() {
    bytes.bytes.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
  }

  private var lastEnd: Int { ends.last ?? 0 }
}

/// Brings rows from the thread that reads them to the one that takes them, so that both work at once.
/// No more than a few pages are under way, and they are used again.
final class RowPipe: Sendable {
  private static let pagesMax = 4

  private struct State: Sendable {
    var full: [RowPage] = []
    var empty: [RowPage] = []
    var result: Result<Void, StoreError>?
    /// Nobody takes rows any more.
    var isLeft = false
  }

  private let state = Locked(State())

  // MARK: The reading thread

  /// Hands a page over and gives an empty one in its place; false when nobody takes rows any more.
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

  /// Everything was sent, or reading failed.
  func finish(_ result: Result<Void, StoreError>) { change { $0.result = result } }

  // MARK: The taking thread

  /// The next page; nil when all were taken.
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

  /// Nothing more is taken: waits until the reading thread is done with the store.
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
