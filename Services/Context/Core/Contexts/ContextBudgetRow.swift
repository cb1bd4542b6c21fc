import Domain
import Wire
import Operations

/// What one player does to one group many times in a row.
struct ContextBudgetKey: RowKey {
  enum Kind: UInt8 {
    case invitations = 1
    case requests
    /// What all in the group hear of: joining, roles, settings.
    case changes
  }

  var context = ContextID()
  var player = PlayerID()
  /// A `Kind`.
  var kind: UInt8 = 0

  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("context", &context)
    visit.field("player", &player)
    visit.field("kind", &kind)
  }
}

/// A budget of a player in a group that is not full.
struct ContextBudgetRow: BudgetRow {
  static let tableID: UInt16 = 27
  static let tableName = "context_budget"
  static let fullAtColumn: StaticString = "full_at"
  var key = ContextBudgetKey()
  var fullAt: Int64 = 0
}
