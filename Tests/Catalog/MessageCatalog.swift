import Operations
public import Wire

/// Every message that crosses a connection: what golden files, the fuzzer and `protocol.md` go
/// through.
///
/// The lists of operations and events are in `MessageCatalog+List.swift`, which the tests keep
/// equal to the sources in `Shared/Operations`.
public enum MessageCatalog {
  /// What stands before operations and events, what answers instead of a reply, and the replies of
  /// the calls that every process answers itself.
  public static let frameParts: [any Message.Type] = [
    ClientEnvelope.self, ServiceEnvelope.self, PushEnvelope.self, Failure.self,
    ServiceDescription.self, ServiceStatus.self, ChannelEnd.self, FactDemand.self, StreamEnds.self,
    IdentityConflict.self,
  ]

  /// Of these, the ones that a client meets: the envelope of its calls, what answers instead of a
  /// reply, and the `detail` of that where it is nothing that a field is of.
  public static let clientParts: [any Message.Type] = [
    ClientEnvelope.self, Failure.self, StreamEnds.self, IdentityConflict.self,
  ]

  /// Numbers of operations and events that were taken back. A peer of another age may still send
  /// them, so they are never used again.
  public static let retiredOpcodes: Set<UInt16> = [
    // Data of matches of exactly two, which was numbered and encoded for each receiver.
    Opcode(.context, 0x32).rawValue, Opcode(.context, 0x33).rawValue,
    Opcode(.context, 0xE1).rawValue, Opcode(.context, 0xE2).rawValue,
  ]

  /// Every message in each of its places, in order of opcode.
  public static let entries: [CatalogEntry] = {
    var entries: [CatalogEntry] = []
    for part in frameParts { entries.append(CatalogEntry(.part, nil, part)) }
    func add<O: Operation>(_ type: O.Type) {
      entries.append(CatalogEntry(.request, O.opcode, O.self))
      entries.append(CatalogEntry(.reply, O.opcode, O.Reply.self))
    }
    for operation in operations.sorted(by: { $0.opcode < $1.opcode }) { add(operation) }
    for event in events.sorted(by: { $0.opcode < $1.opcode }) {
      entries.append(CatalogEntry(.event, event.opcode, event))
    }
    return entries
  }()
}

/// One message in one of its places.
public struct CatalogEntry: Sendable, CustomStringConvertible {
  public enum Place: String, Sendable {
    case part, request, reply, event

    var number: UInt8 {
      switch self {
      case .part: 0
      case .request: 1
      case .reply: 2
      case .event: 3
      }
    }
  }

  public let place: Place
  public let opcode: Opcode?
  public let message: any Message.Type

  init(_ place: Place, _ opcode: Opcode?, _ message: any Message.Type) {
    self.place = place
    self.opcode = opcode
    self.message = message
  }

  public var description: String {
    "\(opcode?.description ?? "-") \(place.rawValue) \(message.name)"
  }

  /// Which golden file it is in: that of its service, or `frame`.
  public var group: String { opcode.map { $0.service?.name ?? "unknown" } ?? "frame" }

  /// The bytes of the message's sample: chance, from a seed that depends on its name alone.
  public var sample: [UInt8] { Self.sampleBytes(of: message) }

  /// What an input of the fuzzer begins with to mean this message: the place, then the opcode.
  public var fuzzPrefix: [UInt8] {
    let number =
      opcode?.rawValue
      ?? UInt16(
        MessageCatalog.frameParts.firstIndex {
          $0.name == message.name
        } ?? 0)
    return [place.number, UInt8(number >> 8), UInt8(number & 0xFF)]
  }

  /// True when the bytes decode to the sample.
  public func isSample(_ bytes: [UInt8]) -> Bool {
    func check<M: Message>(_ type: M.Type) -> Bool {
      (try? M(decoding: bytes)) == Self.sample(of: type)
    }
    return check(message)
  }

  /// Decoded and encoded again.
  public func recoded(_ bytes: [UInt8]) throws(WireError) -> [UInt8] {
    try message.init(decoding: bytes).encoded
  }

  private static func sampleBytes<M: Message>(of type: M.Type) -> [UInt8] {
    sample(of: type).encoded
  }

  private static func sample<M: Message>(of type: M.Type) -> M {
    var generator = SplitMix64(seed: seed(of: M.name))
    return M.arbitrary(using: &generator)
  }

  /// The hash with which the first samples were made, so that theirs never change.
  private static func seed(of name: String) -> UInt64 {
    "sample\0\(name)".utf8.reduce(0x62b8_2175_6295_c58d) { ($0 ^ UInt64($1)) &* 0x13b }
  }
}

/// SplitMix64 (Steele, Lea, Flood 2014): the same on every platform and in every release.
struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
