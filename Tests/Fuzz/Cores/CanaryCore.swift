import Domain
import Wire

/// A core with the defect that is looked for: its handler changes a row and then refuses the call.
/// It does so at the second of two calls in a player's name, so that the fuzzer has to keep the
/// scripts that came closer.
final class CanaryCore: ServiceCore {
  static var service: Service { .context }
  let settings: SettingValues
  /// Who has made the first call.
  private var began: Set<RoutingKey> = []

  init(settings: SettingValues) { self.settings = settings }

  var router: Router {
    var router = Router()
    router.on(CanaryOperation.self) { (operation, call, transaction) throws(Stop) -> Empty in
      try self.take(operation.word, call, &transaction)
      return Empty()
    }
    return router
  }

  private func take(
    _ word: String, _ call: Call, _ transaction: inout Transaction
  ) throws(Stop) {
    let isSecond = began.contains(call.key)
    if word != (isSecond ? "first" : "high") {
      throw .refuse(.invalidArgument, argument: "word", "No.")
    }
    began.insert(call.key)
    var row = CanaryRow()
    row.key = call.key
    transaction.put(row)
    if isSecond { throw .refuse(.invalidArgument, argument: "word", "Too late.") }
  }

  func register(_ tables: inout Tables) {
    tables.resident(CanaryRow.self, about: .nobody) { self.began.insert($0.key) }
  }
}

struct CanaryOperation: Operation {
  typealias Reply = Empty
  static let opcode = Opcode(.context, 0x01)
  var word = ""
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("word", &word)
  }
}

struct CanaryRow: Row {
  static let tableID: UInt16 = 32
  static let tableName = "canary"
  var key = RoutingKey()
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) { visit.field("key", &key) }
}
