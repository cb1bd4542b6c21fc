import Domain
import Operations
import Wire

/// Something that a game declares by name, at the game's key.
protocol DeclaredRow: Row {
  associatedtype Definition: Message
  var key: Key { get set }
  var game: String { get set }
  /// Counts the game's declarations of the kind in the order in which they came first, from 1.
  var number: UInt32 { get set }
  var definition: Definition { get set }
  var name: String { get }
}

extension DeclaredRow {
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("game", &game)
    visit.field("number", &number)
    definition.fields(&visit)
  }
}

/// What one game declares of one kind, in the order in which it declared them first. They are so
/// few that going through all of them costs nothing.
struct Declarations<Declared: DeclaredRow> {
  private(set) var rows: [Declared] = []

  subscript(name: String) -> Declared? { rows.first { $0.name == name } }

  mutating func put(_ row: Declared) {
    if let place = rows.firstIndex(where: { $0.key == row.key }) {
      rows[place] = row
    } else {
      let place = rows.firstIndex { $0.number > row.number } ?? rows.count
      rows.insert(row, at: place)
    }
  }

  /// Declares a row, or changes the one of its name, which keeps its number.
  ///
  /// - Parameter full: the failure when the game has `countMax` of them.
  mutating func declare(
    _ row: Declared, countMax: Int, full: Failure, _ transaction: inout Transaction
  ) throws(Stop) -> DefinitionChange {
    let known = self[row.name]
    var row = row
    row.number = known?.number ?? UInt32(rows.count + 1)
    if known == row { return .unchanged }
    guard known != nil || rows.count < countMax else { throw .refused(full) }
    put(row)
    transaction.put(row)
    return known == nil ? .created : .updated
  }
}

extension Call {
  /// Refuses a declaration that an operator makes without saying for which game.
  func checkNamesGame(for declared: String) throws(Stop) {
    if game.isEmpty { throw .requiredArgument("game", "\(declared) belongs to a game: name it.") }
  }
}

/// Names something in a list of a game. Its size is fixed, so that a game's rows stand side by
/// side.
struct GameListKey: RowKey {
  /// `RoutingKey(game:)`
  var game = RoutingKey()
  /// `RoutingKey(game:name:)`
  var item = RoutingKey()
  init() {}
  init(game: String, name: String) {
    self.game = RoutingKey(game: game)
    item = RoutingKey(game: game, name: name)
  }
  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("gameKey", &game)
    visit.field("itemKey", &item)
  }
}
