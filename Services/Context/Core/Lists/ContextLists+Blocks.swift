import Domain
import Operations
import Wire

/// A block withdraws what the two have invited each other to, without a word: the invited one's
/// list knows who has invited the player.
extension ContextLists {
  /// Invitations that one step withdraws.
  private static let withdrawnPerStep = 64

  func recordBlock(
    _ operation: RecordBlock, _ call: Call, _ transaction: inout Transaction
  ) {
    // Between somebody and a player who is erased there is nothing.
    if call.standIns.contains(operation.player) || call.standIns.contains(operation.other) {
      return
    }
    switch operation.part {
    case .whole:
      pairs.record(operation, &transaction)
      var others = operation
      (others.player, others.other) = (operation.other, operation.player)
      others.part = .invitationsOfBlocker
      transaction.effect(others, on: others.player, game: "")
    case .invitationsOfBlocker: note(operation, &transaction)
    default: break
    }
    if operation.isBlocked { withdraw(operation, &transaction) }
  }

  private func note(_ operation: RecordBlock, _ transaction: inout Transaction) {
    let key = ContextBlockKey(player: operation.player, other: operation.other)
    if operation.isBlocked {
      blockers.put(BlockedByRow(key: key, since: operation.time), &transaction)
    } else {
      blockers.remove(key, &transaction)
    }
  }

  private func withdraw(_ operation: RecordBlock, _ transaction: inout Transaction) {
    let isOwn = operation.part == .whole || operation.part == .restOfInvitations
    let key = ContextBlockKey(player: operation.player, other: operation.other)
    // Who was asked after the block, by the same clock, was invited when it was lifted.
    let rows = lists.invitations(by: key).filter {
      (isOwn ? $0.checkedAt : $0.inviterCheckedAt) <= operation.time
    }
    for row in rows.prefix(Self.withdrawnPerStep) { withdraw(row, &transaction) }
    guard rows.count > Self.withdrawnPerStep else { return }
    var rest = operation
    rest.part = isOwn ? .restOfInvitations : .restOfInvitationsOfBlocker
    transaction.effect(rest, on: operation.player, game: "")
  }

  /// An invitation that was under way when one of the two blocked the other.
  func declines(_ row: ContextListRow, _ transaction: inout Transaction) -> Bool {
    if row.inviter.isNil { return false }
    let own = pairs.block(of: row.key.player, against: row.inviter)
    let others = blockers[ContextBlockKey(player: row.key.player, other: row.inviter)]
    let isApart =
      own.map { row.checkedAt <= $0.since } == true
      || others.map { row.inviterCheckedAt <= $0.since } == true
    if isApart { withdraw(row, &transaction) }
    return isApart
  }

  private func withdraw(_ row: ContextListRow, _ transaction: inout Transaction) {
    lists.remove(row.key, &transaction)
    var operation = WithdrawInvitation()
    operation.context = row.key.context
    operation.player = row.key.player
    operation.inviter = row.inviter
    operation.checkedAt = row.checkedAt
    transaction.effect(operation, on: row.key.context, game: row.game)
  }
}

/// The other one blocks the player: invitations of before that come later are withdrawn as well.
struct BlockedByRow: Row {
  static let tableID: UInt16 = 28
  static let tableName = "blocked_by"
  static var isForOwner: Bool { false }
  var key = ContextBlockKey()
  /// Milliseconds since 1970, by the request service's clock.
  var since: Int64 = 0

  mutating func fields<Visitor: FieldVisitor>(_ visit: inout Visitor) {
    visit.field("key", &key)
    visit.field("since", &since)
  }
}

extension ContextListRow {
  /// Who has invited the player, as long as the player has not come.
  mutating func take(_ operation: RecordContext) {
    let own = operation.info.players.first { $0.player == operation.player }
    guard own?.state == .invited else { return }
    inviter = operation.inviter
    (checkedAt, inviterCheckedAt) = (operation.checkedAt, operation.inviterCheckedAt)
  }
}
