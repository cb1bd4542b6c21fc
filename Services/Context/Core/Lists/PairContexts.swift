import Domain
import Operations
import Wire

struct PairContextKey: RowKey {
  var player = PlayerID()
  var other = PlayerID()
  var game = ""

  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("other", &other)
    visit.field("game", &game)
  }
}

/// The open context of two players in a game, at one of them, whether the player is in it or has
/// left it, and however long the player's list is: a block closes it for both.
struct PairContextRow: Row {
  static let tableID: UInt16 = 24
  static let tableName = "pair_context"
  var key = PairContextKey()
  var context = ContextID()
  var generation: UInt32 = 0
  /// When the player blocked the other one last not, by the clock of the player's blocks.
  var checkedAt: Int64 = 0

  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("context", &context)
    visit.field("generation", &generation)
    visit.field("checked_at", &checkedAt)
  }
}

struct ContextBlockKey: RowKey {
  var player = PlayerID()
  var other = PlayerID()

  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("player", &player)
    visit.field("other", &other)
  }
}

/// A player blocks another: news of the pair's contexts that come later close these as well.
struct ContextBlockRow: Row {
  static let tableID: UInt16 = 25
  static let tableName = "context_block"
  var key = ContextBlockKey()
  /// Milliseconds since 1970, by the request service's clock.
  var since: Int64 = 0

  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("since", &since)
  }
}

/// The contexts of pairs, and the blocks that close them.
struct PairContexts {
  private var pairs = GroupedTable<PairContextRow, ContextBlockKey> {
    ContextBlockKey(player: $0.player, other: $0.other)
  }
  private var blocks = ResidentTable<ContextBlockRow>()

  mutating func load(_ row: PairContextRow) { pairs.load(row) }
  mutating func load(_ row: ContextBlockRow) { blocks.load(row) }

  /// Takes a pair's context from a list that was stored before pairs had rows of their own.
  mutating func load(_ row: ContextListRow) {
    guard let pair = PairContextRow(row.info, of: row.key.player, row.game),
      pairs[pair.key] == nil
    else { return }
    pairs.load(pair)
  }

  func has(_ player: PlayerID, _ other: PlayerID, in game: String) -> Bool {
    pairs[PairContextKey(player: player, other: other, game: game)] != nil
  }

  func block(of player: PlayerID, against other: PlayerID) -> ContextBlockRow? {
    blocks[ContextBlockKey(player: player, other: other)]
  }

  /// Notes what a pair's context is now, and closes it where a block is known.
  mutating func record(
    _ operation: RecordContext, _ game: String, _ transaction: inout Transaction
  ) {
    let (info, player) = (operation.info, operation.player)
    guard var row = PairContextRow(info, of: player, game) else { return }
    row.checkedAt = operation.checkedAt
    if let known = pairs[row.key], known.generation > row.generation { return }
    if info.size == 0 {
      pairs.remove(row.key, &transaction)
      return
    }
    if pairs[row.key] != row { pairs.put(row, &transaction) }
    let key = ContextBlockKey(player: player, other: row.key.other)
    if let block = blocks[key] { close(row, under: block, &transaction) }
  }

  mutating func record(_ operation: RecordBlock, _ transaction: inout Transaction) {
    let key = ContextBlockKey(player: operation.player, other: operation.other)
    guard operation.isBlocked else {
      blocks.remove(key, &transaction)
      return
    }
    let block = ContextBlockRow(key: key, since: operation.time)
    blocks.put(block, &transaction)
    for row in pairs.rows(of: key).sorted(by: { $0.key.game < $1.key.game }) {
      close(row, under: block, &transaction)
    }
  }

  /// Forgets the context of a pair one of whom is erased.
  mutating func erase(_ key: PairContextKey, _ transaction: inout Transaction) {
    pairs.remove(key, &transaction)
  }

  /// Forgets a block by or of an erased player.
  mutating func erase(_ key: ContextBlockKey, _ transaction: inout Transaction) {
    blocks.remove(key, &transaction)
  }

  /// A context for which the player was asked after the block was made was opened when it was
  /// lifted.
  private func close(
    _ row: PairContextRow, under block: ContextBlockRow, _ transaction: inout Transaction
  ) {
    guard row.checkedAt <= block.since else { return }
    var operation = ClosePairContext()
    operation.context = row.context
    operation.generation = row.generation
    transaction.effect(operation, on: row.context, game: row.key.game)
  }
}

extension PairContextRow: Equatable {
  /// Nil for a context that is no pair's.
  init?(_ info: ContextInfo, of player: PlayerID, _ game: String) {
    guard info.form == .pair,
      let other = info.players.first(where: { $0.player != player })?.player
    else { return nil }
    key = PairContextKey(player: player, other: other, game: game)
    context = info.context
    generation = info.generation
  }
}
