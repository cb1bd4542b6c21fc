import GatewayCore
import Operations
import Wire

/// In which order the calls of one connection reach their keys, and what becomes of those that a
/// service gives back for a fact.
///
/// A call is known by its number among the client's sendings, which is its trace and its
/// correlation. It passes no call that came before it, with one exception: a call that is given
/// back is passed by those that were under way then.
struct CallOrder {
  /// Live data goes by the other calls of its key, in an order of its own.
  private struct Lane: Hashable {
    var service: Service?
    var key: RoutingKey
    var isLive: Bool
  }

  private struct Sent {
    var lane: Lane
    var operation: [UInt8]
    var idempotency: IdempotencyKey
    var count = 1
    /// What the service asks for; nil while the call is under way.
    var demand: FactDemand?
    /// Whether the service answers it only after it has given it back.
    var needsDetour = false

    var isOnDetour: Bool { demand != nil || count > 1 }
  }

  /// Calls that are not answered.
  private var open: [UInt64: Sent] = [:]
  private var newest: [Lane: UInt64] = [:]
  /// Calls that were given back and not made again yet.
  private var waiting: [Lane: Set<UInt64>] = [:]
  /// How often each call was made that was made more than once, also after its answer.
  private var repeated: [Lane: [UInt64: Int]] = [:]

  /// A call is passed on to its key. Returns what is wrong with that.
  ///
  /// - Parameters:
  ///   - isLive: see `Operation.isLive`.
  ///   - needsDetour: whether the service answers it only after it has given it back.
  mutating func forwarded(
    _ opcode: Opcode, _ envelope: ServiceEnvelope, _ operation: [UInt8], isLive: Bool,
    needsDetour: Bool
  ) -> String? {
    let number = envelope.trace
    let lane = Lane(service: opcode.service, key: envelope.routingKey, isLive: isLive)
    if let first = waiting[lane]?.min(), first < number {
      return "call \(number) of \(opcode) passes call \(first), which waits for a fact"
    }
    if let known = open[number] {
      return madeAgain(number, known, in: lane, envelope, operation)
    }
    open[number] = Sent(
      lane: lane, operation: operation, idempotency: envelope.idempotency,
      needsDetour: needsDetour)
    let last = newest[lane] ?? 0
    newest[lane] = max(last, number)
    return last < number
      ? nil : "call \(number) of \(opcode) was overtaken by \(last) on its way to its key"
  }

  private mutating func madeAgain(
    _ number: UInt64, _ known: Sent, in lane: Lane, _ envelope: ServiceEnvelope,
    _ operation: [UInt8]
  ) -> String? {
    guard let demand = known.demand else { return "call \(number) is made twice at once" }
    guard known.lane == lane, known.operation == operation,
      known.idempotency == envelope.idempotency
    else { return "call \(number) is another one when it is made again" }
    let opcode = Opcode(rawValue: demand.opcode)
    guard demand.keys.allSatisfy({ envelope.facts.reply(to: opcode, at: $0) != nil }) else {
      return "call \(number) is made again without a fact that it was given back for"
    }
    let count = known.count + 1
    if count > CallFacts.demandsMax + 1 { return "call \(number) is made for the \(count)th time" }
    open[number]?.count = count
    open[number]?.demand = nil
    waiting[lane]?.remove(number)
    repeated[lane, default: [:]][number] = count
    return nil
  }

  /// A service has given a call back. Returns what is wrong with that.
  mutating func givenBack(_ number: UInt64, _ demand: FactDemand) -> String? {
    guard let sent = open[number] else { return nil }
    open[number]?.demand = demand
    waiting[sent.lane, default: []].insert(number)
    let passed = repeated[sent.lane]?.first { $0.key > number && $0.value > sent.count }
    return passed.map { "call \(number) is given back after \($0.key), which was as well" }
  }

  /// Whether a call to the same key that came later was passed on already.
  func isPassed(_ number: UInt64) -> Bool {
    open[number].map { newest[$0.lane] ?? 0 > number } ?? false
  }

  /// The client is answered. Returns what is wrong with that: where every call takes a detour, none
  /// succeeds while one that came before it is on its own.
  mutating func answered(_ number: UInt64, isReply: Bool) -> String? {
    guard let sent = open.removeValue(forKey: number) else { return nil }
    waiting[sent.lane]?.remove(number)
    guard isReply, sent.needsDetour, !sent.isOnDetour else { return nil }
    let passed = open.keys.filter { $0 < number }.first {
      open[$0].map { $0.lane == sent.lane && $0.isOnDetour } ?? false
    }
    return passed.map { "call \(number) took effect before call \($0), which waits for a fact" }
  }
}
