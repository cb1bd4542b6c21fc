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
    if operation.part == .whole {
      pairs.record(operation, &transaction)
      if operation.isBlocked {
        var others = operation
        (others.player, others.other) = (operation.other, operation.player)
        others.part = .invitationsOfBlocker
        transaction.effect(others, on: others.player, game: "")
      }
    }
    if operation.isBlocked { withdraw(operation, &transaction) }
  }

  private func withdraw(_ operation: RecordBlock, _ transaction: inout Transaction) {
    let isOwn = operation.part != .invitationsOfBlocker
    let key = ContextBlockKey(player: operation.player, other: operation.other)
    // Who was asked after the block, by the same clock, was invited when it was lifted.
    let rows = lists.invitations(by: key).filter {
      (isOwn ? $0.checkedAt : $0.inviterCheckedAt) <= operation.time
    }
    for row in rows.prefix(Self.withdrawnPerStep) { withdraw(row, &transaction) }
    guard rows.count > Self.withdrawnPerStep else { return }
    var rest = operation
    rest.part = isOwn ? .restOfInvitations : .invitationsOfBlocker
    transaction.effect(rest, on: operation.player, game: "")
  }

  /// An invitation that was under way when the player blocked the inviter.
  func declines(_ row: ContextListRow, _ transaction: inout Transaction) -> Bool {
    guard !row.inviter.isNil,
      let block = pairs.block(of: row.key.player, against: row.inviter),
      row.checkedAt <= block.since
    else { return false }
    withdraw(row, &transaction)
    return true
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

extension ContextListRow {
  /// Who has invited the player, as long as the player has not come.
  mutating func take(_ operation: RecordContext) {
    let own = operation.info.players.first { $0.player == operation.player }
    guard own?.state == .invited else { return }
    inviter = operation.inviter
    (checkedAt, inviterCheckedAt) = (operation.checkedAt, operation.inviterCheckedAt)
  }
}
