public import Wire

/// Hears of the answers to many calls, each of which it has given a tag: so a call needs no closure
/// of its own.
public protocol CallAnswerer: AnyObject {
  /// The kind is `reply` or `error`. The body is as it came, and valid for the length of the call.
  func answered(_ tag: UInt64, _ kind: FrameKind, _ body: RawSpan)
}

/// How the caller hears of the answer to its call.
enum CallCompletion {
  /// The caller gets the body of the reply, or a failure.
  case bytes((Result<[UInt8], Failure>) -> Void)
  /// The caller gets the kind (reply or error) and the body as it came, without a copy.
  case forward((FrameKind, RawSpan) -> Void)
  case tagged(any CallAnswerer, UInt64)

  func fail(_ failure: Failure) {
    switch self {
    case .bytes(let completion): completion(.failure(failure))
    case .forward(let completion):
      let bytes = failure.encoded
      unsafe completion(.error, bytes.span.bytes)
    case .tagged(let answerer, let tag):
      let bytes = failure.encoded
      unsafe answerer.answered(tag, .error, bytes.span.bytes)
    }
  }

  func succeed(_ kind: FrameKind, _ body: RawSpan) {
    switch self {
    case .tagged(let answerer, let tag): answerer.answered(tag, kind, body)
    case .forward(let completion): completion(kind, body)
    case .bytes(let completion):
      if kind == .reply {
        completion(.success([UInt8](copying: body)))
        return
      }
      do {
        completion(.failure(try Failure(decoding: body)))
      } catch {
        completion(.failure(Failure(.malformed, "the peer's error cannot be read: \(error)")))
      }
    }
  }
}

/// The open calls of a link, in an array: a reply finds its call by index, without hashing.
///
/// A correlation is 20 bits of index and 12 bits of the place's generation, which is never 0. A
/// reply that comes after its call was given up meets another generation and is dropped.
struct CallTable {
  static let indexBits: UInt32 = 20
  /// The most calls that may be open at once.
  static let countMax = 1 << Int(indexBits)
  private static let generationMax: UInt32 = (1 << (32 - indexBits)) - 1

  struct Call {
    var opcode: UInt16
    /// When the call is given up, in milliseconds of the loop's clock.
    var deadline: UInt64
    var completion: CallCompletion
    /// The body of a call that waits for a connection; nil once the call was sent.
    var unsentBody: [UInt8]?
    /// When it was made, by the same clock.
    var began: UInt64 = 0
    /// Counts the calls of the table; set by `add`.
    fileprivate(set) var number: UInt64 = 0
  }

  /// A call that has waited for a connection.
  struct Unsent {
    var correlation: UInt32
    var opcode: UInt16
    var body: [UInt8]
    /// See `Call`.
    var deadline: UInt64
  }

  private struct Place {
    var generation: UInt32 = 1
    var call: Call?
  }

  private var places: [Place] = []
  /// Indices of the places without a call.
  private var freeIndices: [UInt32] = []
  private(set) var count = 0
  private var addedCount: UInt64 = 0
  /// A time that no open call's deadline is before.
  private var deadlineFloor = UInt64.max

  /// Adds a call and returns its correlation; nil when the table is full.
  mutating func add(_ call: consuming Call) -> UInt32? {
    var index = UInt32(places.count)
    if let reused = freeIndices.popLast() {
      index = reused
    } else if places.count < Self.countMax {
      places.append(Place())
    } else {
      return nil
    }
    precondition(places[Int(index)].call == nil, "a free place has an open call")
    deadlineFloor = min(deadlineFloor, call.deadline)
    call.number = addedCount
    places[Int(index)].call = call
    addedCount += 1
    count += 1
    return places[Int(index)].generation << Self.indexBits | index
  }

  /// Takes out the call with this correlation; nil when there is none any more.
  mutating func take(_ correlation: UInt32) -> Call? {
    let index = Int(correlation & (1 << Self.indexBits - 1))
    guard index < places.count, places[index].generation == correlation >> Self.indexBits else {
      return nil
    }
    return take(at: index)
  }

  private mutating func take(at index: Int) -> Call? {
    guard let call = places[index].call.take() else { return nil }
    let generation = places[index].generation
    places[index].generation = generation == Self.generationMax ? 1 : generation + 1
    freeIndices.append(UInt32(index))
    count -= 1
    precondition(
      count + freeIndices.count == places.count, "a place is neither free nor has an open call")
    return call
  }

  /// When to look for expired calls: not after the earliest deadline; nil when no call is open.
  var earliestDeadline: UInt64? { count == 0 ? nil : deadlineFloor }

  /// Takes out the calls whose deadline has come, in the order of deadlines.
  mutating func takeExpired(_ now: UInt64) -> [Call] {
    assert(
      places.allSatisfy { $0.call.map { $0.deadline >= deadlineFloor } ?? true },
      "a call ends before the time until which none was to end")
    if now < deadlineFloor { return [] }
    var expired: [Call] = []
    deadlineFloor = .max
    for index in places.indices {
      guard let deadline = places[index].call?.deadline else { continue }
      if deadline <= now, let call = take(at: index) {
        expired.append(call)
      } else {
        deadlineFloor = min(deadlineFloor, deadline)
      }
    }
    return expired.sorted { $0.deadline < $1.deadline }
  }

  /// Takes out all calls, or only those that were sent and so are lost with their connection. They
  /// come in the order in which they were added.
  mutating func takeAll(sentOnly: Bool) -> [Call] {
    var taken: [Call] = []
    for index in places.indices {
      if sentOnly && places[index].call?.unsentBody != nil { continue }
      if let call = take(at: index) { taken.append(call) }
    }
    return taken.sorted { $0.number < $1.number }
  }

  /// Returns every call that waits for a connection, in the order in which they were added, and
  /// counts them as sent.
  mutating func takeUnsent() -> [Unsent] {
    var unsent: [(number: UInt64, call: Unsent)] = []
    for index in places.indices {
      guard let call = places[index].call, let body = call.unsentBody else { continue }
      let correlation = places[index].generation << Self.indexBits | UInt32(index)
      unsent.append(
        (
          call.number,
          Unsent(
            correlation: correlation, opcode: call.opcode, body: body, deadline: call.deadline)
        ))
      places[index].call?.unsentBody = nil
    }
    return unsent.sorted { $0.number < $1.number }.map(\.call)
  }
}
