public import Wire

/// A gateway's own call for one fact of a client's call.
public struct FactFetch: Hashable, Sendable {
  /// The opcode of a read-only operation whose first field is the key.
  public let opcode: Opcode
  public let key: RoutingKey
  /// The operation's bytes: the key alone, so that all other fields have their defaults. The
  /// envelope says who asks.
  public var body: [UInt8] { key.bytes }
}

/// The facts of one call: those it has, and those that its gateway still has to fetch.
///
/// The gateway first fetches the facts that the operation declares, side by side, and makes the
/// call. The service may refuse it for a fact that only the service knows the need of, at one key
/// or at several; the gateway then fetches that, again side by side, and makes the call again. A
/// fact that cannot be had ends the call, and answers that come for it later are ignored.
public struct CallFacts {
  /// The most facts of one call. Each is fetched by a call to a service, so this bounds the work
  /// that one call of a client causes. Whoever enters a group must not be blocked by any of its up
  /// to 100 players, each of whom is asked, and a call needs a few facts besides.
  public static let factsMax = 128
  /// The most bytes of a call's facts: half of a frame, because the frame must hold the call too.
  public static let bytesMax = WireLimits.frameSizeMax / 2
  /// How often a service may ask for another fact of one call. Most calls lack one, a few lack two;
  /// a service asks once more when the row that named the fact has changed meanwhile.
  public static let demandsMax = 4

  public private(set) var fetched = Facts()
  /// The facts that have not come yet, each once.
  public private(set) var fetches: [FactFetch] = []
  private var demandCount = 0
  private var byteCount = 0
  private var countedCost = 0

  /// Makes the facts of a call that declares none.
  public init() {}

  /// - Parameters:
  ///   - needs: what the operation declares.
  ///   - operation: the call's own bytes, read as far as they hold keys.
  public init(_ needs: [FactKeySource], operation: RawSpan, of principal: Principal)
    throws(Failure)
  {
    for need in needs {
      let opcode = Opcode(rawValue: need.opcode)
      do {
        try need.forEachKey(in: operation, of: principal) { key in
          add(FactFetch(opcode: opcode, key: key))
        }
      } catch {
        throw Failure(.malformed, "The body cannot be read as far as its keys: \(error).")
      }
    }
    try checkCount()
  }

  /// Those that were fetched count as well: a service that asks again and again gets no more.
  private func checkCount() throws(Failure) {
    if fetches.count + fetched.all.count > Self.factsMax {
      throw Failure(
        .limitReached, "One call is about at most \(Self.factsMax) players or other keys.")
    }
  }

  /// True when no fact is missing.
  public var isComplete: Bool { fetches.isEmpty }

  /// Stops at one fetch more than a call may cause: that is enough to refuse the call.
  private mutating func add(_ fetch: FactFetch) {
    if fetches.count <= Self.factsMax && !fetches.contains(fetch) { fetches.append(fetch) }
  }

  /// Takes the answer to one of the `fetches`. Throws the failure that the call ends with when the
  /// fact cannot be had.
  public mutating func take(_ answer: Result<[UInt8], Failure>, of fetch: FactFetch)
    throws(Failure)
  {
    guard let place = fetches.firstIndex(of: fetch) else {
      preconditionFailure("a fact that was not asked for, of \(fetch.opcode)")
    }
    let reply = try answer.get()
    byteCount += reply.count
    if byteCount > Self.bytesMax {
      throw Failure(.limitReached, "What has to be known for the call is too long.")
    }
    fetches.remove(at: place)
    fetched.all.append(Fact(fetch.opcode, at: fetch.key, reply: reply))
  }

  /// As how many calls the facts count that were asked for, or have come, since the last look.
  public mutating func takeCost() -> Int {
    let cost =
      (fetched.all.count + fetches.count) / GatewayLimits.factsCounted
      + byteCount / GatewayLimits.factsSizeCounted
    defer { countedCost = cost }
    return cost - countedCost
  }

  /// Takes a service's refusal that asks for a fact, which is to be fetched now. Returns the call's
  /// own bytes, which come back with the refusal. Throws the failure that the call ends with when
  /// it was refused for another reason.
  ///
  /// - Parameter routes: those of all services. The gateway fetches a fact in no client's name, so
  ///   only an operation that is meant for this may be asked for.
  public mutating func add(demandOf failure: Failure, _ routes: RouteTable) throws(Failure)
    -> [UInt8]
  {
    guard failure.code == .factRequired else { throw failure }
    demandCount += 1
    guard demandCount <= Self.demandsMax else {
      throw Failure(.unavailable, "What the call is about keeps changing.")
    }
    guard let demand = try? FactDemand(decoding: failure.detail.array),
      routes.isFact(Opcode(rawValue: demand.opcode))
    else { throw Failure(.unavailable, "The service asks for a fact that is not known here.") }
    guard let operation = demand.operation else {
      throw Failure(.unavailable, "The service is older than this gateway: it keeps the call.")
    }
    let opcode = Opcode(rawValue: demand.opcode)
    for key in demand.keys { add(FactFetch(opcode: opcode, key: key)) }
    try checkCount()
    return operation.array
  }
}
