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
/// gateways got a newer key, so that they are cold. Until then none is looked for.
final class ClosedPairs: CorePart {
  private let contexts: Contexts
  private var isEmpty = true

  init(contexts: Contexts) { self.contexts = contexts }

  func register(_ router: inout Router) { router.on(SettlePair.self, settlePair) }

  func register(_ tables: inout Tables) {
    tables.cold(ClosedPairRow.self, about: .nobody) { _ in self.isEmpty = false }
  }

  /// Asks back where a pair's new context must not have this name: because the name is closed, or
  /// because a key has made it that is older than the gateway's current one.
  func check(_ call: Call, _ transaction: borrowing Transaction) throws(Stop) {
    let isOlder = call.facts.reply(to: SettlePair.opcode, at: call.key) != nil
    if !isOlder, try !isClosed(ContextID(reinterpreting: call.key), transaction) { return }
    throw .needsFact(FactDemand(SettlePair.opcode, at: call.key))
  }

  private func isClosed(_ name: ContextID, _ transaction: borrowing Transaction) throws(Stop)
    -> Bool
  {
    if isEmpty { return false }
    return try transaction.row(ClosedPairRow.self, name) != nil
  }

  private func settlePair(
    _ operation: SettlePair, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) -> SettlePair.Reply {
    try contexts.check(operation.context)
    var reply = SettlePair.Reply()
    reply.isThere = contexts[operation.context] != nil
    if !reply.isThere, try !isClosed(operation.context, transaction) {
      transaction.put(ClosedPairRow(key: operation.context))
      isEmpty = false
    }
    return reply
  }
}
