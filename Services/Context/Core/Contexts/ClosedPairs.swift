import Domain
import Operations
import Wire

/// A name under which no context of a pair is made any more: the pair has a name under a newer key
/// of the gateways.
struct ClosedPairRow: Row {
  static let tableID: UInt16 = 50
  static let tableName = "closed_pair"
  var key = ContextID()
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &key)
  }
}

/// Names of pairs that are closed. There are as many as contexts that pairs have made since the
/// gateways got a newer key.
final class ClosedPairs: CorePart {
  private let contexts: Contexts
  private var table = ResidentTable<ClosedPairRow>()

  init(contexts: Contexts) { self.contexts = contexts }

  func register(_ router: inout Router) { router.on(SettlePair.self, settlePair) }

  func register(_ tables: inout Tables) {
    tables.resident(ClosedPairRow.self, about: .nobody) { self.table.load($0) }
  }

  /// Asks back where a pair's new context must not have this name: because the name is closed, or
  /// because a key has made it that is older than the gateway's current one.
  func check(_ call: Call) throws(Stop) {
    let isOlder = call.facts.reply(to: SettlePair.opcode, at: call.key) != nil
    guard isOlder || table[ContextID(reinterpreting: call.key)] != nil else { return }
    throw .needsFact(FactDemand(SettlePair.opcode, at: call.key))
  }

  private func settlePair(
    _ operation: SettlePair, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> SettlePair.Reply {
    try contexts.check(operation.context)
    var reply = SettlePair.Reply()
    reply.isThere = contexts[operation.context] != nil
    if !reply.isThere, table[operation.context] == nil {
      table.put(ClosedPairRow(key: operation.context), &transaction)
    }
    return reply
  }
}
