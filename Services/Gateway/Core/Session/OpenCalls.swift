public import Wire

/// Names an open call of one client. One with a place outlives the call harmlessly: an answer that
/// comes after the call has ended finds nothing.
///
/// That of a relayed call says itself what its answer needs, so that nothing has to be found.
/// Whoever passes the call on answers it exactly once, and it is counted how many are open.
public struct CallToken: Hashable, Sendable, RawRepresentable {
  public let rawValue: UInt64

  /// Marks relayed calls, where others have the highest bit of their generation.
  private static let relayedBit: UInt64 = 1 << 63
  static let generationMax = UInt32.max >> 1

  public init(rawValue: UInt64) { self.rawValue = rawValue }

  init(place: UInt32, generation: UInt32) {
    precondition(generation <= Self.generationMax, "a place has had too many calls")
    rawValue = UInt64(generation) << 32 | UInt64(place)
  }

  init(relayed header: FrameHeader) {
    rawValue = Self.relayedBit | UInt64(header.opcode) << 32 | UInt64(header.correlation)
  }

  public var isRelayed: Bool { rawValue & Self.relayedBit != 0 }
  var place: UInt32 { UInt32(truncatingIfNeeded: rawValue) }
  var generation: UInt32 { UInt32(truncatingIfNeeded: rawValue >> 32) }

  /// The request of a relayed call.
  var relayedRequest: FrameHeader {
    FrameHeader(
      kind: .request, opcode: UInt16(truncatingIfNeeded: rawValue >> 32), correlation: place)
  }
}

/// A client's call with live data, which waits for nothing: it is passed on as it came, by whoever
/// handles the frame that it is in.
public struct RelayedCall: Equatable, Sendable {
  public let token: CallToken
  public let address: ProcessAddress
  /// What is sent before the bytes of the operation.
  public let envelope: [UInt8]
  /// Where these begin in the frame.
  public let operationStart: Int
  public let deadlineMilliseconds: UInt32
  public let trace: TraceID

  public var opcode: Opcode { Opcode(rawValue: token.relayedRequest.opcode) }
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
  /// When it came: see `GatewayState.microseconds`.
  let arrivedAt: UInt64
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
  /// Nil for a call that is about no pair, or whose pair has one name.
  var pair: PairNames?

  var opcode: Opcode { Opcode(rawValue: header.opcode) }
  var needsFacts: Bool { facts.map { !$0.isComplete } ?? false || pair?.isAsked ?? false }

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
    if let pair { envelope.facts = pair.marked(facts?.fetched ?? Facts()) }
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
      && (envelope.routingKey == other.envelope.routingKey
        || pair?.has(other.envelope.routingKey) ?? false
        || other.pair?.has(envelope.routingKey) ?? false)
  }
}

/// The open calls of one client, in dense places: an answer finds its call by index. A place counts
/// the calls that it has had. Those that were relayed have none, and are only counted.
struct OpenCalls {
  private struct Place {
    var generation: UInt32
    /// Of a free place, the next free one.
    var nextFree = Self.none
    var call: OpenCall?

    /// Stands for no place.
    static let none = UInt32.max
  }

  private var places: [Place] = []
  private var firstFree = Place.none
  private var openCount: UInt32 = 0
  private var relayedCount: UInt32 = 0
  /// Of a place that was not there yet, or not since the last `rest`.
  private var firstGeneration: UInt32 = 0

  var count: Int { Int(openCount + relayedCount) }

  mutating func insert(_ call: consuming OpenCall) -> CallToken {
    openCount += 1
    let place = firstFree
    if place == Place.none {
      places.append(Place(generation: firstGeneration, call: call))
      return CallToken(place: UInt32(places.count - 1), generation: firstGeneration)
    }
    firstFree = places[Int(place)].nextFree
    places[Int(place)].call = call
    return CallToken(place: place, generation: places[Int(place)].generation)
  }

  mutating func insert(relayed header: FrameHeader) -> CallToken {
    relayedCount += 1
    return CallToken(relayed: header)
  }

  private func holds(_ token: CallToken) -> Bool {
    !token.isRelayed && token.place < places.count
      && places[Int(token.place)].generation == token.generation
  }

  /// Nil when the call has ended, and for one that was relayed; a change of a call that has ended
  /// changes nothing.
  ///
  /// Inlined: each use would otherwise allocate a frame of half a kilobyte for the accessor.
  subscript(token: CallToken) -> OpenCall? {
    @inline(__always) _read {
      if holds(token) {
        yield places[Int(token.place)].call
      } else {
        yield nil
      }
    }
    @inline(__always) _modify {
      var ended: OpenCall?
      if holds(token) {
        yield &places[Int(token.place)].call
      } else {
        yield &ended
      }
    }
  }

  /// Ends a call, and returns the header of its request; nil when it has ended before.
  mutating func remove(_ token: CallToken) -> FrameHeader? {
    if token.isRelayed {
      if relayedCount == 0 { return nil }
      relayedCount -= 1
      return token.relayedRequest
    }
    guard holds(token) else { return nil }
    let place = Int(token.place)
    places[place].generation = Self.next(places[place].generation)
    places[place].nextFree = firstFree
    firstFree = token.place
    openCount -= 1
    return places[place].call.take()?.header
  }

  /// Of those that have a place.
  var tokens: [CallToken] {
    places.indices.filter { places[$0].call != nil }
      .map { CallToken(place: UInt32($0), generation: places[$0].generation) }
  }

  /// All calls end, with the connection.
  mutating func removeAll() {
    (openCount, relayedCount) = (0, 0)
    rest()
  }

  /// Releases the places, which have half a kilobyte together, if no call has one. Those that come
  /// later begin with a generation that none of these has had.
  mutating func rest() {
    if openCount > 0 { return }
    let last = places.map(\.generation).max() ?? 0
    firstGeneration = Self.next(max(firstGeneration, last))
    places = []
    firstFree = Place.none
  }

  private static func next(_ generation: UInt32) -> UInt32 {
    generation == CallToken.generationMax ? 0 : generation + 1
  }
}
