import Domain
import Wire

/// Calls that wait for the batch under way to be durable before they run, because they may change
/// something: had they run already, every read after them would see what is not durable and have to
/// wait for one batch more. Reads of others run meanwhile; those of the same client wait behind its
/// changes, so that each client sees its own calls in order.
struct HeldCalls {
  /// The disk is too slow for more.
  static let bytesMax = 8 << 20
  static let countMax = 1 << 16

  struct Call {
    var request: Request
    var slot: Int
    var done: (Answer) -> Void
  }

  /// Sessions are numbered by the process on the other end of the link.
  private struct Client: Hashable {
    var link: UInt64
    var session: UInt64

    init(_ request: Request) { (link, session) = (request.link, request.envelope.session) }
  }

  private var calls = Queue<Call>()
  private var countOf: [Client: Int] = [:]
  private var bytes = 0

  var isEmpty: Bool { calls.isEmpty }
  var isFull: Bool { bytes >= Self.bytesMax || calls.count >= Self.countMax }

  /// True when a call of the same client waits.
  func hasOne(of request: Request) -> Bool {
    !calls.isEmpty && countOf[Client(request)] != nil
  }

  mutating func append(_ call: Call) {
    calls.append(call)
    countOf[Client(call.request), default: 0] += 1
    bytes += call.request.body.count
  }

  mutating func removeFirst() -> Call {
    let call = calls.removeFirst()
    let client = Client(call.request)
    if let count = countOf[client], count > 1 {
      countOf[client] = count - 1
    } else {
      countOf[client] = nil
    }
    bytes -= call.request.body.count
    return call
  }
}
