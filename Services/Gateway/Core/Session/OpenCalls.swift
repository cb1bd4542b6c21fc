import Wire

/// Names an open call of one client. It outlives the call harmlessly: an answer that comes after
/// the call has ended finds nothing.
public struct CallToken: Hashable, Sendable, RawRepresentable {
  let place: UInt32
  let generation: UInt32

  init(place: UInt32, generation: UInt32) { (self.place, self.generation) = (place, generation) }

  public init(rawValue: UInt64) {
    place = UInt32(truncatingIfNeeded: rawValue)
    generation = UInt32(truncatingIfNeeded: rawValue >> 32)
  }

  public var rawValue: UInt64 { UInt64(generation) << 32 | UInt64(place) }
}

/// A client's call with live data, which waits for nothing and was passed on as it came.
struct RelayedCall {
  let header: FrameHeader
  let trace: UInt64
  let deadlineMilliseconds: UInt32
  let key: RoutingKey
}

/// A client's call from its arrival to its answer.
struct OpenCall {
  enum Stage {
    /// Waits for calls that came before it; nothing was done for it.
    case waiting
    /// Waits for its facts.
    case fetching
    /// A service, or the gateway itself, answers it.
    case underWay
  }

  let header: FrameHeader
  /// A copy of the operation's bytes, made when the call has to wait; nil once it was passed on.
  var copiedOperation: [UInt8]?
  /// Its number among the calls of the connection, from 1.
  let arrival: UInt64
  /// On the gateway's monotonic clock, counted from the arrival.
  let deadline: UInt64
  /// Changes who the connection's calls come from: see `Operation.changesSession`.
  let changesSession: Bool
  /// Waits for no other call than one that changes the session.
  let isLive: Bool
  var stage = Stage.waiting
  /// Its principal, session and routing key are filled in when the call is routed.
  var envelope: ServiceEnvelope
  var isRouted = false
  /// Nil for a call that needs no facts.
  var facts: CallFacts?

  var opcode: Opcode { Opcode(rawValue: header.opcode) }
  var needsFacts: Bool { facts.map { !$0.isComplete } ?? false }

  /// The operation's bytes, of a call that has waited.
  var operation: [UInt8] {
    guard let copiedOperation else {
      preconditionFailure("the bytes of a call are used, and were not copied")
    }
    return copiedOperation
  }

  /// Marks the call as under way. Its envelope gets the time that is left and the facts. Returns
  /// where it goes, and its bytes if they were copied.
  mutating func leave(now: UInt64) -> (service: Service, key: RoutingKey, operation: [UInt8]?) {
    precondition(isRouted && !needsFacts && deadline > now, "a call is sent on before it is ready")
    guard let service = opcode.service else { preconditionFailure("no service has \(opcode)") }
    stage = .underWay
    envelope.deadlineMilliseconds = UInt32(clamping: deadline - now)
    if let facts { envelope.facts = facts.fetched }
    defer { copiedOperation = nil }
    return (service, envelope.routingKey, copiedOperation)
  }

  /// Writes the envelope of a call that is under way.
  ///
  /// Mutating, so that a call is written where it lies: to read it there would copy it first.
  mutating func write(envelope writer: inout Writer) -> (Opcode, deadlineMilliseconds: UInt32) {
    envelope.encode(to: &writer)
    return (opcode, envelope.deadlineMilliseconds)
  }

  /// True when the two must reach their owner in the order in which they came. Live data has an
  /// order of its own.
  func isInOrder(with other: OpenCall) -> Bool {
    isRouted && other.isRouted && isLive == other.isLive && opcode.service == other.opcode.service
      && envelope.routingKey == other.envelope.routingKey
  }
}

/// The open calls of one client: an answer finds its call by index. Those that were relayed are
/// apart, because they are small and many: so what a message touches lies close together.
struct OpenCalls {
  private var calls = CallPlaces<OpenCall>()
  private var relayedCalls = CallPlaces<RelayedCall>()
  /// Marks the places of relayed calls.
  private static let relayedBit: UInt32 = 1 << 31

  var count: Int { calls.count + relayedCalls.count }

  mutating func insert(_ call: consuming OpenCall) -> CallToken {
    let (place, generation) = calls.insert(call)
    return CallToken(place: UInt32(place), generation: generation)
  }

  mutating func insert(_ call: RelayedCall) -> CallToken {
    let (place, generation) = relayedCalls.insert(call)
    return CallToken(place: UInt32(place) | Self.relayedBit, generation: generation)
  }

  /// Nil for a call that has ended, and for one without live data.
  func relayed(_ token: CallToken) -> RelayedCall? {
    guard let place = Self.relayedPlace(token), relayedCalls.holds(place, token.generation) else {
      return nil
    }
    return relayedCalls.places[place].call
  }

  /// Nil when the call has ended, and for one that was relayed; a change of a call that has ended
  /// changes nothing.
  ///
  /// Inlined: each use would otherwise allocate a frame of half a kilobyte for the accessor.
  subscript(token: CallToken) -> OpenCall? {
    @inline(__always) _read {
      if calls.holds(Int(token.place), token.generation) {
        yield calls.places[Int(token.place)].call
      } else {
        yield nil
      }
    }
    @inline(__always) _modify {
      var ended: OpenCall?
      if calls.holds(Int(token.place), token.generation) {
        yield &calls.places[Int(token.place)].call
      } else {
        yield &ended
      }
    }
  }

  /// Ends a call, and returns the header of its request; nil when it has ended before.
  mutating func remove(_ token: CallToken) -> FrameHeader? {
    guard let place = Self.relayedPlace(token) else {
      return calls.remove(Int(token.place), token.generation)?.header
    }
    return relayedCalls.remove(place, token.generation)?.header
  }

  mutating func removeAll() {
    calls.removeAll()
    relayedCalls.removeAll()
  }

  private static func relayedPlace(_ token: CallToken) -> Int? {
    token.place & relayedBit == 0 ? nil : Int(token.place & ~relayedBit)
  }
}

/// Calls in dense places. A place counts the calls that it has had: who names one that has ended
/// finds nothing.
private struct CallPlaces<Call> {
  struct Place {
    var generation: UInt32 = 0
    var call: Call?
  }

  var places: [Place] = []
  private var free: [Int] = []
  var count: Int { places.count - free.count }

  mutating func insert(_ call: consuming Call) -> (place: Int, generation: UInt32) {
    if let place = free.popLast() {
      places[place].call = call
      return (place, places[place].generation)
    }
    places.append(Place(call: call))
    return (places.count - 1, 0)
  }

  func holds(_ place: Int, _ generation: UInt32) -> Bool {
    place < places.count && places[place].generation == generation
  }

  /// Nil when the call has ended before.
  mutating func remove(_ place: Int, _ generation: UInt32) -> Call? {
    guard holds(place, generation) else { return nil }
    places[place].generation &+= 1
    free.append(place)
    return places[place].call.take()
  }

  mutating func removeAll() {
    places = places.map { Place(generation: $0.generation &+ 1) }
    free = Array(places.indices)
  }
}
