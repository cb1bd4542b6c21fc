import Domain
import Wire

/// A core with the defect that is looked for: its handler changes a row and then refuses the call.
/// The fuzzer has to find the word at which it does.
final class CanaryCore: ServiceCore {
  static var service: Service { .context }
  let settings: SettingValues

  init(settings: SettingValues) { self.settings = settings }

  var router: Router {
    var router = Router()
    router.on(CanaryOperation.self) { (operation, call, transaction) throws(Stop) -> Empty in
      if !Self.isWord(operation.word) { throw .refuse(.invalidArgument, argument: "word", "No.") }
      var row = CanaryRow()
      row.key = call.key
      transaction.put(row)
      throw .refuse(.invalidArgument, argument: "word", "Too late.")
    }
    return router
  }

  func register(_ tables: inout Tables) { tables.resident(CanaryRow.self, about: .nobody) { _ in } }

  /// How often the word was approached. Counting keeps the optimizer from folding the comparisons
  /// into one, so that the fuzzer sees each step that it comes closer.
  nonisolated(unsafe) private static var steps = 0

  private static func isWord(_ text: String) -> Bool {
    let letters = Array(text.utf8)
    guard letters.count > 2, letters[0] == UInt8(ascii: "b") else { return false }
    unsafe steps += 1
    if letters[1] != UInt8(ascii: "i") { return false }
    unsafe steps += 1
    return letters[2] == UInt8(ascii: "r")
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
