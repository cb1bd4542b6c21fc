import Catalog
import Domain
import Operations
import Wire

/// Who was erased (rule 7.3), and how what was said before is compared with what is said since.
///
/// A player counts as erased from the moment at which the first process has listed it. Until all
/// processes have heard of it, they say the player's id or the stand-in's, and the player's words
/// or none: what one of them says is compared in the form that it has in the end.
struct ErasureLog {
  private(set) var all: [Erasure] = []
  private var byPlayer: [PlayerID: Erasure] = [:]
  private var byStandIn: [PlayerID: PlayerID] = [:]
  private var traces: [(erasure: Erasure, trace: PlayerTrace)] = []
  /// Those of whom nothing may be left anywhere, not even under way.
  private(set) var completed: Set<PlayerID> = []

  var isEmpty: Bool { all.isEmpty }
  subscript(player: PlayerID) -> Erasure? { byPlayer[player] }
  func isStandIn(_ player: PlayerID) -> Bool { byStandIn[player] != nil }
  /// Whether it is an erased player or the stand-in of one.
  func isErased(_ player: PlayerID) -> Bool { byPlayer[player] != nil || isStandIn(player) }
  /// Whose stand-in it is; the player itself, of any other.
  func origin(_ player: PlayerID) -> PlayerID { byStandIn[player] ?? player }
  /// The stand-in of an erased player; the player itself, of any other.
  func rest(of player: PlayerID) -> PlayerID { byPlayer[player]?.standIn ?? player }

  /// A process has listed an erasure. Returns what is wrong with that.
  mutating func add(_ erasure: Erasure) -> String? {
    if let known = byPlayer[erasure.player] {
      return known == erasure
        ? nil : "7.3 \(erasure.player) has two stand-ins, \(known.standIn) and \(erasure.standIn)"
    }
    all.append(erasure)
    byPlayer[erasure.player] = erasure
    byStandIn[erasure.standIn] = erasure.player
    traces.append((erasure, PlayerTrace(erasure.player)))
    // In remembered answers somebody else takes the player's place.
    let mask = erasure.mask.standIn
    traces.append((Erasure(of: mask, as: erasure.standIn), PlayerTrace(mask)))
    return nil
  }

  mutating func complete() { completed = Set(byPlayer.keys) }

  // MARK: What names them

  /// The erased players whose ids are among the bytes.
  func named(in bytes: [UInt8]) -> [PlayerID] {
    traces.filter { $0.trace.isIn(bytes) }.map(\.erasure.player)
  }

  /// What is left of a message when all who are erased now are; the same bytes where it names none.
  func rest(of bytes: [UInt8], _ shape: Shape?) -> [UInt8] {
    var bytes = bytes
    for (erasure, trace) in traces where trace.isIn(bytes) {
      let rest = shape.flatMap {
        erasure.rest(of: bytes, $0) { StreamEvents.shape(of: $0) }
      }
      bytes = rest ?? erasure.renamed(bytes)
    }
    return bytes
  }

  func rest(of event: StreamEvent) -> StreamEvent {
    if isEmpty { return event }
    var rest = event
    rest.body = Bytes(self.rest(of: event.body.array, event: event.kind))
    return rest
  }

  func rest<M: Message>(of message: M) -> M {
    if isEmpty { return message }
    return (try? M(decoding: rest(of: message.encoded, M.shape))) ?? message
  }

  func rest(of bytes: [UInt8], event kind: UInt16) -> [UInt8] {
    isEmpty ? bytes : rest(of: bytes, StreamEvents.shape(of: Opcode(rawValue: kind)))
  }

  func rest(ofCall body: [UInt8], _ opcode: Opcode) -> [UInt8] {
    isEmpty ? body : rest(of: body, Self.shapes[opcode]?.call)
  }

  func rest(ofReply body: [UInt8], _ opcode: Opcode) -> [UInt8] {
    isEmpty ? body : rest(of: body, Self.shapes[opcode]?.reply)
  }

  private static let shapes: [Opcode: (call: Shape, reply: Shape)] = {
    func shapes<O: Operation>(_ type: O.Type) -> (call: Shape, reply: Shape) {
      (O.shape, O.Reply.shape)
    }
    return Dictionary(
      MessageCatalog.operations.map { ($0.opcode, shapes($0)) }, uniquingKeysWith: { one, _ in one }
    )
  }()
}

extension Ledger.Done {
  func rest(_ erasures: ErasureLog) -> Self {
    var rest = self
    rest.player = erasures.rest(of: player)
    rest.body = erasures.rest(ofCall: body, opcode)
    rest.reply = erasures.rest(ofReply: reply, opcode)
    return rest
  }
}

extension Ledger.Step {
  /// The same step, as if everybody who is erased now had been from the beginning.
  func rest(_ erasures: ErasureLog) -> Self {
    if erasures.isEmpty { return self }
    switch self {
    case .call(let done): return .call(done.rest(erasures))
    case .effect(let effect): return .effect(effect.rest(erasures))
    case .sent(let effect): return .sent(effect.rest(erasures))
    }
  }
}

extension Ledger.Applied {
  fileprivate func rest(_ erasures: ErasureLog) -> Self {
    var rest = self
    rest.body = erasures.rest(ofCall: body, opcode)
    return rest
  }
}
