import CAllocations
import Domain
import Transport
import Wire

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A call as a client makes it or a gateway passes it on: bytes that were made before counting
/// begins.
struct HotCall {
  var opcode: Opcode
  var envelope: [UInt8]
  var operation: [UInt8]

  /// - Parameter tail: follows the operation's fields, as those of a newer client would.
  init<O: Wire.Operation, E: Message>(_ operation: O, _ envelope: E, tail: [UInt8] = []) {
    opcode = O.opcode
    var writer = Writer(capacity: 128)
    envelope.encode(to: &writer)
    self.envelope = writer.bytes
    self.operation = operation.encoded + tail
  }
}

/// An operation that is called over and over.
struct HotPath {
  let name: String
  let link: Link
  /// What is counted.
  var counter: () -> UInt64 = { muster_allocation_count() }
  /// Calls that come first.
  var setUp: [HotCall] = []
  /// The call of this number, from 0; it is made when the last of `setUp` has this reply.
  let call: (Int, [UInt8]) throws -> HotCall
}

/// Runs paths one after the other, and each one's calls one after the other.
final class Trial {
  /// Calls before counting begins: by then what grows has its size.
  static let warmUpCount = 4_096
  static let countedCount = 8_192

  private var paths: [HotPath]
  private var calls: [HotCall] = []
  private var next = 0
  private var hasSetUp = false
  private var begin: UInt64 = 0
  private var found: [(name: String, perCall: Double)] = []
  private var done: ([(name: String, perCall: Double)]) -> Void = { _ in }

  init(_ paths: [HotPath]) { self.paths = paths.reversed() }

  func run(_ done: @escaping ([(name: String, perCall: Double)]) -> Void) {
    self.done = done
    beginPath()
  }

  private func beginPath() {
    guard let path = paths.last else { return done(found) }
    (calls, next, hasSetUp) = (path.setUp, 0, false)
    if calls.isEmpty { repeatCall([]) } else { callNext(path.link) }
  }

  private func repeatCall(_ reply: [UInt8]) {
    let path = paths[paths.count - 1]
    do {
      calls = try (0..<Self.warmUpCount + Self.countedCount).map { try path.call($0, reply) }
    } catch {
      print("\(path.name) cannot begin: \(error)")
      exit(70)
    }
    (next, hasSetUp) = (0, true)
    callNext(path.link)
  }

  private func callNext(_ link: Link) {
    if hasSetUp && next == Self.warmUpCount { begin = paths[paths.count - 1].counter() }
    let call = calls[next]
    next += 1
    unsafe link.forward(
      call.opcode.rawValue, prefix: call.envelope, body: call.operation.span.bytes,
      deadlineMilliseconds: 60_000
    ) { [self] kind, body in
      if kind == .error { fail(call, body) }
      if next < calls.count {
        callNext(link)
      } else if hasSetUp {
        endPath()
      } else {
        repeatCall([UInt8](copying: body))
      }
    }
  }

  private func endPath() {
    let path = paths.removeLast()
    let count = path.counter() - begin
    found.append((path.name, Double(count) / Double(Self.countedCount)))
    path.link.close()
    beginPath()
  }

  private func fail(_ call: HotCall, _ body: RawSpan) -> Never {
    let failure = (try? Failure(decoding: body))?.description ?? "?"
    print("\(call.opcode) was refused: \(failure)")
    exit(70)
  }
}
