import Domain
import Wire

/// The calls that a `CommitCycle` holds, in the order in which they came.
///
/// They may change something, or are reads behind a change of the same client on the same slot, so
/// that a client sees its calls on a key in order.
struct HeldCalls {
  /// The memory that held calls may take; the disk is too slow for more.
  static let bytesMax = 32 << 20
  /// About how much memory a call takes besides its bytes.
  static let callBytes = 512

  struct Call {
    var request: Request
    var isReadOnly: Bool
    var slot: Int
    var done: (Answer) -> Void
    /// When it came, in milliseconds of a clock that only goes forward.
    var since: UInt64 = 0

    fileprivate var callerSlot: CallerSlot { CallerSlot(request, slot) }
    fileprivate var bytes: Int {
      HeldCalls.callBytes + request.body.count + request.envelope.facts.bytes
    }
  }

  /// The calls of one client on one slot keep their order. Sessions are numbered by the process on
  /// the other end of the link.
  fileprivate struct CallerSlot: Hashable {
    var link: UInt64
    var session: UInt64
    var slot: Int

    init(_ request: Request, _ slot: Int) {
      (link, session, self.slot) = (request.link, request.envelope.session, slot)
    }
  }

  private var calls = Queue<Call>()
  private var countOf: [CallerSlot: Int] = [:]
  private(set) var bytes = 0

  var count: Int { calls.count }
  var isEmpty: Bool { calls.isEmpty }
  var isFull: Bool { bytes >= Self.bytesMax }

  /// True when a call of the same client waits on the slot.
  func hasOne(before request: Request, slot: Int) -> Bool {
    !calls.isEmpty && countOf[CallerSlot(request, slot)] != nil
  }

  mutating func append(_ call: Call) {
    calls.append(call)
    countOf[call.callerSlot, default: 0] += 1
    bytes += call.bytes
  }

  mutating func removeFirst() -> Call {
    let call = calls.removeFirst()
    let callerSlot = call.callerSlot
    guard let count = countOf[callerSlot] else {
      preconditionFailure("a held call was not counted among its client's")
    }
    countOf[callerSlot] = count > 1 ? count - 1 : nil
    bytes -= call.bytes
    precondition(
      !calls.isEmpty || countOf.isEmpty && bytes == 0, "no call is held, and some are counted")
    return call
  }
}

extension Facts {
  /// About how much memory the held calls take.
  fileprivate var bytes: Int {
    all.reduce(0) { $0 + MemoryLayout<Fact>.stride + $1.reply.array.count }
  }
}
