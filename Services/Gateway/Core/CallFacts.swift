public import Wire

/// A gateway's own call for one fact of a client's call.
public struct FactFetch: Hashable, Sendable {
  /// Of a read-only operation that begins with its key.
  public let opcode: Opcode
  public let key: RoutingKey
  /// The key alone; all other fields have their defaults. Who asks is in the envelope.
  public var body: [UInt8] { key.bytes }
}

/// The facts of one call: those it has, and those that its gateway still has to fetch.
///
/// First come those that the operation declares, all at once. Then the call is made; the service may
/// refuse it for a fact that only it knows the need of, and it is made again with that one. A fact
/// that cannot be had ends the call, and what comes for it afterwards is not looked at.
public struct CallFacts {
  /// Facts of one call. Each is a call to a service, so this bounds what one call of a client makes
  /// the deployment do; a request has up to 50 recipients, and a few facts besides.
  public static let factsMax = 64
  /// Bytes of a call's facts: half of a frame, which must hold the call besides.
  public static let bytesMax = WireLimits.frameSizeMax / 2
  /// A service asks for one fact, and for another one when a row that it asked by has changed
  /// meanwhile; a few calls need two.
  static let demandsMax = 4

  public private(set) var facts = Facts()
  /// Those that are asked for and not here yet, each once.
  public private(set) var fetches: [FactFetch] = []
  private var demandCount = 0
  private var byteCount = 0

  /// Of a call that declares none.
  public init() {}

  /// - Parameters:
  ///   - needs: what the operation declares.
  ///   - operation: the call's own bytes, read as far as they hold keys.
  public init(_ needs: [FactRoute], operation: RawSpan, of principal: Principal) throws(Failure) {
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
    if fetches.count > Self.factsMax {
      throw Failure(
        .limitReached, "One call is about at most \(Self.factsMax) players or other keys.")
    }
  }

  /// True when the call can be made.
  public var isComplete: Bool { fetches.isEmpty }

  /// One more than can be fetched is enough to refuse the call.
  private mutating func add(_ fetch: FactFetch) {
    if fetches.count <= Self.factsMax && !fetches.contains(fetch) { fetches.append(fetch) }
  }

  /// The answer to one of the `fetches`. Throws what the call ends with when there is no such fact.
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
    facts.facts.append(Fact(fetch.opcode, at: fetch.key, reply: reply))
  }

  /// Adds the fact for which a service has refused the call to the `fetches`. Returns the call's own
  /// bytes, which the service gives back with the refusal. Throws what the call ends with when it
  /// was refused for another reason.
  ///
  /// - Parameter routes: of all services. What a service asks for is called in the name of no
  ///   client, so that it must be an operation that is meant for this.
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
    fetches = [FactFetch(opcode: Opcode(rawValue: demand.opcode), key: demand.key)]
    return operation.array
  }
}
