internal import Wire

/// How the caller hears of the end of its call.
enum CallCompletion {
  case bytes((Result<[UInt8], Failure>) -> Void)
  /// The kind (reply or error) and the body as it came.
  case forward((FrameKind, RawSpan) -> Void)

  func fail(_ failure: Failure) {
    switch self {
    case .bytes(let completion): completion(.failure(failure))
    case .forward(let completion):
      let bytes = failure.encoded
      unsafe completion(.error, bytes.span.bytes)
    }
  }

  func succeed(_ kind: FrameKind, _ body: RawSpan) {
    switch self {
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

/// The open calls of a link in dense slots: a reply finds its call by index, without hashing.
///
/// A correlation is 20 bits of index and 12 bits of the slot's generation, which is never 0: a reply
/// that comes after its call was given up meets another generation and is dropped.
struct CallTable {
  static let indexBits: UInt32 = 20
  /// Calls that may be open at once.
  static let countMax = 1 << Int(indexBits)
  private static let generationMax: UInt32 = (1 << (32 - indexBits)) - 1

  struct Call {
    var opcode: UInt16
    var deadline: UInt64
    var completion: CallCompletion
    /// Waits for a connection; nil once it was sent.
    var unsentBody: [UInt8]?
  }

  private struct Slot {
    var generation: UInt32 = 1
    var call: Call?
  }

  private var slots: [Slot] = []
  private var free: [UInt32] = []
  private(set) var count = 0
  /// No open call ends before this.
  private var deadlineFloor = UInt64.max

  /// The correlation of the new call, or nil when the table is full.
  mutating func add(_ call: Call) -> UInt32? {
    var index = UInt32(slots.count)
    if let reused = free.popLast() {
      index = reused
    } else if slots.count < Self.countMax {
      slots.append(Slot())
    } else {
      return nil
    }
    precondition(slots[Int(index)].call == nil, "a free slot has an open call")
    deadlineFloor = min(deadlineFloor, call.deadline)
    slots[Int(index)].call = call
    count += 1
    return slots[Int(index)].generation << Self.indexBits | index
  }

  mutating func take(_ correlation: UInt32) -> Call? {
    let index = Int(correlation & (1 << Self.indexBits - 1))
    guard index < slots.count, slots[index].generation == correlation >> Self.indexBits else {
      return nil
    }
    return take(at: index)
  }

  private mutating func take(at index: Int) -> Call? {
    guard let call = slots[index].call else { return nil }
    let generation = slots[index].generation
    slots[index].call = nil
    slots[index].generation = generation == Self.generationMax ? 1 : generation + 1
    free.append(UInt32(index))
    count -= 1
    precondition(count + free.count == slots.count, "a slot is neither free nor has an open call")
    return call
  }

  /// When to look for calls that have expired: at the earliest deadline, or before; nil without calls.
  var earliestDeadline: UInt64? { count == 0 ? nil : deadlineFloor }

  /// Those whose deadline has come, the nearest first.
  mutating func takeExpired(_ now: UInt64) -> [Call] {
    assert(
      slots.allSatisfy { $0.call.map { $0.deadline >= deadlineFloor } ?? true },
      "a call ends before the time until which none was to end")
    if now < deadlineFloor { return [] }
    var expired: [Call] = []
    deadlineFloor = .max
    for index in slots.indices {
      guard let deadline = slots[index].call?.deadline else { continue }
      if deadline <= now, let call = take(at: index) {
        expired.append(call)
      } else {
        deadlineFloor = min(deadlineFloor, deadline)
      }
    }
    return expired.sorted { $0.deadline < $1.deadline }
  }

  /// All calls, or only those that were sent and so are lost with their connection.
  mutating func takeAll(sentOnly: Bool) -> [Call] {
    var taken: [Call] = []
    for index in slots.indices {
      if sentOnly && slots[index].call?.unsentBody != nil { continue }
      if let call = take(at: index) { taken.append(call) }
    }
    return taken
  }

  /// Hands out every call that waits for a connection, and counts it as sent.
  mutating func takeUnsent() -> [(correlation: UInt32, opcode: UInt16, body: [UInt8])] {
    var unsent: [(correlation: UInt32, opcode: UInt16, body: [UInt8])] = []
    for index in slots.indices {
      guard let call = slots[index].call, let body = call.unsentBody else { continue }
      let correlation = slots[index].generation << Self.indexBits | UInt32(index)
      unsent.append((correlation, call.opcode, body))
      slots[index].call?.unsentBody = nil
    }
    return unsent
  }
}
